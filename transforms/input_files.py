"""The files that a user names as input, by paths and by patterns."""

import stat
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from apache_beam.io.filesystems import FileSystems

from anchormine.errors import UsageError
from anchormine.transforms.files import (
    PATTERN_CHARACTERS,
    checked,
    exists,
    files_below,
    is_local,
    plain_path,
)

_LOOKED_AT = 20  # files of a folder


class FoundFile(NamedTuple):
    """A file that a pattern matched."""

    path: str
    size: int


def find_files(patterns: list[str], command: str, in_folders: tuple[str, ...] = ()) -> list[FoundFile]:
    """Finds the files of some paths and globs, each once, in the order of the patterns and by name in each.

    A path that is there as it stands is no pattern, whatever characters are in it, nor is such a folder.

    Args:
        patterns: as the user gives them.
        command: that asks; a folder that is none of its input, but another's, is named as that.
        in_folders: endings of the names of the files that are taken from a folder and those below it; none:
            a folder is no input.

    Raises:
        UsageError: a pattern that matches nothing, something that is no file, or a file system that is not
            installed.
    """
    found: dict[str, FoundFile] = {}
    for pattern in patterns:
        try:
            matches = sorted(_matches(plain_path(pattern), pattern, command, in_folders))
        except (OSError, ValueError) as error:  # of this machine's own files: those of others are ours by now
            reason = error.strerror if isinstance(error, OSError) else error
            raise UsageError(f"{pattern!r}: cannot be read ({reason}); give another path") from None
        if not matches:
            raise UsageError(
                f"{pattern}: no such file; give the path of a file, or a glob in quotation marks"
            )
        for match in matches:
            found.setdefault(match.path, match)
    return list(found.values())


def _matches(path: str, pattern: str, command: str, in_folders: tuple[str, ...]) -> Iterator[FoundFile]:
    if is_local(path):
        if Path(path).is_dir():
            yield from _within(Path(path), pattern, command, in_folders)
            return
        if Path(path).exists():
            yield _local_file(Path(path), pattern)
            return
        folder, name = Path(path).parent, Path(path).name
        if folder.is_dir() and "**" not in name:  # the folder's name may hold what looks like a pattern
            files = (file for file in folder.iterdir() if fnmatchcase(file.name, name) and file.is_file())
            yield from (_local_file(file, pattern) for file in files)
            return
    elif PATTERN_CHARACTERS.intersection(path) and exists(path):
        size = checked(lambda: FileSystems.get_filesystem(path).metadata(path).size_in_bytes, path)
        yield FoundFile(path, size)
        return
    for match in checked(lambda: FileSystems.match([path])[0].metadata_list, path):
        yield FoundFile(match.path, match.size_in_bytes)


def _within(folder: Path, pattern: str, command: str, endings: tuple[str, ...]) -> Iterator[FoundFile]:
    """The files of a folder and those below it, by the endings of their names; no hidden ones."""
    if not endings:
        raise UsageError(
            f"{pattern}: is a folder; give the files in it, such as '{pattern.rstrip('/')}/*'"
            + others_in(folder, command)
        )
    found = False
    for path in folder.rglob("*"):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.name.lower().endswith(endings) and path.is_file() and not hidden:
            found = True
            yield _local_file(path, pattern)
    if not found:
        kinds = f"{', '.join(endings[:5])} or the like"
        raise UsageError(
            f"{pattern}: no file in this folder has a name that ends in {kinds}; "
            "name the files, or give a glob in quotation marks" + others_in(folder, command)
        )


def others_in(folder: Path, command: str) -> str:
    """What files of a folder are that another command reads, and which; "" if none of the first is."""
    from anchormine.transforms.other_readers import other_reader  # not needed where all is right

    files = (path for path in files_below(str(folder)) if Path(path).is_file())  # a pipe would be waited for
    for path in islice(files, _LOOKED_AT):
        if words := other_reader(path, command):
            return f"; {Path(path).name} is {words}"
    return ""


def _local_file(path: Path, pattern: str) -> FoundFile:
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise UsageError(
            f"{pattern}: is a pipe or a device, and input is read twice; save it to a file first"
        )
    return FoundFile(str(path), found.st_size)
