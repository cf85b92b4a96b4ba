"""The content codings of HTTP (RFC 9110, 8.4.1) one by one: gzip, deflate, brotli and zstd."""

import re
import zlib
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import brotli
import zstandard

ZSTD_SIGNATURE = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")  # of a frame, or one to skip
_GZIP = b"\x1f\x8b\x08"
_FED_BYTES = 256


class TooLong(Exception):
    """More bytes come out than are wanted."""


class BrokenData(Exception):
    """Data that ends or breaks within a coding; its argument is what could be decoded."""


def signed_coding(data: bytes) -> str | None:
    """Returns the coding whose signature data starts with; brotli has none, and zlib's is short."""
    if data.startswith(_GZIP):
        return "gzip"
    if ZSTD_SIGNATURE.match(data):
        return "zstd"
    return "deflate" if _has_zlib_head(data) else None


def _inflate(data: bytes, max_bytes: int, wbits: int) -> bytes:
    """Returns what the members of gzip, or the one of deflate, give together."""
    members: list[bytes] = []
    size = at = 0
    while at < len(data):
        try:
            member, end = _member(data, at, max_bytes - size, wbits)
        except zlib.error:
            raise BrokenData(b"".join(members) + _salvaged(data[at:], max_bytes - size, wbits)) from None
        members.append(member)
        if end is None:
            raise BrokenData(b"".join(members))
        size += len(member)
        at = end
        if not data.startswith(_GZIP, at):
            break  # padding, or what else stands behind
    return b"".join(members)


def _member(data: bytes, start: int, max_bytes: int, wbits: int) -> tuple[bytes, int | None]:
    """Returns what one member gives, and where it ends; None if the data ends before."""
    inflater = zlib.decompressobj(wbits)
    parts: list[bytes] = []
    size, at = 0, start
    while at < len(data) and not inflater.eof:
        # What is fed behind a member is copied: behind a short one, it must not be all the rest.
        fed = data[at : at + max(_FED_BYTES, at - start)]
        parts.append(inflater.decompress(fed, max_bytes - size + 1))
        size += len(parts[-1])
        if size > max_bytes:
            raise TooLong
        at += len(fed) - len(inflater.unused_data)
    return b"".join(parts), at if inflater.eof else None


def _salvaged(data: bytes, max_bytes: int, wbits: int) -> bytes:
    """Returns what can be inflated of broken data: all of it where only the checksum at its end is wrong."""
    inflater = zlib.decompressobj(wbits)
    parts: list[bytes] = []
    size = at = 0
    fed = _FED_BYTES
    while at < len(data):
        before = inflater.copy()
        try:
            parts.append(inflater.decompress(data[at : at + fed], max_bytes - size + 1))
        except zlib.error:
            if fed == 1:
                break
            inflater, fed = before, 1  # what fails gives nothing, not even what was right in it
            continue
        at += fed
        size += len(parts[-1])
        if size > max_bytes:
            raise TooLong
    return b"".join(parts)


def _deflate(data: bytes, max_bytes: int) -> bytes:
    """Inflates with gzip's head, with zlib's (RFC 9110, 8.4.1.2) or without: what is announced is not to be
    trusted.

    Without a head any bytes may be a stream that ends soon, those of brotli are often: it is to take most of
    them.
    """
    if data.startswith(_GZIP[:2]):
        return _inflate(data, max_bytes, 31)
    if _has_zlib_head(data):
        return _inflate(data, max_bytes, 15)
    try:
        found, end = _member(data, 0, max_bytes, -15)
    except zlib.error:
        raise BrokenData(_salvaged(data, max_bytes, -15)) from None
    if end is None or 2 * end < len(data):
        raise BrokenData(found)
    return found


def _has_zlib_head(data: bytes) -> bool:
    return len(data) > 1 and data[0] & 0x0F == 8 and (data[0] << 8 | data[1]) % 31 == 0


def _brotli(data: bytes, max_bytes: int) -> bytes:
    """Returns what brotli gives; what stands behind its end is no matter."""
    found = _fed_brotli(data, _cuts(0, len(data), _FED_BYTES), max_bytes)
    if found.failed is not None:  # what fails gives nothing, not even what was right in it
        start, end = found.failed, min(len(data), found.failed + _FED_BYTES)
        found = _fed_brotli(data, [*range(0, start, _FED_BYTES), *_cuts(start, end, 1)], max_bytes)
    if not found.is_whole:
        raise BrokenData(found.data)
    return found.data


class _Fed(NamedTuple):
    """What pieces of brotli give together, where the one starts that fails, and whether it has ended."""

    data: bytes
    failed: int | None
    is_whole: bool


def _cuts(start: int, end: int, size: int) -> list[int]:
    return [*range(start, end, size), end]


def _fed_brotli(data: bytes, cuts: list[int], max_bytes: int) -> _Fed:
    """Decodes brotli piece by piece, each from one of `cuts` to the next."""
    decoder = brotli.Decompressor()
    parts: list[bytes] = []
    size = 0
    for start, end in pairwise(cuts):
        fed = data[start:end]
        try:
            while not decoder.is_finished():
                parts.append(decoder.process(fed, output_buffer_limit=max(1 << 16, max_bytes - size + 1)))
                size += len(parts[-1])
                if size > max_bytes:
                    raise TooLong
                if not fed and not parts[-1]:
                    break
                fed = b""
        except brotli.error:
            return _Fed(b"".join(parts), start, False)
        if decoder.is_finished():
            break
    return _Fed(b"".join(parts), None, decoder.is_finished())


def _zstd(data: bytes, max_bytes: int) -> bytes:
    """Returns what the frames give together (RFC 8878, 3); what stands behind them is no matter."""
    parts: list[bytes] = []
    size = at = 0
    decoder = zstandard.ZstdDecompressor().decompressobj()
    try:
        while at < len(data):
            fed = data[at : at + _FED_BYTES]  # a block of four bytes gives up to 128 KiB
            at += len(fed)
            parts.append(decoder.decompress(fed))
            size += len(parts[-1])
            if size > max_bytes:
                raise TooLong
            if decoder.eof:
                at -= len(decoder.unused_data)
                if not ZSTD_SIGNATURE.match(data, at):
                    return b"".join(parts)
                decoder = zstandard.ZstdDecompressor().decompressobj()
    except zstandard.ZstdError:
        pass
    raise BrokenData(b"".join(parts))


def _unknown(data: bytes, max_bytes: int) -> bytes:
    raise BrokenData(b"")


# What undoes each coding: takes data and the most bytes that are wanted; raises `TooLong` or `BrokenData`.
DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    **dict.fromkeys(("compress", "x-compress", "sdch", "dcb", "dcz"), _unknown),
    **dict.fromkeys(("gzip", "x-gzip", "deflate"), _deflate),
    "br": _brotli,
    "zstd": _zstd,
}
