"""ClueWeb22's files as they are found: under the collection's folder, by globs, or named one by one."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import NamedTuple

from anchormine.clueweb22.member_lines import is_gzip, member_lines
from anchormine.clueweb22.records import KINDS, kind_of
from anchormine.errors import UsageError
from anchormine.transforms.input_files import find_files
from anchormine.transforms.input_folders import FolderInput, FoundFile
from anchormine.transforms.other_readers import other_reader
from anchormine.transforms.resumed_reads import LEAVE_OUT, ReadStopped, ResumedFile

ENDING = ".json.gz"
OFFSETS = ".offset"
_HEAD_BYTES = 1 << 18
_LOOKED_FOR = "txt/en/en00/en0000/en0000-00.json.gz, and the same under inlink/ or outlink/"
_FOLDERS = FolderInput((ENDING,), f"no files of ClueWeb22 in this folder; it is to hold {_LOOKED_FOR}")


class SourceFile(NamedTuple):
    """One file of the input.

    Attributes:
        path: of it.
        size: in bytes.
        kind: one of `KINDS`; "" where nothing of it can be read.
        unreadable: why nothing of it can be read, or None.
    """

    path: str
    size: int
    kind: str
    unreadable: str | None

    @property
    def name(self) -> str:
        """Kind and name, which stay when the collection is moved: "txt/en0000-00.json.gz"."""
        return f"{self.kind}/{self.path.rpartition('/')[2]}".lstrip("/")


def find_sources(patterns: Sequence[str]) -> list[SourceFile]:
    """Finds files of texts and links, each once; `.offset` files among them are left out.

    Args:
        patterns: the collection's folder, folders in it, files and globs, on any file system of Beam.

    Raises:
        UsageError: a pattern without a file, a folder without such files, `.offset` files alone.
    """
    found = find_files(list(patterns), "clueweb22", _FOLDERS)
    sources = [_source(file) for file in found if not file.path.endswith(OFFSETS)]
    if not sources:
        raise UsageError(f"{found[0].path}: only says where records start; give the {ENDING} beside it, too")
    return sources


def _source(file: FoundFile) -> SourceFile:
    """What a file is, by the folder it stands in, else by its first record."""
    if file.unreadable:
        return SourceFile(file.path, file.size, "", file.unreadable)
    folders = [part for part in file.path.split("/")[:-1] if part in KINDS]
    if file.size and folders and file.path.endswith(ENDING):
        return SourceFile(file.path, file.size, folders[-1], None)
    try:
        with ResumedFile(file.path) as stream:
            head = stream.read(_HEAD_BYTES)
    except ReadStopped as stop:
        problem = f"{stop.reason}; {LEAVE_OUT}"
        return SourceFile(file.path, file.size, "", problem)
    if not head:
        return SourceFile(file.path, 0, "", "an empty file; fetch it again")
    kind = _head_kind(head)
    return SourceFile(file.path, file.size, kind or "", None if kind else _strange(file.path, head))


def _head_kind(head: bytes) -> str | None:
    line = next(member_lines(BytesIO(head), [], []), None)
    return kind_of(line.text) if line else None


def _strange(path: str, head: bytes) -> str:
    """What a file is that holds no records in its first bytes."""
    if other := other_reader(path, "clueweb22"):
        return other
    if not is_gzip(head):
        return f"no gzip file; give ClueWeb22's own, such as {_LOOKED_FOR}"
    return f"no record of ClueWeb22 in its first bytes; give files such as {_LOOKED_FOR}"
