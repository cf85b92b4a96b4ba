"""Zstandard files: frames one after the other (RFC 8878), as `.warc.zst` has one for each record.

Frames are fed to the decoder block by block, since a block gives 128 KiB at most and a frame any amount. A
dictionary for all frames may stand in a skippable frame at the file's start, itself compressed or not
(https://iipc.github.io/warc-specifications/specifications/warc-zstd/).
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import zstandard

from anchormine.web.http.content_codings import ZSTD_SIGNATURE
from anchormine.web.records.pieces import Container, Gap, Piece, skip_to_member
from anchormine.web.records.raw_bytes import RawBytes
from anchormine.web.records.record_heads import opens_record

_MAGIC = b"\x28\xb5\x2f\xfd"
_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
_DICTIONARY_FRAME = b"\x5d\x2a\x4d\x18"
_MOST_DICTIONARY_BYTES = 1 << 26
_BLOCK_BYTES = 1 << 17
_MOST_WINDOW_BYTES = 1 << 27
_LONGEST_HEAD = 18
_SUM_BYTES = 4
_NAMES_DICTIONARY = 3  # of a frame's flags: how many bytes the name takes, 0 for none


class FrameHead(NamedTuple):
    """The head of a frame: its size in bytes, and whether a checksum of four bytes follows the blocks."""

    size: int
    has_checksum: bool


class BrokenFrame(Exception):
    """Bytes that are no whole frame."""


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
                zstandard.ZstdDecompressor(dict_data=dictionary)
                .decompressobj()
                .decompress(_first_block(head))
            )
        except _ERRORS:
            return False
        return opens_record(data)

    def frame(raw: RawBytes) -> Iterator[Piece | Gap]:
        return _frame(raw, zstandard.ZstdDecompressor(dict_data=dictionary), container)

    def blocks(raw: RawBytes) -> Iterator[Piece]:
        return _blocks(raw, zstandard.ZstdDecompressor(dict_data=dictionary).decompressobj())

    container = Container(
        name="zstd frame",
        signature=ZSTD_SIGNATURE,
        decode=frame,
        pieces=blocks,
        errors=_ERRORS,
        opens_record=opens,
        trial_bytes=2 * _BLOCK_BYTES,
        has_checksums=False,
    )
    return container


def dictionary_size(head: bytes) -> int:
    """Returns how many bytes at a file's start hold a dictionary, 0 if none do."""
    if not head.startswith(_DICTIONARY_FRAME) or len(head) < 8:
        return 0
    size = 8 + int.from_bytes(head[4:8], "little")
    return size if size <= _MOST_DICTIONARY_BYTES else 0


def lacks_dictionary(head: bytes) -> bool:
    """Tells whether a file starts with a frame that names a dictionary, which is to stand before it."""
    return head.startswith(_MAGIC) and bool(head[4:5]) and head[4] & _NAMES_DICTIONARY != 0


def has_long_window(head: bytes) -> bool:
    """Tells whether a file starts with a frame that takes more memory than decoders give by themselves."""
    try:
        return zstandard.get_frame_parameters(head).window_size > _MOST_WINDOW_BYTES
    except zstandard.ZstdError:
        return False


def _dictionary(first: bytes) -> zstandard.ZstdCompressionDict | None:
    data = first[8 : dictionary_size(first)]
    if data.startswith(_MAGIC):
        try:
            with zstandard.ZstdDecompressor().stream_reader(data) as reader:
                data = reader.read(_MOST_DICTIONARY_BYTES)
        except zstandard.ZstdError:
            return None  # then each frame that needs it is a gap
    return zstandard.ZstdCompressionDict(data) if data else None


def _frame(raw: RawBytes, decoder: zstandard.ZstdDecompressor, container: Container) -> Iterator[Piece | Gap]:
    start = raw.position
    try:
        if _SKIPPABLE.match(raw.peek(4)):
            yield _skippable(raw)
        else:
            yield from _blocks(raw, decoder.decompressobj())
    except _ERRORS as error:
        gap = raw.position
        raw.take(1 if gap == start else 0)
        skip_to_member(raw, container)
        is_cut = isinstance(error, EOFError) and not raw.peek(1)
        reason = (
            f"cut off: the zstd frame that starts at byte {start} has no end"
            if is_cut
            else f"damaged zstd frame (it starts at byte {start}): {error}"
        )
        yield Gap(gap, raw.position, reason, breaks=gap > start and not is_cut)


def _skippable(raw: RawBytes) -> Piece:
    start = raw.position
    size = 8 + int.from_bytes(_whole(raw, 8)[4:], "little")
    if size > _MOST_DICTIONARY_BYTES:
        raise BrokenFrame(f"a skippable frame of {size} bytes")
    _whole(raw, size)
    raw.take(size)
    return Piece(b"", start, raw.position, False)


def _blocks(raw: RawBytes, decoder: Any) -> Iterator[Piece]:
    start = begin = raw.position
    head = frame_head(raw.peek(_LONGEST_HEAD))
    size = head.size
    is_last = False
    while not is_last:
        is_last, block = block_size(_whole(raw, size + 3)[size:])
        size += 3 + block
        data = decoder.decompress(_whole(raw, size))
        has_sum = is_last and head.has_checksum
        error = _sum_error(raw, size, decoder) if has_sum else None
        raw.take(size + (_SUM_BYTES if has_sum and not error else 0))
        yield Piece(data, begin, raw.position, begin == start)
        if error:
            raise error
        begin, size = raw.position, 0


def _sum_error(raw: RawBytes, size: int, decoder: Any) -> Exception | None:
    """Returns what is wrong with the checksum behind a frame's last block, which costs none of the block.

    Args:
        raw: with the block next.
        size: of the block.
        decoder: was given the block.
    """
    try:
        decoder.decompress(_whole(raw, size + _SUM_BYTES)[size:])
    except (EOFError, zstandard.ZstdError) as error:
        return error
    return None


def _whole(raw: RawBytes, size: int) -> bytes:
    data = raw.peek(size)
    if len(data) < size:
        raise EOFError("the file ends within it")
    return data


def _first_block(head: bytes) -> bytes:
    """Returns a frame's head and first block, of which there may be less."""
    size = frame_head(head).size
    if len(head) < size + 3:
        raise BrokenFrame("no block in it")
    return head[: size + 3 + block_size(head[size : size + 3])[1]]


def frame_head(data: bytes) -> FrameHead:
    """Reads the head of a frame (RFC 8878, section 3.1.1.1).

    Raises:
        EOFError: fewer bytes than it takes.
        BrokenFrame: it is none.
    """
    if len(data) < 5:
        raise EOFError
    if not data.startswith(_MAGIC) or data[4] & 0x08:
        raise BrokenFrame("no head of a frame")
    flags = data[4]
    is_single = flags >> 5 & 1
    content_size = (is_single, 2, 4, 8)[flags >> 6]
    size = 5 + (1 - is_single) + (0, 1, 2, 4)[flags & _NAMES_DICTIONARY] + content_size
    if len(data) < size:
        raise EOFError
    return FrameHead(size, bool(flags & 0x04))


def block_size(head: bytes) -> tuple[bool, int]:
    """Reads the head of a block, three bytes (RFC 8878, section 3.1.1.2).

    Returns:
        Whether it is the frame's last, and how many bytes of it follow.

    Raises:
        BrokenFrame: it is none.
    """
    bits = int.from_bytes(head, "little")
    kind, size = bits >> 1 & 3, bits >> 3
    if kind == 3 or size > _BLOCK_BYTES:
        raise BrokenFrame("no head of a block")
    return bool(bits & 1), 1 if kind == 1 else size
