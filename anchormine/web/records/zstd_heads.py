"""The heads of Zstandard's frames and of the blocks in them (RFC 8878, section 3.1.1)."""

from typing import NamedTuple

MAGIC = b"\x28\xb5\x2f\xfd"
BLOCK_BYTES = 1 << 17
BLOCK_HEAD_BYTES = 3
SUM_BYTES = 4
LONGEST_HEAD = 18
NAMES_DICTIONARY = 3  # of a frame's flags: how many bytes the name takes, 0 for none
_RAW, _REPEATED, _RESERVED = 0, 1, 3  # kinds of blocks


class FrameHead(NamedTuple):
    """The head of a frame: its size in bytes, and whether a checksum of four bytes follows the blocks."""

    size: int
    has_checksum: bool


class BlockHead(NamedTuple):
    """The head of a block.

    Attributes:
        is_last: whether it is the frame's last.
        size: how many bytes of it follow.
        takes_any: whether these may be any bytes: not compressed, or one that is repeated.
    """

    is_last: bool
    size: int
    takes_any: bool


class BrokenFrame(Exception):
    """Bytes that are no whole frame."""


def frame_head(data: bytes) -> FrameHead:
    """Reads the head of a frame (RFC 8878, section 3.1.1.1).

    Raises:
        EOFError: fewer bytes than it takes.
        BrokenFrame: it is none.
    """
    if len(data) < 5:
        raise EOFError
    if not data.startswith(MAGIC) or data[4] & 0x08:
        raise BrokenFrame("no head of a frame")
    flags = data[4]
    is_single = flags >> 5 & 1
    content_size = (is_single, 2, 4, 8)[flags >> 6]
    size = 5 + (1 - is_single) + (0, 1, 2, 4)[flags & NAMES_DICTIONARY] + content_size
    if len(data) < size:
        raise EOFError
    return FrameHead(size, bool(flags & 0x04))


def block_head(head: bytes) -> BlockHead:
    """Reads the head of a block, three bytes (RFC 8878, section 3.1.1.2).

    Raises:
        BrokenFrame: it is none.
    """
    bits = int.from_bytes(head, "little")
    kind, size = bits >> 1 & 3, bits >> 3
    if kind == _RESERVED or size > BLOCK_BYTES:
        raise BrokenFrame("no head of a block")
    return BlockHead(bool(bits & 1), 1 if kind == _REPEATED else size, kind in (_RAW, _REPEATED))


def first_block(head: bytes) -> bytes:
    """Returns a frame's head and first block, of which there may be less."""
    size = frame_head(head).size
    start = size + BLOCK_HEAD_BYTES
    if len(head) < start:
        raise BrokenFrame("no block in it")
    return head[: start + block_head(head[size:start]).size]
