"""Zstandard files: frames one after the other (RFC 8878), as `.warc.zst` has one for each record.

Frames are fed to the decoder block by block, since a block gives 128 KiB at most and a frame any amount. A
dictionary for all frames may stand in a skippable frame at the file's start, itself compressed or not
(https://iipc.github.io/warc-specifications/specifications/warc-zstd/).
"""

import re
from collections.abc import Iterator
from typing import Any

import zstandard

from anchormine.web.http.content_codings import ZSTD_SIGNATURE
from anchormine.web.records.frame_ends import FrameEnds
from anchormine.web.records.pieces import Container, Gap, Piece, find_member, skip_to_member
from anchormine.web.records.raw_bytes import RawBytes
from anchormine.web.records.record_heads import opens_record
from anchormine.web.records.zstd_heads import (
    BLOCK_BYTES,
    BLOCK_HEAD_BYTES,
    LONGEST_HEAD,
    MAGIC,
    NAMES_DICTIONARY,
    SUM_BYTES,
    BrokenFrame,
    block_head,
    first_block,
    frame_head,
)

_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
_DICTIONARY_FRAME = b"\x5d\x2a\x4d\x18"
_MAX_DICTIONARY_BYTES = 1 << 26
_MAX_WINDOW_BYTES = 1 << 27


_ERRORS = (BrokenFrame, EOFError, zstandard.ZstdError)


def zstd_frames(first: bytes) -> Container:
    """Returns the format of a file that starts with these bytes: its frames may need the dictionary there.

    Args:
        first: as many as `dictionary_size` says, or more.
    """
    dictionary = _dictionary(first)

    def opens(head: bytes) -> bool:
        try:
            data = (
                zstandard.ZstdDecompressor(dict_data=dictionary).decompressobj().decompress(first_block(head))
            )
        except _ERRORS:
            return False
        return opens_record(data)

    def frame(raw: RawBytes) -> Iterator[Piece | Gap]:
        return _frame(raw, zstandard.ZstdDecompressor(dict_data=dictionary), ends)

    def blocks(raw: RawBytes) -> Iterator[Piece]:
        return _blocks(raw, zstandard.ZstdDecompressor(dict_data=dictionary).decompressobj())

    container = Container(
        name="zstd frame",
        signature=ZSTD_SIGNATURE,
        decode=frame,
        pieces=blocks,
        errors=_ERRORS,
        opens_record=opens,
        trial_bytes=2 * BLOCK_BYTES,
        has_checksums=False,
    )
    ends = FrameEnds(container)
    return container


def dictionary_size(head: bytes) -> int:
    """Returns how many bytes at a file's start hold a dictionary, 0 if none do."""
    if not head.startswith(_DICTIONARY_FRAME) or len(head) < 8:
        return 0
    size = 8 + int.from_bytes(head[4:8], "little")
    return size if size <= _MAX_DICTIONARY_BYTES else 0


def lacks_dictionary(head: bytes) -> bool:
    """Tells whether a file starts with a frame that names a dictionary, which is to stand before it."""
    return head.startswith(MAGIC) and bool(head[4:5]) and head[4] & NAMES_DICTIONARY != 0


def has_broken_dictionary(head: bytes) -> bool:
    """Tells whether a file starts with a dictionary that is broken: nothing behind it can be read."""
    return 0 < dictionary_size(head) <= len(head) and _dictionary(head) is None


def has_long_window(head: bytes) -> bool:
    """Tells whether a file starts with a frame that takes more memory than decoders give by themselves."""
    try:
        return zstandard.get_frame_parameters(head).window_size > _MAX_WINDOW_BYTES
    except zstandard.ZstdError:
        return False


def _dictionary(first: bytes) -> zstandard.ZstdCompressionDict | None:
    """Returns the dictionary of a file; None if it has none, or a broken one: then each frame is a gap."""
    data = first[8 : dictionary_size(first)]
    try:
        if data.startswith(MAGIC):
            with zstandard.ZstdDecompressor().stream_reader(data) as reader:
                data = reader.read(_MAX_DICTIONARY_BYTES)
        dictionary = zstandard.ZstdCompressionDict(data) if data else None
        zstandard.ZstdDecompressor(dict_data=dictionary)  # which is where it is read
    except zstandard.ZstdError:
        return None
    return dictionary


def _frame(raw: RawBytes, decoder: zstandard.ZstdDecompressor, ends: FrameEnds) -> Iterator[Piece | Gap]:
    start = raw.position
    try:
        if _SKIPPABLE.match(raw.peek(4)):
            yield _skippable(raw)
        else:
            yield from _blocks(raw, decoder.decompressobj(), ends)
    except _ERRORS as error:
        gap = raw.position
        raw.take(1 if gap == start else 0)
        skip_to_member(raw, ends.container)
        is_cut = isinstance(error, EOFError) and not raw.peek(1)
        reason = (
            f"cut off: the zstd frame that starts at byte {start} has no end"
            if is_cut
            else f"damaged zstd frame (it starts at byte {start}): {error}"
        )
        yield Gap(gap, raw.position, reason, breaks=gap > start and not is_cut)


def _skippable(raw: RawBytes) -> Piece:
    start = raw.position
    size = 8 + int.from_bytes(raw.whole(8)[4:], "little")
    if size > _MAX_DICTIONARY_BYTES:
        raise BrokenFrame(f"a skippable frame of {size} bytes")
    raw.whole(size)
    raw.take(size)
    return Piece(b"", start, raw.position, False)


def _blocks(raw: RawBytes, decoder: Any, ends: FrameEnds | None = None) -> Iterator[Piece]:
    """Yields the frame that comes next block by block; raises one of `_ERRORS` where it is broken.

    Args:
        raw: with the frame next.
        decoder: a new one.
        ends: of the file's frames, if others are looked for in this one.
    """
    start = begin = sound = raw.position
    head = frame_head(raw.peek(LONGEST_HEAD))
    size = head.size
    is_last = breaks = False
    while not is_last:
        block = block_head(raw.whole(size + BLOCK_HEAD_BYTES)[size:])
        is_last = block.is_last
        first = size + BLOCK_HEAD_BYTES
        size = first + block.size
        if ends and block.takes_any and raw.position + size > sound:
            sound = 0 if breaks else ends.sound_end(raw, head, block, size)
            breaks = not sound  # so it does behind each block that follows
            found = -1 if sound else find_member(raw, ends.container, 1 if begin == start else 0, size)
            if found >= 0:
                yield from _raw_piece(raw, first, found, begin == start)
                raise BrokenFrame("it has no end")
        data = decoder.decompress(raw.whole(size))
        has_sum = is_last and head.has_checksum
        error = _sum_error(raw, size, decoder) if has_sum else None
        raw.take(size + (SUM_BYTES if has_sum and not error else 0))
        yield Piece(data, begin, raw.position, begin == start)
        if error:
            raise error
        begin, size = raw.position, 0


def _raw_piece(raw: RawBytes, first: int, end: int, opens: bool) -> Iterator[Piece]:
    """Yields what stands between two places of a raw block, if anything does."""
    if first < end:
        start, data = raw.position, raw.peek(end)[first:]
        raw.take(end)
        yield Piece(data, start, raw.position, opens)


def _sum_error(raw: RawBytes, size: int, decoder: Any) -> Exception | None:
    """Returns what is wrong with the checksum behind a frame's last block, which costs none of the block.

    Args:
        raw: with the block next.
        size: of the block.
        decoder: was given the block.
    """
    try:
        decoder.decompress(raw.whole(size + SUM_BYTES)[size:])
    except (EOFError, zstandard.ZstdError) as error:
        return error
    return None
