"""Whether a folder can be written, asked before the work that it is for."""

from __future__ import annotations

import os
from pathlib import Path

from anchormine.errors import UsageError


def check_place(folder: Path) -> None:
    """Looks whether a folder is there and can be written, or could be made; touches nothing.

    Args:
        folder: as given to `--output`.

    Raises:
        UsageError: a file is in its place or above it, or the folders that are there cannot be written.
    """
    place = folder.absolute()
    while not os.path.lexists(place) and place != place.parent:
        place = place.parent
    if not place.is_dir():
        raise UsageError(f"{place}: is no folder; --output names a folder, give another one")
    if not os.access(place, os.W_OK | os.X_OK):
        raise UsageError(f"{place}: cannot be written; give another --output, or the right to write there")


def is_taken(folder: Path) -> bool:
    """Tells whether something is in a folder.

    Raises:
        UsageError: a file is in its place.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder}: is a file; --output names a folder")
    return folder.is_dir() and any(folder.iterdir())


def make_place(folder: Path) -> None:
    """Makes a folder and those above it.

    Raises:
        UsageError: the file system refuses.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made ({error.strerror}); give another --output") from None
