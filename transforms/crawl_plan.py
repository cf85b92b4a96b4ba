"""Which files of a crawl are read, each by one worker, and its records in order."""

from __future__ import annotations

import re
from typing import NamedTuple

from anchormine.transforms.crawl_reading import FileToRead, count_records
from anchormine.transforms.given_inputs import Paths, path_list
from anchormine.transforms.input_files import find_files, passed_over, told_apart
from anchormine.transforms.input_folders import FolderInput, FoundFile
from anchormine.transforms.other_readers import other_reader
from anchormine.transforms.resumed_reads import LEAVE_OUT, ReadStopped, ResumedFile
from anchormine.web.records.crawl_formats import DAMAGED_START_BYTES, crawl_format, look_of, unread_packing
from anchormine.web.records.crawl_records import DEFAULT_LIMITS, RecordLimits
from anchormine.web.records.file_looks import HTML_PAGE
from anchormine.web.records.raw_bytes import RawBytes

_HEAD_BYTES = 1 << 18
_NO_CRAWL = "no WARC or ARC record in its first bytes"
_LOST = (
    f"no WARC or ARC record in its first {DAMAGED_START_BYTES >> 20} MiB, though its name is a crawl file's; "
    "fetch it again"
)
# Names of crawl files, among others in a folder that is given as input.
_SUFFIXES = tuple(
    f".{kind}{packed}" for kind in ("warc", "arc", "wet", "wat") for packed in ("", ".gz", ".zst", ".zstd")
)
# What stands beside a crawl file under its name: indexes, checksums, signatures, lists and reports.
_BESIDE = (
    r"cdxj?|idx|index|paths|(?:md5|sha(?:-?\d+)?|crc(?:32)?|b2|b3|blake[23]b?)(?:sums?)?|sfv|asc|sig|torrent|"
    r"txt|log|err|mimes|lst|md|html?|xml|ya?ml|json|jsonl|csv|tsv"
)
# Others that may hold records too, whatever follows: files still written, packed in other ways, saved twice.
_ALIKE = re.compile(
    rf"\.(?:wacz|warc|arc|wet|wat)(?![^\W_])(?!.*\.(?:{_BESIDE})(?:\.(?:gz|bz2|xz|zstd?))?\Z)",
    re.IGNORECASE | re.DOTALL,
)
_SAVED_PAGES = "warcit makes a crawl file of saved pages"
_FOLDERS = FolderInput(
    _SUFFIXES,
    "no file in this folder has a name that ends in .warc, .warc.gz, .warc.zst, .arc, .arc.gz or the like; "
    "name the files, or give a glob in quotation marks",
    _ALIKE,
    dict.fromkeys((".html", ".htm"), _SAVED_PAGES),
)


class CrawlFile(NamedTuple):
    """One file of the input.

    Attributes:
        path: of it.
        size: in bytes.
        unreadable: why nothing of it can be read, or None.
    """

    path: str
    size: int
    unreadable: str | None

    @property
    def name(self) -> str:
        """The path without its folder."""
        return self.path.rpartition("/")[2]


class CrawlPlan(NamedTuple):
    """What is read.

    Attributes:
        files: in order.
        to_read: those of them that can be read.
        passed_over: paths of files of folders that look like crawl files, but are not taken, by the endings
            of their names.
    """

    files: tuple[CrawlFile, ...]
    to_read: tuple[FileToRead, ...]
    passed_over: tuple[str, ...]


def plan_crawl(patterns: Paths, limit: int | None = None, limits: RecordLimits = DEFAULT_LIMITS) -> CrawlPlan:
    """Plans the reading of a crawl.

    Args:
        patterns: a path, glob or folder, or several; of folders all crawl files are taken, by their names.
        limit: how many records are read, from the first on.
        limits: of one record, as they are read with later.

    Raises:
        UsageError: no pattern, one without a file, a folder without a crawl file.
    """
    paths = path_list(patterns)
    found = find_files(paths, "web", _FOLDERS)
    files = tuple(_look_at(file) for file in found)
    names = told_apart([file.path for file in files])
    to_read = [
        FileToRead(number, file.path, names[number], file.size, None)
        for number, file in enumerate(files)
        if file.unreadable is None
    ]
    left_out = tuple(passed_over(paths, _FOLDERS, found))
    return CrawlPlan(files, tuple(to_read if limit is None else _limited(to_read, limit, limits)), left_out)


def _look_at(found: FoundFile) -> CrawlFile:
    if found.unreadable:
        return CrawlFile(*found)
    try:
        with ResumedFile(found.path) as stream:
            reason = _why_unreadable(found, RawBytes(stream))
    except ReadStopped as stop:
        reason = f"{stop.reason}; {LEAVE_OUT}"
    return CrawlFile(found.path, found.size, reason)


def _why_unreadable(found: FoundFile, raw: RawBytes) -> str | None:
    """Says what a file is that is no crawl file."""
    head = raw.peek(_HEAD_BYTES)
    if not head:
        return "an empty file; fetch it again"
    if crawl_format(head):
        return None
    reason = other_reader(found.path, "web") or unread_packing(head)
    if reason:
        return reason
    look = look_of(head)
    words = f"{look}, and {_NO_CRAWL}" if look else _NO_CRAWL
    if not found.path.lower().endswith(_SUFFIXES):
        also = f" ({_SAVED_PAGES})" if look == HTML_PAGE else ""
        return f"{words}; give a file such as ...warc.gz{also}"
    # Its name tells that more of its start is damaged than is looked at elsewhere.
    head = raw.peek(DAMAGED_START_BYTES)
    if crawl_format(head, len(head)):
        return None
    return _LOST if len(head) == DAMAGED_START_BYTES else f"{words}; fetch it again"


def _limited(files: list[FileToRead], limit: int, limits: RecordLimits) -> list[FileToRead]:
    """Cuts what is read after a number of records, which are counted here, in input order."""
    kept: list[FileToRead] = []
    for file in files:
        records = count_records(file._replace(max_records=limit), limits)
        if records >= limit:
            return [*kept, file._replace(max_records=limit)]
        kept.append(file)
        limit -= records
    return kept
