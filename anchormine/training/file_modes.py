"""Who may read the files of a model."""

from pathlib import Path


def share_files(folder: Path) -> None:
    """Lets those read the files of a folder who may read it: safetensors makes its files for the owner."""
    readable = folder.stat().st_mode & 0o444
    for path in folder.rglob("*"):
        if path.is_file():
            path.chmod(path.stat().st_mode | readable)
