"""The small encoder that the package carries; its model card, README.md, says how it was made."""

from pathlib import Path

from anchormine.errors import UsageError

DEFAULT = "default"


def encoder_path(name: str) -> str:
    """The folder of the shipped encoder for "default"; any other name, a folder or an id, as it is."""
    return str(Path(__file__).parent) if name == DEFAULT else name


def checked_path(name: str) -> str:
    """What `encoder_path` gives, if it can be a model.

    Raises:
        UsageError: a folder that is not there or holds no model, a file, or an empty name.
    """
    path = encoder_path(name)
    if not path.strip():  # which as a path is the folder one stands in
        raise UsageError("a model's name is empty; give a folder or an id of the Hugging Face hub")
    folder = Path(path)
    if folder.is_dir():
        if not (folder / "config.json").is_file():
            raise UsageError(f"{path}: no config.json here, so no model folder; `anchormine train` makes one")
    elif folder.exists():
        raise UsageError(f"{path}: is a file, and a model is a folder; give such a folder")
    elif path.startswith((".", "/", "~")) or path.count("/") > 1:
        raise UsageError(f"{path}: no such model folder")
    return path
