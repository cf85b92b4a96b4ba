"""The checksum by which a model is told from others of its name: of all that its outputs move with."""

import hashlib
from pathlib import Path

from anchormine.encoder import encoder_path

# What a model is loaded from: weights in one file or several, and a tokenizer of any kind; of those of
# sentence-transformers also how vectors are pooled, which is in folders of their own ("1_Pooling").
_FILES = (
    *("config.json", "*.safetensors", "pytorch_model*.bin"),
    *("*token*", "vocab.*", "merges.txt", "*.model"),
    *("modules.json", "[0-9]_*/config.json", "[0-9]_*/*.safetensors", "[0-9]_*/pytorch_model*.bin"),
)


def model_checksum(name: str) -> str | None:
    """SHA-256 of a model's configuration, weights and tokenizer, in hex; None without a folder.

    Args:
        name: a folder, an id of the hub, or "default".
    """
    folder = Path(encoder_path(name))
    if not folder.is_dir():
        return None
    digest = hashlib.sha256()
    for path in sorted({path for pattern in _FILES for path in folder.glob(pattern)}):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()
