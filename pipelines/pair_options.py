"""What `pairs` writes into the manifest: all that its rows depend on."""

import hashlib
from pathlib import Path
from typing import Any

from anchormine.encoder import checked_path, encoder_path
from anchormine.sampling.weighers import WeighingOptions
from anchormine.tasks.acm import DRAWS
from anchormine.tasks.qdm import OCCURRENCES_PER_STRING
from anchormine.tasks.sentence_anchors import ANCHORS_PER_SENTENCE, PAIRS_PER_SENTENCE

# What a model is loaded from: weights in one file or several, and a tokenizer of any kind.
_ENCODER_FILES = (
    *("config.json", "*.safetensors", "pytorch_model*.bin"),
    *("*token*", "vocab.*", "merges.txt", "*.model"),
)


def pair_options(
    weighing: WeighingOptions, source: str, min_words: int, limit: int | None, language: str | None
) -> dict[str, Any]:
    """Collects the options of a run but its tasks, its profile and every constant.

    Args:
        weighing: how terms are weighed.
        source: the table of anchors.
        min_words: of a page that can be a document.
        limit: how many anchors are read.
        language: of all texts, over what the folder says.
    """
    attention = weighing.weights == "attention"
    return {
        "source": source,
        "encoder": _encoder_name(weighing.encoder) if attention else None,
        "encoder_sha256": encoder_checksum(weighing.encoder) if attention else None,
        **(_compute(weighing) if attention else {"encoder_revision": None, "device": None, "dtype": None}),
        "weights": weighing.weights,
        "profile": weighing.profile.name,
        "constants": {
            **{
                name: sorted(value) if isinstance(value, frozenset) else value
                for name, value in vars(weighing.profile).items()
            },
            "pairs_per_sentence": PAIRS_PER_SENTENCE,
            "anchors_per_sentence": ANCHORS_PER_SENTENCE,
            "occurrences_per_string": OCCURRENCES_PER_STRING,
            "negative_draws": DRAWS,
        },
        "stop_words": None if weighing.stop_words is None else sorted(weighing.stop_words),
        "min_words": min_words,
        "limit": limit,
        "language": language,
    }


def _compute(weighing: WeighingOptions) -> dict[str, str | None]:
    """Which version of an encoder is used, where, and in which precision: scores move with all of them."""
    from anchormine.compute import choose_compute
    from anchormine.sampling.encoder import hub_revision

    device, dtype = choose_compute(weighing.device, weighing.dtype)
    return {
        "encoder_revision": hub_revision(checked_path(weighing.encoder)),
        "device": device.type,
        "dtype": str(dtype).removeprefix("torch."),
    }


def _encoder_name(encoder: str) -> str:
    """The encoder without a path, which says nothing to others."""
    return encoder.rstrip("/").rpartition("/")[2] if Path(encoder).is_dir() else encoder


def encoder_checksum(encoder: str) -> str | None:
    """SHA-256 of an encoder's configuration, weights and tokenizer, in hex; None without a folder."""
    folder = Path(encoder_path(encoder))
    if not folder.is_dir():
        return None
    digest = hashlib.sha256()
    for path in sorted({path for pattern in _ENCODER_FILES for path in folder.glob(pattern)}):
        digest.update(path.name.encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()
