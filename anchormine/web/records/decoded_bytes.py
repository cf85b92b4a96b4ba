"""A window on the decoded bytes of a crawl file, as long as a record needs, and where they stand in it."""

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from anchormine.web.records.pieces import Gap, Piece


class _Mark(NamedTuple):
    """Where a piece of `data` comes from: its place and size there, and its bytes in the file."""

    place: int
    size: int
    start: int
    end: int


class DecodedBytes:
    """A window on decoded bytes, which goes forward, and back where the file can be read again.

    Places count from the first decoded byte on, gaps left out. A gap stops the window until `pass_gap` was
    called.

    Attributes:
        data: the window.
        base: place of its first byte.
        edges: places in it at which a gzip member, a zstd frame or the file starts, in order, each once.
        gap: the gap that follows the window, if one does.
        is_whole: whether the file's end follows the window.
        can_go_back: whether `go_back` can be called.
    """

    def __init__(
        self,
        pieces: Iterator[Piece | Gap],
        has_members: bool,
        pieces_from: Callable[[int], Iterator[Piece | Gap]] | None,
        breaks_from: Callable[[int], bool] | None = None,
    ) -> None:
        """Starts at the file's first byte.

        Args:
            pieces: of the file.
            has_members: whether it is compressed.
            pieces_from: gives them from a byte of the file on, which in a compressed one is a member's start;
                None where the file cannot be read again.
            breaks_from: tells whether the member that starts at a byte of the file is broken; None for files
                without members, and those that cannot be read again.
        """
        self._pieces = pieces
        self._has_members = has_members
        self._pieces_from = pieces_from
        self.can_go_back = pieces_from is not None
        self._breaks_from = breaks_from
        self._looked_through = (-1, False)  # the last member that was, and whether it is broken
        self._marks: deque[_Mark] = deque()
        self._members: deque[tuple[int, int]] = deque()  # where they start, here and in the file
        self._file_end = 0
        self.edges: list[int] = []
        self.data = b""
        self.base = 0
        self.gap: Gap | None = None
        self.is_whole = False

    @property
    def end(self) -> int:
        """The place behind the window."""
        return self.base + len(self.data)

    def reach(self, place: int) -> bool:
        """Makes the window reach to a place. Returns whether it does."""
        missing = place - self.end
        if missing <= 0:
            return True
        parts = [self.data] if self.data else []
        while missing > 0 and not (self.gap or self.is_whole):
            piece = next(self._pieces, None)
            if piece is None:
                self.is_whole = True
            elif isinstance(piece, Gap):
                self.gap = piece
            else:
                self._add(piece, place - missing)
                if piece.data:
                    parts.append(piece.data)
                    missing -= len(piece.data)
        self.data = parts[0] if len(parts) == 1 else b"".join(parts)
        return missing <= 0

    def _add(self, piece: Piece, place: int) -> None:
        """Notes where a piece comes from. Of empty ones, of any number, only the last member is kept."""
        if piece.opens:
            if self._members and self._members[-1][0] == place:
                self._members.pop()
            self._members.append((place, piece.start))
            if not self.edges or self.edges[-1] != place:
                self.edges.append(place)
        if piece.data:
            self._marks.append(_Mark(place, len(piece.data), piece.start, piece.end))
        self._file_end = piece.end

    def view(self, start: int, end: int) -> memoryview:
        """Returns what stands between two places, without a copy."""
        return memoryview(self.data)[start - self.base : end - self.base]

    def more(self) -> bool:
        """Makes the window longer, half as long again at least. Returns whether it could be."""
        size = len(self.data)
        self.reach(self.end + 1 + size // 2)
        return len(self.data) > size

    def file_position(self, place: int) -> int:
        """Returns the byte of the file at which a place stands; places may only be asked for in order.

        Within a compressed piece it is in proportion.
        """
        self._forget(place)
        if not self._marks:
            return self._file_end
        mark = self._marks[0]
        return mark.start + (mark.end - mark.start) * (place - mark.place) // max(1, mark.size)

    def member_position(self, place: int) -> int:
        """Returns the byte of the file at which the gzip member or zstd frame starts that a place stands in;
        places may only be asked for in order.
        """
        self._forget(place)
        return self._members[0][1]

    def way_back(self, place: int) -> tuple[int, int]:
        """Returns from where on the file must be read again to come to a place of the window: the place and
        the byte; places may only be asked for in order.
        """
        if not self._has_members:
            return place, self.file_position(place)
        self._forget(place)
        return self._members[0]

    def go_back(self, way: tuple[int, int], place: int) -> None:
        """Makes the window reach from a place on again; no gap was passed since the way to it was asked for.

        Args:
            way: as `way_back` gave it.
            place: the one that it was asked for.

        Raises:
            ValueError: the file cannot be read again.
        """
        if self._pieces_from is None:
            raise ValueError("this file cannot be read again")
        self._pieces = self._pieces_from(way[1])
        self._marks.clear()
        self._members = deque([way])
        self.edges.clear()
        self.base, self._file_end = way
        self.data, self.gap, self.is_whole = b"", None, False
        while self.end <= place:
            self.drop(min(self.end, place - 1))
            if not self.more():
                return

    def is_broken(self, place: int) -> bool:
        """Tells whether what stands before a place comes from a member that turned out to be broken."""
        return self.gap is not None and self.gap.breaks and not (self.edges and place <= self.edges[-1])

    def breaks_ahead(self, member: int) -> bool:
        """Tells whether the member that starts at a byte of the file is broken, be it further on.

        It is decoded to its end for that, once. What was decoded of it before it breaks may be wrong.
        """
        if self._breaks_from is None:
            return False
        if self._looked_through[0] != member:
            self._looked_through = (member, self._breaks_from(member))
        return self._looked_through[1]

    def edges_from(self, place: int) -> Iterator[int]:
        """Yields the places from one on at which members start."""
        at = bisect_left(self.edges, place)
        while at < len(self.edges):  # the window may grow meanwhile
            yield self.edges[at]
            at += 1

    def is_edge(self, place: int) -> bool:
        """Tells whether a member starts at a place."""
        return next(self.edges_from(place), None) == place

    def drop(self, place: int) -> None:
        """Forgets what stands before a place, when that is half of the window or more."""
        size = place - self.base
        if 2 * size >= len(self.data):
            self.data = self.data[size:]
            self.base = place
            del self.edges[: bisect_left(self.edges, place)]
            self._forget(place)

    def pass_gap(self) -> Gap:
        """Goes on behind the gap, without what stands before it."""
        gap, self.gap = self.gap, None
        if gap is None:
            raise ValueError("there is no gap")
        self.base = self.end
        self.data = b""
        self.edges.clear()
        self._marks.clear()
        self._file_end = gap.end
        return gap

    def _forget(self, place: int) -> None:
        while len(self._members) > 1 and self._members[1][0] <= place:
            self._members.popleft()
        while self._marks and self._marks[0].place + self._marks[0].size <= place:
            self._marks.popleft()
