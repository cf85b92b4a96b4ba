"""ClueWeb22's files as they are found: under the collection's folder, by globs, or named one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import BytesIO
from typing import NamedTuple

from anchormine.clueweb22.member_lines import is_gzip, member_lines
from anchormine.clueweb22.records import KINDS, kind_of
from anchormine.errors import UsageError
from anchormine.transforms.input_files import find_files, passed_over
from anchormine.transforms.input_folders import PASSED_OVER, FolderInput, FoundFile
from anchormine.transforms.other_readers import other_reader
from anchormine.transforms.resumed_reads import LEAVE_OUT, ReadStopped, ResumedFile

ENDING = ".json.gz"
OFFSETS = ".offset"
_HEAD_BYTES = 1 << 18
_LOOKED_FOR = "txt/en/en00/en0000/en0000-00.json.gz, and the same under inlink/ or outlink/"
# The collection's files, unpacked, packed otherwise, or fetched in part or twice.
_ALIKE = re.compile(
    r"\A[a-z_]+\d+-\d+\.json(?:\.(?:zstd?|bz2|xz|lz4|br|zip))?\Z|\.json\.gz(?:\.(?:part|tmp|\d+)|~)\Z",
    re.IGNORECASE,
)
_FOLDERS = FolderInput(
    (ENDING,),
    f"no files of ClueWeb22 in this folder; it is to hold {_LOOKED_FOR}",
    _ALIKE,
    remedy="pack with gzip, or rename",
)


class SetAside(NamedTuple):
    """A file that is not read.

    Attributes:
        path: of it.
        name: as in `SourceFile`.
        reason: why.
    """

    path: str
    name: str
    reason: str


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
        return _name(self.path, self.kind)


def find_sources(patterns: Sequence[str]) -> tuple[list[SourceFile], list[SetAside]]:
    """Finds files of texts and links, each once; `.offset` files among them are left out.

    Args:
        patterns: the collection's folder, folders in it, files and globs, on any file system of Beam.

    Returns:
        the files, and those of folders that look like them and are passed over.

    Raises:
        UsageError: a pattern without a file, a folder without such files, `.offset` files alone.
    """
    found = find_files(list(patterns), "clueweb22", _FOLDERS)
    sources = [_source(file) for file in found if not file.path.endswith(OFFSETS)]
    if not sources:
        raise UsageError(f"{found[0].path}: only says where records start; give the {ENDING} beside it, too")
    others = passed_over(patterns, _FOLDERS, found)
    return sources, [SetAside(path, _name(path, _kind_of_folder(path)), PASSED_OVER) for path in others]


def _name(path: str, kind: str) -> str:
    return f"{kind}/{path.rpartition('/')[2]}".lstrip("/")


def _kind_of_folder(path: str) -> str:
    """The kind of a file by the folder that it stands in; "" where none is named so."""
    return next((part for part in reversed(path.split("/")[:-1]) if part in KINDS), "")


def _source(file: FoundFile) -> SourceFile:
    """What a file is, by the folder it stands in, else by its first record."""
    if file.unreadable:
        return SourceFile(file.path, file.size, "", file.unreadable)
    kind = _kind_of_folder(file.path)
    if file.size and kind and file.path.endswith(ENDING):
        return SourceFile(file.path, file.size, kind, None)
    try:
        with ResumedFile(file.path) as stream:
            head = stream.read(_HEAD_BYTES)
    except ReadStopped as stop:
        problem = f"{stop.reason}; {LEAVE_OUT}"
        return SourceFile(file.path, file.size, "", problem)
    if not head:
        return SourceFile(file.path, 0, "", "an empty file; fetch it again")
    told = _head_kind(head)
    return SourceFile(file.path, file.size, told or "", None if told else _strange(file.path, head))


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
