"""What the manifest says of an encoder: all that scores move with."""

import hashlib
from pathlib import Path

from anchormine.encoder import checked_path, encoder_path
from anchormine.pipelines.worker_compute import compute_facts
from anchormine.sampling.weighers import WeighingOptions

# What a model is loaded from: weights in one file or several, and a tokenizer of any kind.
_ENCODER_FILES = (
    *("config.json", "*.safetensors", "pytorch_model*.bin"),
    *("*token*", "vocab.*", "merges.txt", "*.model"),
)
FACTS = ("encoder", "encoder_sha256", "encoder_revision", "device", "dtype")


def encoder_facts(weighing: WeighingOptions) -> dict[str, str | None]:
    """The name, checksum and version of an encoder, and where and in which precision it is used.

    Args:
        weighing: by attention.

    Returns:
        A value for each of `FACTS`.
    """
    from anchormine.sampling.encoder import hub_revision

    return {
        "encoder": _encoder_name(weighing.encoder),
        "encoder_sha256": encoder_checksum(weighing.encoder),
        "encoder_revision": hub_revision(checked_path(weighing.encoder)),
        **compute_facts(weighing),
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
