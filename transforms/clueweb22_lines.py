"""Reads one of ClueWeb22's files, and compares it with the `.offset` file beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableSequence
from itertools import islice

from anchormine.archives.compression import Damage
from anchormine.clueweb22.member_lines import MAX_LINE_BYTES, MemberLine, member_lines
from anchormine.clueweb22.offsets import first_difference, is_of_file, missing_end, parse_offsets
from anchormine.transforms.clueweb22_files import ENDING, OFFSETS, SourceFile
from anchormine.transforms.files import exists
from anchormine.transforms.kept_damages import LeastDamages
from anchormine.transforms.resumed_reads import ReadStopped, ResumedFile
from anchormine.transforms.watched_file import WatchedFile


class FileLines:
    """The lines of a file, read once and in order.

    Attributes:
        damages: what could not be read, or is missing at the end, in any order; whoever reads the lines adds
            to them.
        notes: what is wrong with the `.offset` file.
        unread_from: the byte from which on the file is not read, as no more lines are wanted; None where it
            is read to its end. Known once the last line was given, as all of these are.
    """

    def __init__(
        self,
        file: SourceFile,
        limit: int = MAX_LINE_BYTES,
        most: int | None = None,
        on_read: Callable[[int], None] | None = None,
    ) -> None:
        """Prepares the reading.

        Args:
            file: to read.
            limit: see `member_lines`.
            most: how many lines are read; None for all.
            on_read: is told how many bytes have been read since it was last told.
        """
        self._file, self._limit, self._most, self._on_read = file, limit, most, on_read
        self.damages = LeastDamages()
        self.notes: list[str] = []
        self.unread_from: int | None = None

    def __iter__(self) -> Iterator[MemberLine]:
        if self._most == 0:
            self.unread_from = 0
            return
        starts: list[int] = []
        with ResumedFile(self._file.path) as opened:
            stream = WatchedFile(opened, self._file.size, self.damages, self._on_read)
            lines = member_lines(stream, self.damages, starts, self._limit)
            whole = (line for line in lines if not line.is_part)
            yield from islice(whole, self._most)
            following = None if self._most is None else next(whole, None)
        if following is None:
            _compare(self._file, starts, self.damages, self.notes)
        else:
            self.unread_from = following.begin


def _compare(file: SourceFile, starts: list[int], damages: MutableSequence[Damage], notes: list[str]) -> None:
    """Looks whether a file that was read to its end has the members that its list of offsets says."""
    path = file.path.removesuffix(ENDING) + OFFSETS
    if not file.path.endswith(ENDING) or not exists(path):
        return
    try:
        with ResumedFile(path) as stream:
            offsets = parse_offsets(stream.read())
    except ReadStopped as stop:
        notes.append(f"{path}: {stop.reason}; it was not compared with the members")
        return
    if offsets is None:
        notes.append(f"{path}: not lines of ten digits; it was not compared with the members")
        return
    end = missing_end(offsets, file.size)
    # A file that ends with a whole member was cut where the list has a place, or is another than the list's.
    is_cut = end is not None and (damages or file.size in offsets)
    if is_cut and is_of_file(offsets, starts, file.size):
        reason = f"cut off: its {OFFSETS} file has a place at byte {end}"
        damages.append(Damage(file.size, 0, reason, "file"))
    elif not damages:
        place = first_difference(offsets, starts, file.size)
        if place is not None:
            found = "does not list" if place in starts else "lists"
            notes.append(f"{path}: {found} byte {place}, unlike the file; the members were read without it")
