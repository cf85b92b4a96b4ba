"""Gzip files: members one after the other (RFC 1952); crawlers write one for each record, or one for all."""

import re
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from anchormine.web.records.pieces import (
    AHEAD_BYTES,
    PIECE_BYTES,
    Container,
    Gap,
    Piece,
    find_member,
    skip_to_member,
)
from anchormine.web.records.raw_bytes import RawBytes
from anchormine.web.records.record_heads import HEAD_LINE_BYTES, opens_record

# The flags behind are only looked at: where they are the first byte of a member, that one is found, too.
_SIGNATURE = re.compile(rb"\x1f\x8b\x08(?=[\x00-\x1f])")
_WBITS = 31  # a gzip wrapper, the largest window
_FED_BYTES = 1 << 14
_CAREFUL_BYTES = 64  # fed at once where the bytes are known to break
_TRIAL_BYTES = 1 << 12
_WRONG_SUM = ": incorrect "  # in what zlib says of a checksum or length, and of headers that are none
# Of a member's head (RFC 1952, 2.3): where its flags stand, one of them, and where what that announces does.
_FLAGS, _HAS_EXTRA, _EXTRA_FIELD = 3, 0x04, 12


def gzip_members(
    opens: Callable[[bytes], bool], careful_bytes: int = _CAREFUL_BYTES, spans: bool = True
) -> Container:
    """Returns the format of files whose members hold records of some kind.

    Args:
        opens: tells whether a record starts with these bytes; they may be fewer than the record has.
        careful_bytes: at most so many bytes of a broken member before the one that breaks give nothing.
        spans: as `Container.spans`.
    """

    def decode(raw: RawBytes) -> Iterator[Piece | Gap]:
        return _member(container, raw, careful_bytes)

    def pieces(raw: RawBytes) -> Iterator[Piece]:
        return _whole_member(container, raw)

    container = Container(
        name="gzip member",
        signature=_SIGNATURE,
        decode=decode,
        pieces=pieces,
        errors=(EOFError, zlib.error),
        opens_record=partial(_opens_record, opens),
        trial_bytes=_TRIAL_BYTES,
        has_checksums=True,
        spans=spans,
    )
    return container


def _opens_record(opens: Callable[[bytes], bool], head: bytes) -> bool:
    """Tells whether a member starts with a record, by its first bytes, which may break before their end."""
    inflater = zlib.decompressobj(_WBITS)
    data = b""
    at, size = 0, _CAREFUL_BYTES
    while at < len(head) and len(data) < HEAD_LINE_BYTES and not inflater.eof:
        is_careful = size <= _CAREFUL_BYTES
        kept = inflater if is_careful else inflater.copy()
        try:
            data += inflater.decompress(head[at : at + size], 0 if is_careful else HEAD_LINE_BYTES)
        except zlib.error:  # bytes that break give nothing, not even what is right in them
            if is_careful:
                break
            inflater, size = kept, max(_CAREFUL_BYTES, size // 8)
            continue
        at, size = at + size, _TRIAL_BYTES if at == 0 else size
    return opens(data)


class _Inflater:
    """Inflates one member. Bytes that give nothing yet belong to the piece that comes of them later."""

    def __init__(self, raw: RawBytes, container: Container, looks_ahead: bool = True) -> None:
        """Has inflated nothing yet; `looks_ahead` says whether another member may start in this one."""
        self._raw = raw
        self._looks_ahead = looks_ahead
        self._container = container
        self._zlib = zlib.decompressobj(_WBITS)
        self._sound = 0  # up to where the member is known to break nowhere
        self.start = self.given = raw.position  # of the member; up to where pieces were given

    @property
    def is_done(self) -> bool:
        return self._zlib.eof

    def inflate(self, size: int, is_cut: bool = False) -> Piece | None:
        """Returns what comes of so many bytes, or None if nothing does.

        Args:
            size: of the bytes.
            is_cut: whether the member is known to have no end behind them.

        Raises:
            EOFError: the file ends, and the member does not; the bytes are still to be taken.
            zlib.error: the bytes are broken, or another member starts in them and what is behind that is
                broken; they are still to be taken.
        """
        fed = self._raw.peek(size)
        data = self._zlib.decompress(fed, PIECE_BYTES)
        is_all = len(fed) < size and not self._zlib.unconsumed_tail and len(data) < PIECE_BYTES
        if is_all and not self.is_done and not is_cut:
            raise EOFError
        # At its end zlib gives what is left as unused, and at times as unconsumed too.
        taken = len(fed) - len(self._zlib.unused_data if self.is_done else self._zlib.unconsumed_tail)
        if self._looks_ahead and not (self.is_done or is_cut) and self._raw.position + taken > self._sound:
            self._look_ahead(taken)
        self._raw.take(taken)
        if not data and not self.is_done:
            return None
        begin, self.given = self.given, self._raw.position
        return Piece(data, begin, self.given, begin == self.start, self.is_done)

    def _look_ahead(self, size: int) -> None:
        """Makes sure of the bytes behind, if another member starts in the next ones, which were inflated.

        Behind a wrong byte, or where a member was cut short, what follows may go on to be inflated through
        whole members, up to where it breaks.

        Args:
            size: of those that were inflated, and are still to be taken.

        Raises:
            EOFError: the file ends, and the member does not.
            zlib.error: the bytes behind are broken.
        """
        first = 1 if self._raw.position == self.start else 0
        if find_member(self._raw, self._container, first, size) < 0:
            return
        window = self._raw.peek(size + AHEAD_BYTES)
        ahead = self._zlib.copy()
        at = size
        while at < len(window) and not ahead.eof:
            fed = window[at : at + _FED_BYTES]
            ahead.decompress(fed, PIECE_BYTES)
            at += len(fed) - len(ahead.unconsumed_tail)
        if not ahead.eof and len(window) < size + AHEAD_BYTES:
            raise EOFError
        self._sound = self._raw.position + len(window)

    def kept(self) -> Any:
        """Returns what `restore` needs; at the member's start, which is most often, no copy is made."""
        return self._zlib.copy() if self._raw.position > self.start else zlib.decompressobj(_WBITS)

    def restore(self, kept: Any) -> None:
        """Goes back to before the bytes that are still to be taken."""
        self._zlib = kept


def _member(container: Container, raw: RawBytes, careful_bytes: int) -> Iterator[Piece | Gap]:
    """Yields the member that comes next; if it is broken, what can be inflated of it, and a gap."""
    inflater = _Inflater(raw, container)
    size = _extra_bytes(raw) + _FED_BYTES
    while not inflater.is_done:
        kept = inflater.kept()
        try:
            piece = inflater.inflate(size)
        except (EOFError, zlib.error) as error:
            inflater.restore(kept)
            yield from _broken_end(container, raw, inflater, size, error, careful_bytes)
            return
        if piece:
            yield piece
        size = _FED_BYTES


def _whole_member(container: Container, raw: RawBytes) -> Iterator[Piece]:
    """Yields the member that comes next; raises what `_Inflater.inflate` does if it is broken."""
    inflater = _Inflater(raw, container, looks_ahead=False)
    size = _extra_bytes(raw) + _FED_BYTES
    while not inflater.is_done:
        piece = inflater.inflate(size)
        if piece:
            yield piece
        size = _FED_BYTES


def _extra_bytes(raw: RawBytes) -> int:
    """Returns how much longer the head of a member is that announces an extra field, which may be made up of
    the members that follow: one bit of it may be wrong.
    """
    head = raw.peek(_EXTRA_FIELD)
    return int.from_bytes(head[_EXTRA_FIELD - 2 :], "little") if head[_FLAGS] & _HAS_EXTRA else 0


def _broken_end(
    container: Container,
    raw: RawBytes,
    inflater: _Inflater,
    size: int,
    error: Exception,
    careful_bytes: int,
) -> Iterator[Piece | Gap]:
    """Yields what a broken member still holds of the bytes that were fed last, and the gap behind that.

    Where a member was cut short within a file, the next one is taken for its rest until that breaks, or the
    file ends: what looks like a next one among the bytes that were fed last is believed.
    """
    skipped = 1 if raw.position == inflater.start else 0
    fed = len(raw.peek(size))
    following = find_member(raw, container, skipped, fed)
    end = raw.position + (following if following >= 0 else fed)
    yield from _careful_pieces(raw, inflater, end, careful_bytes)
    if _WRONG_SUM in str(error):  # all before it gives something
        yield from _careful_pieces(raw, inflater, end, 1)
    if raw.position == inflater.start:
        raw.take(1)
    skip_to_member(raw, container)
    if isinstance(error, EOFError) and following < 0:
        reason = f"cut off: the gzip member that starts at byte {inflater.start} has no end"
        yield Gap(inflater.given, raw.position, reason)
        return
    what = "it has no end" if isinstance(error, EOFError) else str(error)
    reason = f"damaged gzip member (it starts at byte {inflater.start}): {what}"
    yield Gap(inflater.given, raw.position, reason, breaks=inflater.given > inflater.start)


def _careful_pieces(raw: RawBytes, inflater: _Inflater, end: int, size: int) -> Iterator[Piece]:
    """Yields what can be inflated by so many bytes at once, up to a place or those that break."""
    while raw.position < end and not inflater.is_done:
        kept = inflater.kept()
        try:
            piece = inflater.inflate(min(size, end - raw.position), is_cut=True)
        except zlib.error:
            inflater.restore(kept)
            return
        if piece:
            yield piece


GZIP = gzip_members(opens_record)
