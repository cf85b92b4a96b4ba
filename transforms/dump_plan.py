"""How the files of a dump are divided into ranges that are read in parallel.

The plan depends on the input alone, never on the number of workers: rows and shards are the same on all.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import IO, NamedTuple

from anchormine.errors import CommandError, UsageError
from anchormine.transforms.files import FoundFile, exists, find_files, open_file, plain_path
from anchormine.wiki.compression import Damage, compression_of, decompress
from anchormine.wiki.page_elements import PageElement, page_elements
from anchormine.wiki.siteinfo import SiteInfo, parse_siteinfo

_HEAD_BYTES = 1 << 16
# How many times a file's size its XML is: enough to judge sizes before anything is read.
_EXPANSION = {"bz2": 5, "gz": 4, "zst": 4, "": 1}
_LEAST_RANGE_BYTES, _MOST_RANGE_BYTES = 1 << 20, 16 << 20  # of a bzip2 file
_RANGES_OF_SMALL_FILES = 16
_INDEX_NAME = re.compile(r"multistream-index\d*\.txt[^/]*$")
_INDEX_LINE = re.compile(rb"(\d+):\d+:")


class DumpFile(NamedTuple):
    """One file of the input.

    Attributes:
        path: of it.
        size: in bytes.
        compression: "bz2", "gz", "zst" or "".
        info: what its head says.
        unreadable: why nothing of it can be read, or None.
    """

    path: str
    size: int
    compression: str
    info: SiteInfo
    unreadable: str | None

    @property
    def xml_bytes(self) -> int:
        """About how many bytes of XML it holds."""
        return self.size * _EXPANSION[self.compression]


class DumpRange(NamedTuple):
    """A part of a file that one worker reads.

    Attributes:
        number: place of the range in the input: what is read from it stands before that of higher ones.
        file: number of its file in the plan.
        path: of the file.
        compression: of the file.
        start: first byte.
        end: byte after the last; of an uncompressed file, pages that start before it belong to the range.
        has_start: whether the file's head is in it.
        has_end: whether the file's end is.
        max_pages: how many pages are to be read from it, None for all.
    """

    number: int
    file: int
    path: str
    compression: str
    start: int
    end: int
    has_start: bool
    has_end: bool
    max_pages: int | None


class DumpPlan(NamedTuple):
    """What is read: the files in order, and their ranges."""

    files: tuple[DumpFile, ...]
    ranges: tuple[DumpRange, ...]


def plan_dump(patterns: Sequence[str], index: str | None = None, limit: int | None = None) -> DumpPlan:
    """Plans the reading of a dump.

    Args:
        patterns: paths or globs of the dump's files, in order; index files among them are left out.
        index: of a multistream file; by default the one beside it is used. "none" for reading without.
        limit: how many page elements are read, from the first on.

    Raises:
        UsageError: a pattern without a file, an index that is not the file's.
    """
    found = find_files(list(patterns))
    files = [_look_at(file) for file in found if not _INDEX_NAME.search(file.path)]
    if index not in (None, "none") and len(files) > 1:
        raise UsageError(f"--index {index}: belongs to one file, but {len(files)} are given")
    ranges: list[DumpRange] = []
    for number, file in enumerate(files):
        if file.unreadable is None:
            ranges += _ranges_of(number, file, index, len(ranges))
    return DumpPlan(tuple(files), tuple(ranges if limit is None else _limited(ranges, limit)))


def _look_at(found: FoundFile) -> DumpFile:
    with open_file(found.path) as stream:
        raw = stream.read(_HEAD_BYTES)
        kind = compression_of(raw)
        damages: list[Damage] = []
        head = raw if not kind else _decompressed_head(found.path, kind, damages)
    reason = None
    if not raw:
        reason = "an empty file; fetch it again"
    elif damages and not head:
        reason = f"{damages[0].reason}; nothing before that can be read, fetch it again"
    elif b"<page>" not in head and b"<mediawiki" not in head and b"</page>" not in head:
        reason = "no MediaWiki XML dump: neither <mediawiki> nor <page> in its first bytes"
    return DumpFile(found.path, found.size, kind, parse_siteinfo(head), reason)


def _decompressed_head(path: str, kind: str, damages: list[Damage]) -> bytes:
    head = b""
    with open_file(path) as stream:
        for chunk in decompress(stream, kind, damages):
            head += chunk
            if len(head) >= _HEAD_BYTES:
                break
    return head


def _ranges_of(number: int, file: DumpFile, index: str | None, first: int) -> list[DumpRange]:
    starts = [0]
    if file.compression == "bz2" and index != "none":
        index_path = plain_path(index) if index else _index_beside(file.path)
        if index_path:
            starts = _spaced(_index_offsets(index_path, file), file.size)
            _check_starts(file, starts, index_path)
    elif not file.compression:
        step = _range_bytes(file.size)
        starts = list(range(0, max(file.size - step // 2, 1), step))
    ends = [*starts[1:], file.size]
    return [
        DumpRange(
            first + n, number, file.path, file.compression, start, end, n == 0, n == len(starts) - 1, None
        )
        for n, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]


def _range_bytes(size: int) -> int:
    return min(max(size // _RANGES_OF_SMALL_FILES, _LEAST_RANGE_BYTES), _MOST_RANGE_BYTES)


def _index_beside(path: str) -> str | None:
    """The index: that of "...-multistream1.xml-p1p2.bz2" is "...-multistream-index1.txt-p1p2.bz2"."""
    folder, slash, name = path.rpartition("/")
    candidate, found = re.subn(r"multistream(\d*)\.xml", r"multistream-index\1.txt", name)
    path = f"{folder}{slash}{candidate}"
    return path if found and exists(path) else None


def _index_offsets(index: str, file: DumpFile) -> list[int]:
    """Returns where the streams of a multistream file start, ascending."""
    try:
        with open_file(index) as stream:
            kind = compression_of(stream.read(16))
        damages: list[Damage] = []
        with open_file(index) as stream:
            data = b"".join(decompress(stream, kind, damages))
    except (OSError, CommandError) as error:
        raise UsageError(
            f"{index}: cannot be read ({error}); give --index another file, or --index none"
        ) from None
    offsets = sorted({int(offset) for offset in _INDEX_LINE.findall(data)})
    if damages or not offsets or offsets[-1] >= file.size:
        reason = (
            damages[0].reason
            if damages
            else "offsets beyond its end"
            if offsets
            else "no lines offset:id:title"
        )
        raise UsageError(
            f"{index}: is not the index of {file.path} ({reason}); "
            "give --index the right file, or --index none"
        )
    return offsets


def _spaced(offsets: list[int], size: int) -> list[int]:
    """Of the streams' starts, those at which a range starts."""
    step = _range_bytes(size)
    starts = [0]
    for offset in offsets:
        if offset - starts[-1] >= step and size - offset >= step // 2:
            starts.append(offset)
    return starts


def _check_starts(file: DumpFile, starts: list[int], index: str) -> None:
    with open_file(file.path) as stream:
        for start in starts:
            stream.seek(start)
            if compression_of(stream.read(16)) != "bz2":
                raise UsageError(
                    f"{index}: is not the index of {file.path} (no bzip2 stream starts at its byte {start}); "
                    "give --index the right file, or --index none"
                )


def _limited(ranges: list[DumpRange], limit: int) -> list[DumpRange]:
    """Cuts the ranges after a number of pages, which are counted here, in input order."""
    kept: list[DumpRange] = []
    for part in ranges:
        if limit <= 0:
            break
        pages = 0
        for _ in read_elements(part._replace(max_pages=limit), []):
            pages += 1
        kept.append(part._replace(max_pages=pages))
        limit -= pages
    return kept


def read_elements(
    part: DumpRange, damages: list[Damage], on_read: Callable[[int], None] | None = None
) -> Iterator[PageElement]:
    """Yields the page elements of a range.

    Args:
        part: of a file.
        damages: receives what could not be read.
        on_read: is told how many bytes of the range have been read since it was last told.
    """
    plain = not part.compression
    with open_file(part.path) as stream:
        stream.seek(part.start)
        bounded = _Bounded(stream, part.end - part.start, reads_on=plain, on_read=on_read)
        elements = page_elements(
            decompress(bounded, part.compression, damages, part.start),
            damages,
            has_start=part.has_start,
            has_end=part.has_end and part.max_pages is None,
            base=part.start if plain else 0,
            within_page=plain,
        )
        for count, element in enumerate(elements):
            if count == part.max_pages or (plain and element.offset >= part.end):
                return
            yield element


class _Bounded:
    """The bytes of a range; of an uncompressed file also those behind it, where its last page ends."""

    def __init__(
        self, stream: IO[bytes], length: int, reads_on: bool, on_read: Callable[[int], None] | None
    ) -> None:
        self._stream = stream
        self._left = length
        self._reads_on = reads_on
        self._on_read = on_read

    def read(self, size: int = -1) -> bytes:
        if not self._reads_on:
            size = self._left if size < 0 else min(size, self._left)
        data = self._stream.read(size)
        if self._on_read:
            self._on_read(min(len(data), self._left))
        self._left = max(0, self._left - len(data))
        return data
