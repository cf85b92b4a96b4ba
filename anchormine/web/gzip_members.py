"""Gzip files: members one after the other (RFC 1952), as crawlers write one for each record, or one for all."""

import re
import zlib
from collections.abc import Iterator
from typing import Any

from anchormine.web.pieces import PIECE_BYTES, Container, Gap, Piece, find_record, skip_to_record
from anchormine.web.raw_bytes import RawBytes
from anchormine.web.record_heads import HEAD_LINE_BYTES, opens_record

_WBITS = 31  # a gzip wrapper, the largest window
_FED_BYTES = 1 << 14
_CAREFUL_BYTES = 64  # fed at once where the bytes are known to break


def _opens_record(head: bytes) -> bool:
    try:
        data = zlib.decompressobj(_WBITS).decompress(head, HEAD_LINE_BYTES)
    except zlib.error:
        return False
    return opens_record(data)


def _member(raw: RawBytes) -> Iterator[Piece | Gap]:
    """Yields the member that comes next; if it is broken, what can be decoded of it, and a gap."""
    start = raw.position
    inflater = spare = zlib.decompressobj(_WBITS)
    while not inflater.eof:
        fed = raw.peek(_FED_BYTES)
        if not fed:
            yield Gap(raw.position, raw.position, f"cut off: the gzip member that starts at byte {start} has no end")
            return
        # To go back to where the bytes break, or to the start, which needs no copy.
        spare = inflater.copy() if raw.position > start else zlib.decompressobj(_WBITS)
        try:
            data = inflater.decompress(fed, PIECE_BYTES)
        except zlib.error as error:
            reason = f"damaged gzip member (it starts at byte {start}): {error}"
            yield from _broken_end(raw, spare, start, reason)
            return
        yield _piece(raw, inflater, fed, data, start)


def _piece(raw: RawBytes, inflater: Any, fed: bytes, data: bytes, member: int) -> Piece:
    begin = raw.position
    # At its end the inflater gives what is left as unused, and at times as unconsumed too.
    raw.take(len(fed) - len(inflater.unused_data if inflater.eof else inflater.unconsumed_tail))
    return Piece(data, begin, raw.position, begin == member)


def _broken_end(raw: RawBytes, inflater: Any, member: int, reason: str) -> Iterator[Piece | Gap]:
    """Yields what a broken member still holds, and the gap behind that.

    Where a member was cut short in the middle of a file, the next one may be taken for its rest for a while:
    what looks like a next one among the bytes that broke is believed.
    """
    fed = raw.peek(_FED_BYTES)
    skipped = raw.position == member
    following = find_record(raw.peek(2 * _FED_BYTES)[skipped:], GZIP, len(fed) - skipped)
    end = raw.position + (following + skipped if following >= 0 else len(fed))
    try:
        while raw.position < end:
            fed = raw.peek(min(_CAREFUL_BYTES, end - raw.position))
            data = inflater.decompress(fed, PIECE_BYTES)
            yield _piece(raw, inflater, fed, data, member)
    except zlib.error:
        pass
    gap = raw.position
    if gap == member:
        raw.take(1)
    skip_to_record(raw, GZIP)
    yield Gap(gap, raw.position, reason, breaks=gap > member)


GZIP = Container("gzip member", re.compile(rb"\x1f\x8b\x08[\x00-\x1f]"), _member, _opens_record, 1 << 12)
