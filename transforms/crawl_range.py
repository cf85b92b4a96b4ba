"""A file of a crawl, and the reading of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from anchormine.archives.compression import Damage
from anchormine.transforms.resumed_reads import ReadStopped, ResumedFile
from anchormine.web.crawl_records import CrawlRecord, RecordLimits, read_crawl


class CrawlRange(NamedTuple):
    """A file that one worker reads.

    Attributes:
        file: its number in the plan.
        path: of it.
        size: in bytes.
        max_records: how many records are to be read from it, None for all.
    """

    file: int
    path: str
    size: int
    max_records: int | None


def read_records(
    part: CrawlRange,
    damages: list[Damage],
    limits: RecordLimits,
    on_read: Callable[[int], None] | None = None,
) -> Iterator[CrawlRecord]:
    """Yields the records of a file.

    Args:
        part: the file.
        damages: receives what could not be read.
        limits: of one record.
        on_read: is told how many bytes have been read since it was last told.
    """
    with ResumedFile(part.path) as file:
        stream = WatchedFile(file, part.size, damages, on_read)
        yield from islice(read_crawl(stream, damages, limits), part.max_records)


def count_records(part: CrawlRange) -> int:
    """Returns how many records a range has."""
    return sum(1 for _ in read_records(part, [], RecordLimits(1 << 20)))


class WatchedFile:
    """The bytes of a file; one that cannot be read any further ends there, and that is reported."""

    def __init__(
        self, file: ResumedFile, size: int, damages: list[Damage], on_read: Callable[[int], None] | None
    ) -> None:
        self._file = file
        self._size = size
        self._damages = damages
        self._on_read = on_read
        self._stopped = False

    def read(self, size: int = -1) -> bytes:
        if self._stopped:
            return b""
        try:
            data = self._file.read(size)
        except ReadStopped as stop:
            self._stopped = True
            lost = max(0, self._size - stop.offset)
            self._damages.append(Damage(stop.offset, lost, stop.reason, "file"))
            return b""
        if self._on_read:
            self._on_read(len(data))
        return data
