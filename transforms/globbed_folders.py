"""The local folders that a glob looks into, or matches itself."""

import contextlib
import glob
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path


def globbed_folders(path: str) -> list[Path]:
    """Returns the folders that a pattern matches, but for hidden ones."""
    found = glob.glob(escaped(path))  # noqa: PTH207 - unlike `Path.glob`, it passes over hidden ones
    return [Path(place) for place in found if Path(place).is_dir()]


def escaped(path: str) -> str:
    """Returns a pattern in which the folder that is there is none, whatever its name looks like."""
    folder = str(next(parent for parent in Path(path).parents if parent.is_dir()))
    return glob.escape(folder) + path.removeprefix(folder)


def globbed_entries(path: Path) -> Iterator[Path]:
    """Yields what a pattern without "**" matches, in all folders that its folder matches, links among them.

    Beam would look through all that is below the first folder that is named, and follow no links to folders.

    Raises:
        OSError: the folder that is named is not listed. One that is only matched is passed over then.
    """
    for folder in _folders_of(path.parent):
        inside = folder.iterdir() if folder == path.parent else _listed(folder)
        yield from (entry for entry in inside if fnmatchcase(entry.name, path.name))


def _folders_of(path: Path) -> list[Path]:
    """The folders that a path or a pattern names; a name that is there is no pattern."""
    if path.is_dir():
        return [path]
    above = _folders_of(path.parent)
    named = [parent / path.name for parent in above if _is_folder(parent / path.name)]
    others = (entry for parent in above if parent / path.name not in named for entry in _listed(parent))
    return [*named, *(entry for entry in others if fnmatchcase(entry.name, path.name) and _is_folder(entry))]


def _listed(folder: Path) -> list[Path]:
    """What is in a folder; nothing, if the system does not list it."""
    with contextlib.suppress(PermissionError):
        return list(folder.iterdir())
    return []


def _is_folder(path: Path) -> bool:
    with contextlib.suppress(PermissionError):
        return path.is_dir()
    return False
