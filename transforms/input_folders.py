"""What is taken from a folder that is given as input: by the endings of names, and no hidden files."""

import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from anchormine.paths import name_fault, shown_path

PASSED_OVER = "passed_over"  # why files of a folder are set aside that look like those that are read


class FoundFile(NamedTuple):
    """A file that a pattern matched; a link that leads nowhere has no size, and cannot be read.

    Nor can a folder that the system does not list, and that stands for the files in it; nor, of what a folder
    holds, a pipe, a socket, a device, or a file whose name is no UTF-8.

    Attributes:
        path: of it, as it can be printed.
        size: in bytes.
        unreadable: why it is not read, where that is known without opening it.
    """

    path: str
    size: int
    unreadable: str | None = None


class FolderInput(NamedTuple):
    """What a folder is looked through for.

    Attributes:
        endings: of the names of the files, in small letters.
        missing: what is said of a folder without such files.
        alike: is found in names of other files that may be meant as input too; none if nothing is said.
        advice: what to do with other files, by the endings of their names.
        remedy: what to do with files that are alike.
    """

    endings: tuple[str, ...]
    missing: str
    alike: re.Pattern[str] = re.compile(r"(?!)")
    advice: Mapping[str, str] = MappingProxyType({})
    remedy: str = "unpack or rename"

    def takes(self, path: str, folder: str) -> bool:
        """Tells whether a file in a folder is taken: by the ending of its name, and no hidden one."""
        return path.lower().endswith(self.endings) and not is_hidden(path, folder)

    def is_alike(self, path: str) -> bool:
        """Tells whether a file that is not taken may be meant as input too, by its name."""
        name = path.rpartition("/")[2]
        return not name.lower().endswith(self.endings) and bool(self.alike.search(name))


def is_hidden(path: str, folder: str) -> bool:
    """Tells whether a file in a folder, or a folder that it is in there, is hidden."""
    return any(part.startswith(".") for part in path.removeprefix(folder).split("/"))


def walked(folder: Path, unlisted: list[Path] | None = None) -> Iterator[Path]:
    """Yields the files of a local folder and those below it, by name.

    It follows links to folders, into each folder once: large collections are spread over several disks.

    Args:
        folder: that is looked through.
        unlisted: receives the folders that the system does not list.
    """
    seen: set[Path] = set()

    def leave_out(error: OSError) -> None:
        if unlisted is not None:
            unlisted.append(Path(os.fsdecode(error.filename)))

    for parent, below, names in os.walk(folder, onerror=leave_out, followlinks=True):
        real = Path(parent).resolve()
        if real in seen:
            below.clear()
            continue
        seen.add(real)
        below.sort()  # which of two links is followed must not depend on the disk
        yield from (Path(parent, name) for name in sorted(names))


def file_of_folder(path: Path) -> FoundFile:
    """Returns a file of a local folder. What is strange about one costs that one, not the folder."""
    shown = shown_path(str(path))
    try:
        found = path.stat()
    except OSError:  # a link that leads nowhere, and the like: reading it will tell
        return FoundFile(shown, 0)
    size = found.st_size if stat.S_ISREG(found.st_mode) else 0
    return FoundFile(shown, size, name_fault(str(path)))
