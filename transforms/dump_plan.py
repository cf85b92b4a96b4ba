"""How the files of a dump are divided into ranges that are read in parallel.

The plan depends on the input alone, never on the number of workers: rows and shards are the same on all.
"""

from typing import NamedTuple

from anchormine.errors import UsageError
from anchormine.transforms.dump_index import check_starts, index_beside, index_offsets, is_index
from anchormine.transforms.dump_range import DumpRange, is_dump, read_elements, read_head
from anchormine.transforms.files import plain_path
from anchormine.transforms.given_inputs import Paths, path_list
from anchormine.transforms.input_files import find_files
from anchormine.transforms.input_folders import FoundFile
from anchormine.wiki.siteinfo import SiteInfo, parse_siteinfo

_HEAD_BYTES = 1 << 16
# How many times a file's size its XML is: enough to judge sizes before anything is read.
_EXPANSION = {"bz2": 5, "gz": 4, "zst": 4, "": 1}
_ARCHIVES = {
    b"PK\x03\x04": "a zip archive",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"\xfd7zXZ": "an xz file",
}
_MIN_RANGE_BYTES, _MAX_RANGE_BYTES = 1 << 20, 16 << 20  # of a bzip2 file
_RANGES_OF_SMALL_FILES = 16
_MAX_CHECKED = 64  # of the index's offsets, besides those at which a range starts


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


class DumpPlan(NamedTuple):
    """What is read: the files in order, and their ranges."""

    files: tuple[DumpFile, ...]
    ranges: tuple[DumpRange, ...]


def plan_dump(patterns: Paths, index: str | None = None, limit: int | None = None) -> DumpPlan:
    """Plans the reading of a dump.

    Args:
        patterns: a path or glob of the dump's files, or several in order; index files are left out.
        index: of a multistream file; by default the one beside it is used. "none" for reading without.
        limit: how many page elements are read, from the first on.

    Raises:
        UsageError: no pattern, one without a file, an index that is not the file's.
    """
    found = find_files(path_list(patterns), "wiki")
    files = [_look_at(file) for file in found if not is_index(file.path)]
    if index not in (None, "none") and len(files) > 1:
        raise UsageError(f"--index {index}: belongs to one file, but {len(files)} are given")
    ranges: list[DumpRange] = []
    for number, file in enumerate(files):
        if file.unreadable is None:
            ranges += _ranges_of(number, file, index, len(ranges))
    return DumpPlan(tuple(files), tuple(ranges if limit is None else _limited(ranges, limit)))


def _look_at(found: FoundFile) -> DumpFile:
    head = read_head(found.path, _HEAD_BYTES)
    problem = head.problem
    if not problem and not is_dump(head.xml):
        problem = _not_a_dump(found.path, head.xml)
    return DumpFile(found.path, found.size, head.compression, parse_siteinfo(head.xml), problem)


def _not_a_dump(path: str, head: bytes) -> str:
    from anchormine.transforms.other_readers import other_reader  # not needed to read a dump

    if other := other_reader(path, "wiki"):
        return other
    for signature, name in _ARCHIVES.items():
        if head.startswith(signature):
            return f"{name}, which is not read; unpack it, or make it .bz2, .gz or .zst"
    return (
        "no MediaWiki XML dump: neither <mediawiki> nor <page> in its first bytes; "
        "give a file such as ...-pages-articles.xml.bz2"
    )


def _ranges_of(number: int, file: DumpFile, index: str | None, first: int) -> list[DumpRange]:
    starts = [0]
    if file.compression == "bz2" and index != "none":
        index_path = plain_path(index) if index else index_beside(file.path)
        if index_path:
            offsets = index_offsets(index_path, file.path, file.size)
            starts = _spaced(offsets, file.size)
            check_starts(index_path, file.path, [*starts, *offsets[:: 1 + len(offsets) // _MAX_CHECKED]])
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
    return min(max(size // _RANGES_OF_SMALL_FILES, _MIN_RANGE_BYTES), _MAX_RANGE_BYTES)


def _spaced(offsets: list[int], size: int) -> list[int]:
    """Of the streams' starts, those at which a range starts."""
    step = _range_bytes(size)
    starts = [0]
    for offset in offsets:
        if offset - starts[-1] >= step and size - offset >= step // 2:
            starts.append(offset)
    return starts


def _limited(ranges: list[DumpRange], limit: int) -> list[DumpRange]:
    """Cuts the ranges after a number of pages, which are counted here, in input order."""
    kept: list[DumpRange] = []
    for part in ranges:
        pages = sum(1 for _ in read_elements(part._replace(max_pages=limit), []))
        if pages >= limit:
            return [*kept, part._replace(max_pages=limit)]
        kept.append(part)
        limit -= pages
    return kept
