"""Reads one of ClueWeb22's files, and compares it with the `.offset` file beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from anchormine.archives.compression import Damage
from anchormine.clueweb22.member_lines import MAX_LINE_BYTES, MemberLine, member_lines
from anchormine.clueweb22.offsets import first_difference, missing_end, parse_offsets
from anchormine.transforms.clueweb22_files import ENDING, OFFSETS, SourceFile
from anchormine.transforms.crawl_range import WatchedFile
from anchormine.transforms.files import exists
from anchormine.transforms.resumed_reads import ReadStopped, ResumedFile


def read_lines(
    file: SourceFile,
    damages: list[Damage],
    notes: list[str],
    limit: int = MAX_LINE_BYTES,
    most: int | None = None,
    on_read: Callable[[int], None] | None = None,
) -> Iterator[MemberLine]:
    """Yields the lines of a file.

    Args:
        file: to read.
        damages: receives what could not be read, or is missing at the end.
        notes: receives what is wrong with the `.offset` file.
        limit: see `member_lines`.
        most: how many lines are read; None for all.
        on_read: is told how many bytes have been read since it was last told.
    """
    starts: list[int] = []
    with ResumedFile(file.path) as opened:
        stream = WatchedFile(opened, file.size, damages, on_read)
        lines = (line for line in member_lines(stream, damages, starts, limit) if not line.is_part)
        yield from islice(lines, most)
    if most is None:
        _compare(file, starts, damages, notes)


def _compare(file: SourceFile, starts: list[int], damages: list[Damage], notes: list[str]) -> None:
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
    if end is not None:
        reason = f"cut off: its {OFFSETS} file has a place at byte {end}"
        damages.append(Damage(file.size, 0, reason, "file"))
    elif not damages:
        place = first_difference(offsets, starts, file.size)
        if place is not None:
            found = "does not list" if place in starts else "lists"
            notes.append(f"{path}: {found} byte {place}, unlike the file; the members were read without it")
