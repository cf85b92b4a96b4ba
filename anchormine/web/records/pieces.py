"""What a compressed file turns into: decoded pieces, and gaps where its bytes cannot be decoded."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from anchormine.web.records.raw_bytes import RawBytes
from anchormine.web.records.record_heads import HEAD_LINE_BYTES, record_format

JOINED = "records of another form or packing start here; give the files that were joined one by one"
PIECE_BYTES = 1 << 17  # of decoded bytes in one piece, at most
_PLAIN_BYTES = 1 << 16
_ZEROS_BYTES = 1 << 16
_SIGNATURE_BYTES = 4
AHEAD_BYTES = 1 << 20  # what is left of a broken member is rarely taken for compressed data for so long
_MIN_IN_VAIN = 1 << 12  # bytes that a trial costs at least


class Piece(NamedTuple):
    """Decoded bytes. The pieces and gaps of a file follow each other without space between them.

    Attributes:
        data: decoded; may be none.
        start: byte of the file where what they were decoded from starts.
        end: where that ends.
        opens: whether a gzip member or zstd frame starts with them.
        closes: whether a gzip member ends with them, and has shown to be whole.
    """

    data: bytes
    start: int
    end: int
    opens: bool
    closes: bool = False


class Gap(NamedTuple):
    """Bytes of a file that cannot be decoded, or, if there are none, a place where some are missing.

    Attributes:
        start: byte of the file where it starts.
        end: where it ends.
        reason: in words.
        breaks: whether a member breaks there, and what was decoded of it may be wrong.
    """

    start: int
    end: int
    reason: str
    breaks: bool = False


class Container(NamedTuple):
    """A compressed format of members, each of which is decoded by itself.

    Attributes:
        name: of a member, in words.
        signature: what a member starts with.
        decode: the pieces of the member that comes next. If it is broken, a gap is the last of them, and what
            comes next then is a signature or the file's end.
        pieces: the pieces of the member that comes next; where it is broken, raises one of `errors`.
        errors: what a broken member raises.
        opens_record: whether a member that starts with these bytes decodes to the head of a record.
        trial_bytes: how many bytes that takes, at most.
        has_checksums: whether every member has one of what it decodes to.
        spans: whether records may go on from member to member, as where a file was packed in pieces.
    """

    name: str
    signature: re.Pattern[bytes]
    decode: Callable[[RawBytes], Iterator[Piece | Gap]]
    pieces: Callable[[RawBytes], Iterator[Piece]]
    errors: tuple[type[Exception], ...]
    opens_record: Callable[[bytes], bool]
    trial_bytes: int
    has_checksums: bool
    spans: bool = True


def plain_pieces(raw: RawBytes) -> Iterator[Piece | Gap]:
    """Yields a file that is not compressed."""
    while data := raw.peek(_PLAIN_BYTES):
        start = raw.position
        raw.take(len(data))
        yield Piece(data, start, raw.position, start == 0)


def decoded_pieces(raw: RawBytes, container: Container) -> Iterator[Piece | Gap]:
    """Yields what the members of a file hold; where none starts, the next is sought."""
    while head := raw.peek(_SIGNATURE_BYTES):
        if container.signature.match(head):
            yield from container.decode(raw)
            continue
        start = raw.position
        if _skip_zeros(raw):  # padding, or the place of what a broken download did not bring
            yield Gap(start, raw.position, "zero bytes up to the file's end")
        else:
            is_plain = bool(record_format(raw.peek(HEAD_LINE_BYTES)))
            skip_to_member(raw, container)
            yield Gap(start, raw.position, JOINED if is_plain else f"no {container.name} starts here")


def skip_to_member(raw: RawBytes, container: Container) -> None:
    """Skips to the next member that holds the head of a record or is whole, or to the file's end."""
    size = 1 << 16 if container.trial_bytes < 1 << 15 else 2 * container.trial_bytes
    while window := raw.peek(size):
        searched = len(window) if len(window) < size else size - container.trial_bytes
        found = find_member(raw, container, 0, searched)
        raw.take(searched if found < 0 else found)
        if found >= 0:
            return


def find_member(raw: RawBytes, container: Container, first: int, end: int) -> int:
    """Returns how many bytes ahead the next member starts that holds the head of a record or is whole, or -1.

    Args:
        raw: stays where it is.
        container: the members' format.
        first: how many bytes ahead it may start at the least.
        end: how many at the most, not included.
    """
    searched = end + _SIGNATURE_BYTES - 1
    if not container.signature.search(raw.peek(searched), first):
        return -1  # before a copy of far more is made: the places may be many, and each of a few bytes
    window = raw.peek(end + container.trial_bytes)
    for match in container.signature.finditer(window, first, searched):
        at = match.start()
        if container.opens_record(window[at : at + container.trial_bytes]):
            return at
        if container.spans and _is_whole(raw, container, at):
            return at
    return -1


def _is_whole(raw: RawBytes, container: Container, at: int) -> bool:
    """Tells whether a whole member starts so many bytes ahead, as long as little was decoded in vain."""
    if raw.in_vain > raw.position + AHEAD_BYTES:
        return False
    with raw.looking_ahead():
        raw.take(at)
        start = raw.position
        is_whole = _ends_well(raw, container)
        taken = raw.position - start
    if not is_whole:
        raw.in_vain += max(taken, _MIN_IN_VAIN)
    return is_whole


def _ends_well(raw: RawBytes, container: Container) -> bool:
    """Tells whether the member that comes next decodes up to its end, and another follows or nothing does.

    What is in a broken member, or among others, may be compressed itself, but other things follow it.
    """
    start = raw.position
    try:
        for _ in container.pieces(raw):
            if raw.position - start > AHEAD_BYTES:
                return True
    except container.errors:
        return False
    return is_followed(raw, container)


def is_followed(raw: RawBytes, container: Container) -> bool:
    """Tells whether what comes next is what may follow a member: another, padding or the file's end."""
    behind = raw.peek(_SIGNATURE_BYTES)
    is_last = len(behind) < _SIGNATURE_BYTES or not any(behind)
    return is_last or container.signature.match(behind) is not None


def find_record(data: bytes, container: Container, end: int) -> int:
    """Returns where before `end` the first member starts that holds the head of a record, or -1."""
    for match in container.signature.finditer(data, 0, end):
        if container.opens_record(data[match.start() : match.start() + container.trial_bytes]):
            return match.start()
    return -1


def _skip_zeros(raw: RawBytes) -> bool:
    """Skips zero bytes. Returns whether they reach to the file's end."""
    while data := raw.peek(_ZEROS_BYTES):
        rest = data.lstrip(b"\0")
        raw.take(len(data) - len(rest))
        if rest:
            return False
    return True
