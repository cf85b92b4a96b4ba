"""The checksum by which a model is told from others of its name: of all that its outputs move with."""

import hashlib
from pathlib import Path

from anchormine.encoder import encoder_path

MODULE_FOLDERS = "[0-9]*_*"  # of sentence-transformers' models, such as "1_Pooling"
_WEIGHTS = ("config.json", "*.safetensors", "pytorch_model*.bin")
# What a model is loaded from: weights in one file or several, and a tokenizer of any kind; and how vectors of
# texts are made, as our dual encoders and sentence-transformers say it.
_FILES = (
    *(*_WEIGHTS, "*token*", "vocab.*", "merges.txt", "*.model"),
    *("dual_encoder.json", "modules.json", "sentence_bert_config.json", "config_sentence_transformers.json"),
    *(f"{MODULE_FOLDERS}/{name}" for name in _WEIGHTS),
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
    found = {path for pattern in _FILES for path in folder.glob(pattern)}
    for path in sorted(filter(Path.is_file, found)):  # not folders, such as "tokenizer", or links to nothing
        digest.update(path.relative_to(folder).as_posix().encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()
