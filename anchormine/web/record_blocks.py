"""Cuts a crawl file into records: a broken one costs itself, not what follows it.

A record's announced length is believed where what follows is a record, a blank line or the end. Elsewhere the
next line that starts a record decides where it ends.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from anchormine.archives.compression import Damage
from anchormine.web.decoded_bytes import DecodedBytes
from anchormine.web.record_heads import (
    HEAD_LINE_BYTES,
    MOST_HEAD_BYTES,
    RecordHead,
    find_head,
    first_line_size,
    head_end,
    parse_head,
    record_format,
)

MESSAGE_HEAD_BYTES = 1 << 16  # kept of a record that is too large, for what its HTTP head says

_LOOK_AHEAD = 64
_TERMINATOR_BYTES = 4
_STRAY_BYTES = 16  # between a record and the next, where a line end was damaged
_LINE_ENDS = re.compile(rb"[\r\n]*")
_TERMINATOR = {"warc": re.compile(rb"\r\n\r\n|\n\n"), "arc": re.compile(rb"\r?\n")}
_LAST_TERMINATOR = re.compile(rb"(?:\r\n\r\n|\n\n|\r?\n)\Z")


class RawRecord(NamedTuple):
    """A record as it stands in the file.

    Attributes:
        offset: byte of the file where it starts.
        size: bytes of the file it takes, with what is left over between it and the next.
        form: "warc" or "arc".
        head: what its head says.
        block: what follows the head, or the first bytes of that if it is too large; a view on what was read.
        problem: "", "too_large", "damaged", "truncated" or "wrong_length".
    """

    offset: int
    size: int
    form: str
    head: RecordHead
    block: memoryview
    problem: str


def split_records(
    window: DecodedBytes, damages: list[Damage], most_bytes: int, has_members: bool
) -> Iterator[RawRecord]:
    """Yields the records of a file.

    Args:
        window: on its decoded bytes, from the first on.
        damages: receives what could not be read, in order.
        most_bytes: of a block that is kept.
        has_members: whether the file is compressed, and so ends where a member does.
    """
    return _Splitter(window, damages, most_bytes, has_members).records()


class _Splitter:
    def __init__(
        self, window: DecodedBytes, damages: list[Damage], most_bytes: int, has_members: bool
    ) -> None:
        self.window = window
        self.damages = damages
        self.most_bytes = most_bytes
        self.has_members = has_members
        self.at = 0  # the place that is next
        self.done = 0  # byte of the file up to which all is accounted for
        self.form = ""
        self.no_blank = 0  # no blank line starts before this place
        self.line_ends = 0  # bytes of them behind the last record

    def records(self) -> Iterator[RawRecord]:
        while True:
            self._skip_line_ends()
            if not self.window.reach(self.at + 1):
                if not self.window.gap:
                    break
                self._pass_gap()
            elif start := self._block_start():
                yield self._record(start)
            else:
                self._skip_foreign()
        self._damage(self.window.file_position(self.at), "no record starts here")

    def _skip_line_ends(self) -> int:
        window, start = self.window, self.at
        while True:
            match = _LINE_ENDS.match(window.data, self.at - window.base)
            self.at += len(match[0]) if match else 0
            window.drop(self.at)
            if self.at < window.end or not window.reach(self.at + 1):
                return self.at - start

    def _pass_gap(self) -> None:
        gap = self.window.pass_gap()
        self.at = self.window.base
        if gap.end == gap.start == self.done:
            self.damages.append(Damage(gap.start, 0, gap.reason, "file"))
        self._damage(gap.end, gap.reason)

    def _damage(self, end: int, reason: str) -> None:
        """Reports what is not accounted for up to a byte of the file."""
        if end <= self.done:
            return
        start, self.done = self.done, end
        last = self.damages[-1] if self.damages else None
        if last and last.reason == reason and last.offset + last.bytes_skipped == start:
            start = last.offset
            self.damages.pop()
        self.damages.append(Damage(start, end - start, reason, "file"))

    def _block_start(self) -> int:
        """Returns the place behind the head that is next, 0 if none is."""
        window = self.window
        at = self.at - window.base
        if window.data.find(b"\n", at) < 0:
            window.reach(self.at + HEAD_LINE_BYTES)
        size = first_line_size(window.data, at, self.form)
        if not size:
            return 0
        self.form = self.form or record_format(window.data[at : at + size])
        is_all = False
        while True:
            end = head_end(window.data, at, self.form, self.no_blank - window.base, is_all)
            if end >= 0:
                return end + window.base
            if is_all:
                self.no_blank = min(window.end, self.at + MOST_HEAD_BYTES) - _LOOK_AHEAD
                return 0
            is_all = window.end - self.at > MOST_HEAD_BYTES or not window.more()

    def _skip_foreign(self) -> None:
        """Skips what is no record, to the next head, gap or to the end."""
        window, at = self.window, self.at - self.window.base + 1
        window.reach(self.at + HEAD_LINE_BYTES)
        stray = next(
            (at + n for n in range(_STRAY_BYTES) if first_line_size(window.data, at + n, self.form)), -1
        )
        self.at = stray + window.base if stray >= 0 else self._far_end(self.at + 1, None)
        if self.at < window.end:
            self._damage(window.file_position(self.at), "no record starts here")

    def _record(self, start: int) -> RawRecord:
        window, offset = self.window, self.done
        head = parse_head(bytes(self._taken(self.at, start)), self.form)
        block, self.at, problem = self._block(start, head.length)
        ended = self.at
        line_ends = self._skip_line_ends()
        if not problem and window.is_broken(ended):
            problem = "damaged"
        self.done = window.file_position(self.at)
        is_short = head.length is not None and start + head.length > ended
        self._judge_end(offset, is_short, line_ends)
        if not problem and head.is_cut:
            problem = "truncated"
        window.drop(self.at)
        return RawRecord(offset, self.done - offset, self.form, head, block, problem)

    def _judge_end(self, offset: int, is_short: bool, line_ends: int) -> None:
        """Reports where the file ends within a record."""
        if self.window.is_whole and self.at == self.window.end:
            if is_short:
                reason = f"cut off: the record that starts at byte {offset} has no end"
                self.damages.append(Damage(self.done, 0, reason, "file"))
            elif line_ends < self.line_ends and not self.has_members:
                reason = f"cut off: the record that starts at byte {offset} lacks the blank line at its end"
                self.damages.append(Damage(self.done, 0, reason, "file"))
        self.line_ends = min(line_ends, _TERMINATOR_BYTES if self.form == "warc" else 1)

    def _block(self, start: int, length: int | None) -> tuple[memoryview, int, str]:
        """Returns the block that starts at a place, the place where it ends, and what is wrong with it."""
        window = self.window
        if length is None or length <= self.most_bytes:
            if length is not None:
                window.reach(start + length + _TERMINATOR_BYTES)
                if self._ends_well(start + length):
                    return self._taken(start, start + length), start + length, ""
            end = self._near_end(start)
            if end >= 0:
                block = self._taken(start, end)
                last = _LAST_TERMINATOR.search(block, max(0, len(block) - _TERMINATOR_BYTES))
                if last and end < window.end:
                    block = block[: last.start()]
                return block, end, self._shortage(start, end, length)
        first = self._taken(start, min(window.end, start + MESSAGE_HEAD_BYTES))
        end = self._far_end(start, None if length is None else start + length)
        return first, end, "too_large"

    def _taken(self, start: int, end: int) -> memoryview:
        base = self.window.base
        return memoryview(self.window.data)[start - base : end - base]

    def _shortage(self, start: int, end: int, length: int | None) -> str:
        window = self.window
        is_short = length is not None and end < start + length
        if end == window.end and window.gap:
            return "damaged" if window.gap.breaks else "truncated"
        if end == window.end and is_short:
            return "truncated"
        return "wrong_length" if is_short else ""

    def _ends_well(self, end: int) -> bool:
        """Tells whether a block may end at a place: what follows is a head, a blank line or nothing more."""
        window, form = self.window, self.form
        if end > window.end:
            return False
        at = end - window.base
        if _TERMINATOR[form].match(window.data, at):
            return True
        window.reach(end + _LOOK_AHEAD)
        line_ends = _LINE_ENDS.match(window.data, at)
        following = line_ends.end() if line_ends else at
        if following == len(window.data) or window.is_edge(following + window.base):
            return True
        strays = range(_STRAY_BYTES if following > at else 1)
        return any(first_line_size(window.data, following + n, form) for n in strays)

    def _near_end(self, start: int) -> int:
        """Returns where the next head, a gap or the file's end is, -1 if that is too far away."""
        window, searched = self.window, start
        while True:
            found = self._find(searched)
            if found >= 0:
                return found
            if window.end - start > self.most_bytes:
                return -1
            searched = max(start, window.end - HEAD_LINE_BYTES)
            if not window.more():
                return window.end

    def _far_end(self, start: int, expected: int | None) -> int:
        """Returns what `_near_end` does, however far away, or the place that is expected if that is right."""
        window, searched = self.window, start
        while True:
            found = self._find(searched)
            if expected is not None and window.end >= expected + _LOOK_AHEAD and not 0 <= found < expected:
                if self._ends_well(expected):
                    return expected
                expected = None
            if found >= 0:
                return found
            searched = max(searched, window.end - HEAD_LINE_BYTES)
            window.drop(min(searched, expected or searched) - 1)
            if not window.more():
                return expected if expected is not None and self._ends_well(expected) else window.end

    def _find(self, place: int) -> int:
        window = self.window
        edges = (edge - window.base for edge in window.edges_from(place))
        found = find_head(window.data, place - window.base, self.form, edges)
        return found + window.base if found >= 0 else -1
