"""What the manifest says of an encoder: all that scores move with."""

import hashlib
from pathlib import Path

from anchormine.encoder import checked_path, encoder_path

# What a model is loaded from: weights in one file or several, and a tokenizer of any kind.
_ENCODER_FILES = (
    *("config.json", "*.safetensors", "pytorch_model*.bin"),
    *("*token*", "vocab.*", "merges.txt", "*.model"),
)
FACTS = ("encoder", "encoder_sha256", "encoder_revision", "device", "dtype")


def encoder_facts(encoder: str, device: str, dtype: str) -> dict[str, str | None]:
    """The name, checksum and version of an encoder, and where and in which precision it is used.

    Args:
        encoder: a Hugging Face id, a folder, or "default".
        device: as the command line has it.
        dtype: as the command line has it.

    Returns:
        A value for each of `FACTS`.
    """
    from anchormine.compute import choose_compute
    from anchormine.sampling.encoder import hub_revision

    chosen_device, chosen_dtype = choose_compute(device, dtype)
    return {
        "encoder": _encoder_name(encoder),
        "encoder_sha256": encoder_checksum(encoder),
        "encoder_revision": hub_revision(checked_path(encoder)),
        "device": chosen_device.type,
        "dtype": str(chosen_dtype).removeprefix("torch."),
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
