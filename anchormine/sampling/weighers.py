"""Which way of weighing terms a run has asked for, and what it needs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from anchormine.errors import UsageError
from anchormine.sampling.profiles import OURS, WeightProfile
from anchormine.sampling.tfidf import DocumentFrequencies, TfidfWeigher, UniformWeigher
from anchormine.sampling.weights import Weigher

WEIGHTS = ("attention", "tfidf", "uniform")
# Shipped in the package, made by `anchormine train encoder`: see the model card in there.
DEFAULT_ENCODER = Path(__file__).parent.parent / "encoder"


@dataclass(frozen=True)
class WeighingOptions:
    """How terms are weighed.

    Attributes:
        weights: one of `WEIGHTS`.
        encoder: "default", an id on the hub, or a folder.
        device: "auto", "cpu", "cuda" or "cuda:N".
        dtype: "auto", "float32", "bfloat16" or "float16".
        profile: what is summed to what, and how it is drawn.
        stop_words: left out in every text; None takes the list of each text's language.
    """

    weights: str = "attention"
    encoder: str = "default"
    device: str = "auto"
    dtype: str = "auto"
    profile: WeightProfile = OURS
    stop_words: frozenset[str] | None = None

    def __post_init__(self) -> None:
        if self.weights not in WEIGHTS:
            raise UsageError(f"--weights {self.weights}: one of {', '.join(WEIGHTS)}")
        if self.profile.unit == "pieces" and self.weights != "attention":
            raise UsageError(
                f"--profile {self.profile.name} draws word pieces: only --weights attention has them"
            )

    def encoder_path(self) -> str:
        """The folder or id of the encoder."""
        return str(DEFAULT_ENCODER) if self.encoder == "default" else self.encoder


def make_weigher(options: WeighingOptions, frequencies: DocumentFrequencies | None) -> Weigher:
    """Makes the weigher of a run.

    Args:
        options: of the run.
        frequencies: of the corpus's leads; needed for tfidf.

    Raises:
        UsageError: the encoder cannot be used.
    """
    if options.weights == "uniform":
        return UniformWeigher(options.stop_words)
    if options.weights == "tfidf":
        if frequencies is None:
            raise UsageError("weights tfidf: needs the document frequencies of the corpus")
        return TfidfWeigher(frequencies, options.stop_words)
    from anchormine.sampling.attention import AttentionWeigher

    return AttentionWeigher(
        options.encoder_path(), options.device, options.dtype, options.profile, options.stop_words
    )
