"""A file of a crawl, and the reading of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from anchormine.transforms.kept_damages import FirstDamages
from anchormine.transforms.resumed_reads import ResumedFile
from anchormine.transforms.watched_file import WatchedFile
from anchormine.web.records.crawl_records import CrawlRecord, RecordLimits, read_crawl


class FileToRead(NamedTuple):
    """A file that one worker reads.

    Attributes:
        number: of the file in the plan.
        path: of it.
        name: by which it is told from the other files of the input.
        size: in bytes.
        max_records: how many records are to be read from it, None for all.
    """

    number: int
    path: str
    name: str
    size: int
    max_records: int | None


class FileRecords:
    """The records of a file, read once and in order.

    Attributes:
        damages: what could not be read, the first places at least; complete once the last record was given.
        unread_from: the byte from which on the file is not read, as no more records are wanted; None where it
            is read to its end. Known then too.
    """

    def __init__(
        self, file: FileToRead, limits: RecordLimits, on_read: Callable[[int], None] | None = None
    ) -> None:
        """Prepares the reading.

        Args:
            file: to read.
            limits: of one record.
            on_read: is told how many bytes have been read since it was last told.
        """
        self._file = file
        self._limits = limits
        self._on_read = on_read
        self.damages = FirstDamages()
        self.unread_from: int | None = None

    def __iter__(self) -> Iterator[CrawlRecord]:
        file = self._file
        with ResumedFile(file.path) as stream:
            watched = WatchedFile(stream, file.size, self.damages, self._on_read)
            end = yield from read_crawl(watched, self.damages, self._limits, file.max_records)
            if end is not None:
                self.damages.data = [place for place in self.damages if place.offset < end]
                self.unread_from = end


def count_records(file: FileToRead, limits: RecordLimits) -> int:
    """Returns how many records a file has. With other limits it may have others, where it is damaged."""
    return sum(1 for _ in FileRecords(file, limits))
