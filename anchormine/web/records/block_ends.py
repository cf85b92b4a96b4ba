"""Where the block of a crawl file's record ends.

The length that its head announces is believed where a record or the file's end follows, or a blank line and
the block holds no line that starts a record, and no gzip member or zstd frame before that starts with one.
Elsewhere the next line that starts a record decides. So a crawl file that was captured is not taken apart,
whatever its size, where a record follows it.
"""

from typing import NamedTuple

from anchormine.web.records.decoded_bytes import DecodedBytes
from anchormine.web.records.line_ends import LINE_ENDS, TERMINATOR_BYTES, ends_block, without_terminator
from anchormine.web.records.record_heads import HEAD_LINE_BYTES, find_head, first_head, first_line_size

MESSAGE_HEAD_BYTES = 1 << 16  # kept of a record that is too large, for what its HTTP head says
STRAY_BYTES = 16  # between a record and the next, where a line end was damaged
LOOK_AHEAD = 64  # bytes that show whether a record starts
_BACK_BYTES = 1 << 18  # that going back costs at least, as if they were decoded


class Block(NamedTuple):
    """What follows the head of a record.

    Attributes:
        data: of it, or its first bytes if it is too large.
        end: the place where it ends.
        problem: "", "too_large", "damaged", "truncated" or "wrong_length".
        has_wrong_length: whether it has an end, and not where the head announces it; also if it is too large.
    """

    data: memoryview
    end: int
    problem: str
    has_wrong_length: bool


class BlockEnds:
    """Finds the ends of blocks in a window.

    Attributes:
        format: of the file's records, "warc" or "arc"; "" before the first.
    """

    def __init__(self, window: DecodedBytes, max_bytes: int) -> None:
        """Finds nothing yet; `max_bytes` of a block are kept."""
        self.format = ""
        self._window = window
        self._max_bytes = max_bytes
        self._in_vain = 0  # bytes that were decoded to no end, as a length was wrong

    def block(self, start: int, length: int | None) -> Block:
        """Returns the block that starts at a place.

        Args:
            start: the place behind the record's head.
            length: as the head announces it, if it does.
        """
        window = self._window
        if length is not None:
            end = start + length
            if length > self._max_bytes:
                first = self._first_bytes(start)
                if self._is_right_far(start, end):
                    return Block(first, end, "too_large", False)
            elif self._is_right(start, end):
                return Block(window.view(start, end), end, "", False)
        end = self._near_end(start)
        return self._found_block(start, end, length) if end >= 0 else self._large_block(start, length)

    def _large_block(self, start: int, length: int | None) -> Block:
        """Returns what `block` does for one that is too large to be kept."""
        window, first = self._window, self._first_bytes(start)
        end = self.far_end(start, None if length is None else start + length)
        is_wrong = length is not None and end != start + length and not self._shortage(start, end, length)
        if is_wrong and end == window.end:  # with the line ends that the file ends with
            end = window.base + without_terminator(window.data)
        return Block(first, end, "too_large", is_wrong)

    def _first_bytes(self, start: int) -> memoryview:
        """Returns what is kept of a block that is too large."""
        window = self._window
        window.reach(start + MESSAGE_HEAD_BYTES)
        return memoryview(bytes(window.view(start, min(window.end, start + MESSAGE_HEAD_BYTES))))

    def _found_block(self, start: int, end: int, length: int | None) -> Block:
        """Returns what `block` does for an end that was found: a head, a gap or the file's end."""
        window = self._window
        block, problem = window.view(start, end), self._shortage(start, end, length)
        size = without_terminator(block)
        if end < window.end:
            block = block[:size]
        elif length is not None and start + length < end:  # more than announced: it is not cut off
            block, end = block[:size], start + size
        if not problem and length is not None and length != len(block):
            problem = "wrong_length"
        return Block(block, end, problem, problem == "wrong_length")

    def far_end(self, start: int, expected: int | None, is_between: bool = False) -> int:
        """Returns where the next head, a gap or the file's end is, or the expected place if that is right.

        Args:
            start: where to begin.
            expected: where a record should end; None for none.
            is_between: whether a record has ended before that place.
        """
        window, searched = self._window, start
        while True:
            found = self._find(searched, is_between)
            if expected is not None and window.end >= expected + LOOK_AHEAD and not 0 <= found < expected:
                if self._ends_well(expected):
                    return expected
                expected = None
            if found >= 0:
                return found
            searched = max(searched, window.end - HEAD_LINE_BYTES)
            window.drop(min(searched, expected or searched) - 1)
            if not window.more():
                return expected if expected is not None and self._ends_well(expected) else window.end

    def _shortage(self, start: int, end: int, length: int | None) -> str:
        window = self._window
        is_short = length is not None and end < start + length
        if end == window.end and window.gap:
            return "damaged" if window.gap.breaks else "truncated"
        return "truncated" if end == window.end and is_short else ""

    def _ends_well(self, end: int) -> bool:
        """Tells whether a block may end at a place: what follows is a head, a blank line or nothing more."""
        window, format = self._window, self.format
        if end > window.end:
            return False
        at = end - window.base
        if ends_block(window.data, at, format):
            return True
        window.reach(end + LOOK_AHEAD)
        line_ends = LINE_ENDS.match(window.data, at)
        following = line_ends.end() if line_ends else at
        if following == len(window.data) or window.is_edge(following + window.base):
            return True
        if following == at:
            return bool(first_line_size(window.data, at, format)) and not self._is_within_head(at)
        return self._starts_near(following + window.base)

    def _is_within_head(self, at: int) -> bool:
        """Tells whether a head of ARC starts on its line shortly before a place of the window's data.

        What is behind the "h" of its "http:" looks like one, too.
        """
        data = self._window.data
        line = data.rfind(b"\n", max(0, at - STRAY_BYTES), at) + 1
        return 0 < line < at and first_line_size(data, line, self.format) > 0

    def _is_right(self, start: int, end: int) -> bool:
        """Tells whether a block ends where its head announces it."""
        if self._holds_member(start, end):  # in what is decoded already, before more is
            return False
        self._window.reach(end + TERMINATOR_BYTES)
        return self._ends_well(end) and not (self._holds_member(start, end) or self._is_beyond(start, end))

    def _is_beyond(self, start: int, end: int) -> bool:
        """Tells whether a block is longer than its record: it holds a head, and none follows it."""
        return not self.is_followed(end) and 0 <= self._find(start) < end

    def is_followed(self, end: int) -> bool:
        """Tells whether behind a block, and line ends, a record, a member or nothing comes next, and not what
        a wrong length left over.
        """
        window = self._window
        line_ends = LINE_ENDS.match(window.data, end - window.base)
        behind = window.base + (line_ends.end() if line_ends else 0)
        if not window.reach(behind + 1) or window.is_edge(behind) or self._starts_near(behind):
            return True
        window.reach(behind + HEAD_LINE_BYTES)
        return self._starts_near(behind)

    def _starts_near(self, place: int) -> bool:
        """Tells whether a record starts at a place, or behind it where a line end was damaged."""
        window = self._window
        at = place - window.base
        return first_head(window.data, at, self.format, STRAY_BYTES) >= 0

    def _is_right_far(self, start: int, end: int) -> bool:
        """Does what `_is_right` does where a block is too large to be kept, and leaves the window at its end.

        Heads in it, as of a crawl file that was captured, count only where the length turns out to be wrong:
        then the window goes back. After too much was read in vain, large lengths are no longer tried first.
        """
        window = self._window
        if self._holds_member(start, end) or not window.can_go_back or self._in_vain > start:
            return False
        way = window.way_back(start)
        if self._reaches(start, end):
            return True
        self._in_vain += window.end - way[0] + _BACK_BYTES
        window.go_back(way, start)
        return False

    def _reaches(self, start: int, end: int) -> bool:
        """Goes on to where a block should end, and tells whether it does, and something follows it."""
        window, searched = self._window, start
        while not self._holds_member(searched, end):
            searched = window.end
            window.drop(min(searched, end) - 1)
            if searched >= end + LOOK_AHEAD or not window.more():
                return self._ends_well(end) and self.is_followed(end)
        return False

    def _holds_member(self, start: int, end: int) -> bool:
        """Tells whether a record starts between two places where a gzip member or zstd frame does.

        A crawl file that was captured may stand in a block, but its records start no members of this one.
        """
        window = self._window
        for edge in window.edges_from(start):
            if edge >= end:
                return False
            window.reach(edge + HEAD_LINE_BYTES)
            if first_line_size(window.data, edge - window.base, self.format):
                return True
        return False

    def _near_end(self, start: int) -> int:
        """Does what `far_end` does, but returns -1 where that is too far away to be kept."""
        window, searched = self._window, start
        while True:
            found = self._find(searched)
            if found >= 0:
                return found
            if window.end - start > self._max_bytes:
                return -1
            searched = max(start, window.end - HEAD_LINE_BYTES)
            if not window.more():
                return window.end

    def _find(self, place: int, is_between: bool = False) -> int:
        window = self._window
        edges = (edge - window.base for edge in window.edges_from(place))
        found = find_head(window.data, place - window.base, self.format, edges, is_between)
        return found + window.base if found >= 0 else -1
