"""The lines of ClueWeb22's files: a JSON record each, which is a gzip member of its own.

What is read is more than that: members of several lines, and files that were packed anew as one member. A
page without links has an empty line in the files of links, which is no record.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from anchormine.archives.compression import Damage, Readable
from anchormine.web.gzip_members import gzip_members
from anchormine.web.pieces import Gap, Piece, decoded_pieces
from anchormine.web.raw_bytes import RawBytes

MAX_LINE_BYTES = 64 << 20


class MemberLine(NamedTuple):
    """A line that holds anything.

    Attributes:
        offset: byte of the file where its member starts.
        number: of the line in its member, from 0.
        end: byte of the file up to which it was read; that is where its member ends, if it is the last there.
        text: its bytes, no more than the limit.
        length: in bytes; more than `text` has for a line beyond the limit.
        is_cut: whether its member has no end, so that the line may not be whole.
    """

    offset: int
    number: int
    end: int
    text: bytes
    length: int
    is_cut: bool

    @property
    def place(self) -> str:
        """Where it stands in its file, in a word."""
        return f"{self.offset}:{self.number}" if self.number else str(self.offset)


def opens_line(data: bytes) -> bool:
    """Tells whether a member that starts with these bytes is ClueWeb22's: a record, or an empty line."""
    return data.startswith(b"{") or data == b"\n"


_MEMBERS = gzip_members(opens_line)


def is_gzip(head: bytes) -> bool:
    """Tells by a file's first bytes whether it is gzip at all."""
    return _MEMBERS.signature.match(head) is not None


def member_lines(
    stream: Readable, damages: list[Damage], starts: list[int], limit: int = MAX_LINE_BYTES
) -> Iterator[MemberLine]:
    """Yields the lines of a file. A member that turns out to be broken gives none, and costs no other.

    Args:
        stream: of the file.
        damages: receives what could not be read.
        starts: receives the byte at which each member starts.
        limit: how many bytes of a member are held: a broken one that is longer can have given lines by then,
            and of a longer line only these are given.
    """
    member: _Member | None = None
    for item in decoded_pieces(RawBytes(stream), _MEMBERS):
        if isinstance(item, Gap):
            damages.append(Damage(item.start, item.end - item.start, item.reason, "file"))
            if member and not item.breaks:  # the file ends within it
                yield from member.finish(is_cut=True)
            member = None
            continue
        if item.opens:
            starts.append(item.start)
            member = _Member(item.start, limit)
        if member:
            yield from member.add(item)
        if member and item.closes:
            yield from member.finish(is_cut=False)
            member = None


class _Member:
    """A member whose lines wait until it has shown to be whole, or until there are too many."""

    def __init__(self, offset: int, limit: int) -> None:
        self._offset = self._end = offset
        self._limit = limit
        self._parts: list[bytes] = []
        self._held = 0
        self._dropped = 0  # bytes of the line under way that are not held
        self._number = 0

    def add(self, piece: Piece) -> Iterator[MemberLine]:
        """Takes a piece, and gives the lines that can wait no longer."""
        data = piece.data
        if not data:
            return
        self._end = piece.end
        if self._held >= self._limit:  # a line that is too long: nothing is held of it up to its end
            rest = data.find(b"\n")
            skipped = len(data) if rest < 0 else rest
            self._dropped += skipped
            data = data[skipped:]
        self._parts.append(data)
        self._held += len(data)
        if self._held > self._limit:
            yield from self._release()

    def finish(self, is_cut: bool) -> Iterator[MemberLine]:
        """Gives all lines that wait."""
        yield from self._lines(b"".join(self._parts), is_cut)
        self._parts, self._held = [], 0

    def _release(self) -> Iterator[MemberLine]:
        """Gives the whole lines, and holds no more than the limit of the one under way."""
        whole, newline, rest = b"".join(self._parts).rpartition(b"\n")
        if newline:
            yield from self._lines(whole + newline, False)
        kept = rest[: self._limit]
        self._dropped += len(rest) - len(kept)
        self._parts, self._held = [kept], len(kept)

    def _lines(self, data: bytes, is_cut: bool) -> Iterator[MemberLine]:
        lines = data.split(b"\n")
        for row, text in enumerate(lines):
            dropped, self._dropped = self._dropped, 0
            if text.strip():
                yield MemberLine(
                    self._offset,
                    self._number,
                    self._end,
                    text[: self._limit],
                    len(text) + dropped,
                    is_cut,
                )
            self._number += row < len(lines) - 1
