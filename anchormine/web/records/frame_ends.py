"""How far zstd frames go on as frames do: from block to block, and at last to what may follow one.

A frame that was cut short may go on so by chance, and its blocks, or the frames that start within them, may
be many and of a few bytes each. Where the ways from these meet, they are the same from there on: none is
walked twice, or a small file would take hours.
"""

from anchormine.web.records.pieces import AHEAD_BYTES, Container, is_followed
from anchormine.web.records.raw_bytes import RawBytes
from anchormine.web.records.zstd_heads import (
    BLOCK_HEAD_BYTES,
    SUM_BYTES,
    BlockHead,
    BrokenFrame,
    FrameHead,
    block_head,
)

_STEP_BITS = 4  # of so many bytes, the first place on a way is remembered: each would take much memory
_MIN_PLACES = 1 << 12


class _Way:
    """The way from block to block.

    Attributes:
        reached: up to where it is known.
        is_last: whether a frame's last block ends there.
        breaks: whether no block starts there.
    """

    def __init__(self, reached: int, is_last: bool) -> None:
        self.reached = reached
        self.is_last = is_last
        self.breaks = False


class FrameEnds:
    """Finds how far the frames of one file go on.

    Attributes:
        container: their format.
    """

    def __init__(self, container: Container) -> None:
        self.container = container
        self._ways: dict[int, _Way] = {}  # from places of the file on
        self._max_places = _MIN_PLACES

    def sound_end(self, raw: RawBytes, head: FrameHead, block: BlockHead, size: int) -> int:
        """Returns up to where a frame goes on as one does behind a raw block, or 0 if it does not to its end.

        Such a block gives what is in its place, whatever that is, where its frame was cut short.

        Args:
            raw: with the block next.
            head: of the frame.
            block: its head.
            size: its bytes, with its head.
        """
        self._forget(raw.position)
        end = raw.position + size + AHEAD_BYTES
        with raw.looking_ahead():
            try:
                raw.take(len(raw.whole(size)))
                way = self._way(raw, block.is_last, end)
                if way.reached > end:
                    return end
                if way.breaks:
                    return 0
                raw.take(way.reached - raw.position)
                raw.take(len(raw.whole(SUM_BYTES if head.has_checksum else 0)))
            except EOFError:
                return 0
            return raw.position if is_followed(raw, self.container) else 0

    def _way(self, raw: RawBytes, is_last: bool, end: int) -> _Way:
        """Returns the way from the end of a block on, walked up to behind a place or to its own end."""
        way, passed, step = _Way(raw.position, is_last), [], -1
        while way.reached <= end and not (way.is_last or way.breaks):
            if way.reached >> _STEP_BITS != step:
                step = way.reached >> _STEP_BITS
                passed.append(way.reached)
                known = self._ways.get(way.reached, way)
                if known is not way:
                    way, step = known, -1
                    raw.take(way.reached - raw.position)
                    continue
            try:
                block = block_head(raw.whole(BLOCK_HEAD_BYTES))
                raw.take(len(raw.whole(BLOCK_HEAD_BYTES + block.size)))
            except (BrokenFrame, EOFError):
                way.breaks = True
            else:
                way.reached, way.is_last = raw.position, block.is_last
        self._ways.update(dict.fromkeys(passed, way))
        return way

    def _forget(self, place: int) -> None:
        """Forgets what stands before a place, now and then: memory does not grow with the file."""
        if len(self._ways) > self._max_places:
            self._ways = {at: way for at, way in self._ways.items() if at >= place}
            self._max_places = 2 * len(self._ways) + _MIN_PLACES
