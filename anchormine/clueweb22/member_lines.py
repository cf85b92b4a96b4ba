"""The lines of ClueWeb22's files: a JSON record each, which is a gzip member of its own.

What is read is more than that: members of several lines, and files that were packed anew as one member. A
page without links has an empty line in the files of links, which is no record.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, MutableSequence
from itertools import accumulate
from typing import NamedTuple

from anchormine.archives.compression import Damage, Readable
from anchormine.web.records.gzip_members import gzip_members
from anchormine.web.records.pieces import Gap, Piece, decoded_pieces
from anchormine.web.records.raw_bytes import RawBytes

MAX_LINE_BYTES = 64 << 20


class MemberLine(NamedTuple):
    """A line that holds anything.

    Attributes:
        offset: byte of the file where its member starts.
        number: of the line in its member, from 0.
        begin: byte of the file where it starts; among several lines of a member that is in proportion.
        end: where it ends; that is where its member ends, if it is the last there.
        text: its bytes, no more than the limit.
        length: in bytes; more than `text` has for a line beyond the limit.
        is_part: whether the file breaks within it; what is lost is among the damages.
        is_damaged: whether its member turned out to be broken at it, so that bytes of it may be wrong.
    """

    offset: int
    number: int
    begin: int
    end: int
    text: bytes
    length: int
    is_part: bool = False
    is_damaged: bool = False

    @property
    def place(self) -> str:
        """Where it stands in its file, in a word."""
        return f"{self.offset}:{self.number}" if self.number else str(self.offset)


def opens_line(data: bytes) -> bool:
    """Tells whether a member that starts with these bytes is ClueWeb22's: a record, or an empty line."""
    return data.startswith(b"{") or data == b"\n"


# Where only the sum of a member is wrong, all of its record is given.
_MEMBERS = gzip_members(opens_line, careful_bytes=1, spans=False)


def is_gzip(head: bytes) -> bool:
    """Tells by a file's first bytes whether it is gzip at all."""
    return _MEMBERS.signature.match(head) is not None


def member_lines(
    stream: Readable, damages: MutableSequence[Damage], starts: list[int], limit: int = MAX_LINE_BYTES
) -> Iterator[MemberLine]:
    """Yields the lines of a file. A member that turns out to be broken costs no other.

    Of its own lines those are believed that stand before the last which starts like a record, and before the
    first that is no JSON.

    Args:
        stream: of the file.
        damages: receives what could not be read: every byte of the file is part of a line that is no part, or
            of an empty one, or stands here.
        starts: receives the byte at which each member starts.
        limit: how many bytes of a member are held: of a longer line only these are given.
    """
    member: _Member | None = None
    for item in decoded_pieces(RawBytes(stream), _MEMBERS):
        if isinstance(item, Gap):
            if member:
                yield from member.break_off(item, damages)
            else:
                damages.append(Damage(item.start, item.end - item.start, item.reason, "file"))
            member = None
            continue
        if item.opens:
            starts.append(item.start)
            member = _Member(item.start, limit)
        if member:
            yield from member.add(item)
        if member and item.closes:
            yield from member.finish()
            member = None


def _is_whole(line: MemberLine) -> bool:
    """Tells whether a line behind which a file breaks is all of a record."""
    try:
        json.loads(line.text)
    except (ValueError, RecursionError):
        return False
    return True


class _Part(NamedTuple):
    """Decoded bytes that are held, and the bytes of the file that they come from."""

    data: bytes
    start: int
    end: int


class _Member:
    """A member whose lines wait until it has shown to be whole, or until there are too many."""

    def __init__(self, offset: int, limit: int) -> None:
        self._offset = self._end = offset
        self._limit = limit
        self._parts: list[_Part] = []
        self._held = 0
        self._dropped = 0  # bytes of the line under way that are not held
        self._number = 0

    def add(self, piece: Piece) -> Iterator[MemberLine]:
        """Takes a piece, and gives the lines that can wait no longer."""
        data = piece.data
        self._end = piece.end
        if not data:
            return
        if self._held >= self._limit:  # a line that is too long: nothing is held of it up to its end
            rest = data.find(b"\n")
            skipped = len(data) if rest < 0 else rest
            self._dropped += skipped
            data = data[skipped:]
        if data:
            self._parts.append(_Part(data, piece.start, piece.end))
            self._held += len(data)
            if self._held >= self._limit:
                yield from self._release()

    def finish(self) -> list[MemberLine]:
        """Gives all lines that wait."""
        lines = list(self._lines(b"".join([part.data for part in self._parts])))
        self._parts, self._held = [], 0
        if lines:
            lines[-1] = lines[-1]._replace(end=self._end)
        return lines

    def break_off(self, gap: Gap, damages: MutableSequence[Damage]) -> list[MemberLine]:
        """Gives the lines that wait where a gap follows, and lists the gap with what is lost before it."""
        start = self._parts[0].start if self._parts else gap.start
        waiting = self.finish()
        last = max((row for row, line in enumerate(waiting) if line.text.startswith(b"{")), default=0)
        if gap.breaks:  # what was wrong may have shown late, behind lines that came out wrong
            last = next((row for row, line in enumerate(waiting[:last]) if not _is_whole(line)), last)
        lines, rest = waiting[:last], waiting[last:]
        is_whole = bool(rest) and _is_whole(rest[0])
        if is_whole and not gap.breaks:  # the file ends there, and nothing shows that anything is wrong
            lines.append(rest.pop(0))
            start = gap.start
        if lines and rest:
            start = rest[0].begin
        reason = gap.reason
        if gap.breaks and start > self._offset:  # no sum tells which of its lines are right
            reason += "; its records before that were read, and may be wrong in places"
        damages.append(Damage(start, gap.end - start, reason, "file"))
        return lines + [line._replace(is_part=not is_whole, is_damaged=is_whole) for line in rest[:1]]

    def _release(self) -> Iterator[MemberLine]:
        """Gives the whole lines, and holds no more than the limit of the one under way."""
        whole, newline, rest = b"".join([part.data for part in self._parts]).rpartition(b"\n")
        start = self._places([len(whole) + len(newline)])[0]
        if newline:
            yield from self._lines(whole + newline)
        kept = rest[: self._limit]
        self._dropped += len(rest) - len(kept)
        self._parts, self._held = [_Part(kept, start, self._end)], len(kept)

    def _places(self, places: Iterable[int]) -> list[int]:
        """The bytes of the file at which places of the bytes that are held stand, in proportion."""
        ends = list(accumulate(len(part.data) for part in self._parts))
        found: list[int] = []
        for place in places:
            row = bisect_right(ends, place)
            if row == len(ends):
                found.append(self._end)
                continue
            data, start, end = self._parts[row]
            found.append(end - (end - start) * (ends[row] - place) // len(data))
        return found

    def _lines(self, data: bytes) -> Iterator[MemberLine]:
        lines = data.split(b"\n")
        places = self._places(accumulate((len(line) + 1 for line in lines), initial=0))
        for row, text in enumerate(lines):
            dropped, self._dropped = self._dropped, 0
            if text.strip():
                yield MemberLine(
                    self._offset,
                    self._number,
                    places[row],
                    places[row + 1],
                    text[: self._limit],
                    len(text) + dropped,
                )
            self._number += row < len(lines) - 1
