"""Which way of weighing terms a run has asked for, and what it needs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from anchormine.encoder import DEFAULT, checked_path
from anchormine.errors import UsageError
from anchormine.model_place import ModelPlace
from anchormine.sampling.profiles import OURS, WeightProfile
from anchormine.sampling.tfidf import DocumentFrequencies, TfidfWeigher, UniformWeigher
from anchormine.sampling.weights import Weigher

WEIGHTS = ("attention", "tfidf", "uniform")


@dataclass(frozen=True)
class WeighingOptions(ModelPlace):
    """How terms are weighed, and where an encoder computes.

    Attributes:
        weights: one of `WEIGHTS`.
        encoder: "default", an id on the hub, or a folder.
        profile: what is summed to what, and how it is drawn.
        stop_words: left out in every text; None takes the list of each text's language.
    """

    weights: str = "attention"
    encoder: str = DEFAULT
    profile: WeightProfile = OURS
    stop_words: frozenset[str] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weights not in WEIGHTS:
            raise UsageError(f"--weights {self.weights}: one of {', '.join(WEIGHTS)}")
        if self.profile.unit == "pieces" and self.weights != "attention":
            raise UsageError(
                f"--profile {self.profile.name} draws word pieces: only --weights attention has them"
            )

    def by(self, weights: str) -> WeighingOptions:
        """The same options with another way of weighing."""
        return replace(self, weights=weights)


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
        checked_path(options.encoder), options.device, options.dtype, options.profile, options.stop_words
    )
