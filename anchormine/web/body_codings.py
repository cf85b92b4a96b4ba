"""The codings in which HTTP bodies are sent, undone: chunked (RFC 9112, 7.1), gzip, deflate, brotli and zstd.

Headers are not to be trusted: crawlers store bodies decoded under the headers of encoded ones, servers encode
twice or announce what they do not do. What a body starts with decides where that can be told; else what the
headers say is tried, and then the others.
"""

import re
import zlib
from collections.abc import Callable
from typing import NamedTuple

import brotli
import zstandard

from anchormine.web.http_messages import codings

_GZIP = b"\x1f\x8b\x08"
_ZSTD = re.compile(
    rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"
)  # a frame, or one to be skipped (RFC 8878, 3.1)
_MOST_LAYERS = 4  # of codings, announced or not
_CHUNK_SIZE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\n]{0,4096})?\r?\n")
_CHUNK_END = re.compile(rb"\r?\n")
_PLAIN_BYTES = 64
_TEXT_BYTES = 256
_FED_BYTES = 256
_PLAIN = bytes(range(0x20, 0x7F)) + b"\t\r\n"
_NO_TEXT = re.compile(rb"(?!\xff\xfe|\xfe\xff)[^\0-\x08\x0e-\x1a\x1c-\x1f]*[\0-\x08\x0e-\x1a\x1c-\x1f]")
_HTML = frozenset(("", "text/html", "application/xhtml+xml"))


class Body(NamedTuple):
    """A body without its codings, and what is wrong with it: "" or a word of `CrawlRecord.problem`."""

    data: bytes
    problem: str


class _Limit(Exception):
    """More bytes than are wanted."""


class _Broken(Exception):
    """Data that ends or breaks within a coding; its argument is what could be decoded."""


class _Undecodable(Exception):
    """Data that is neither text nor in a coding that is known."""


def decode_body(data: bytes, headers: list[tuple[str, str]], media_type: str, most_bytes: int) -> Body:
    """Undoes the codings of a body.

    Args:
        data: the body as it was sent.
        headers: of the message.
        media_type: of the payload; an HTML page that is gzipped is so by mistake.
        most_bytes: of what comes out, and of what stands between two codings.
    """
    transfer, content = codings(headers)
    body = join_chunks(data) if "chunked" in transfer else Body(data, "")
    announced = [name for name in (*content, *transfer) if name in _DECODERS]
    try:
        for name in reversed(announced[-_MOST_LAYERS:]):
            body = _undo(body, name, most_bytes)
        if media_type in _HTML:
            body = _undo_unannounced(body, announced, most_bytes)
    except _Limit:
        return Body(b"", "too_large")
    except _Undecodable:
        return Body(data, "content_coding")
    return body if len(body.data) <= most_bytes else Body(b"", "too_large")


def _undo_unannounced(body: Body, announced: list[str], most_bytes: int) -> Body:
    """Undoes what is coded once more than it says: a page is text."""
    for _ in range(_MOST_LAYERS):
        if _is_plain(body.data):
            break
        names = [*_signed(body.data), *({"br"} & set(announced))]
        found = next(filter(None, (_decoded(body.data, name, most_bytes) for name in names)), None)
        if found is None:
            break
        body = Body(found, body.problem)
    return body


def _undo(body: Body, name: str, most_bytes: int) -> Body:
    """Undoes a coding.

    Raises:
        _Undecodable: nothing comes out, and what is there is no text.
        _Limit: too much comes out.
    """
    data = body.data
    if not data:
        return body
    signed = _signed(data)
    first = signed[0] if signed and not (name == "br" and signed == ["deflate"]) else name
    try:
        return body._replace(data=_DECODERS[first](data, most_bytes))
    except _Broken as broken:
        part = broken.args[0]
    for other in (*signed, "br"):  # what says something else than it is
        if other != first and (found := _decoded(data, other, most_bytes)):
            return body._replace(data=found)
    if _is_text(data):  # it was undone before
        return body
    # Of data that is in no coding a few bytes may come out, too.
    if not _is_text(part) or (len(part) < _PLAIN_BYTES and not _is_markup(part)):
        raise _Undecodable
    return Body(part, body.problem or "truncated")


def _decoded(data: bytes, name: str, most_bytes: int) -> bytes | None:
    """Returns what data gives in a coding that it may have, if that is whole, and text or coded again."""
    try:
        found = _DECODERS[name](data, most_bytes)
    except _Broken:
        return None
    return found if _signed(found) or _is_text(found) else None


def _signed(data: bytes) -> list[str]:
    """Returns the coding that data starts as; brotli has no signature, and zlib's is short."""
    if data.startswith(_GZIP):
        return ["gzip"]
    if _ZSTD.match(data):
        return ["zstd"]
    return ["deflate"] if _has_zlib_head(data) and not _is_plain(data) else []


def _is_text(data: bytes) -> bool:
    """Tells whether data may be text in any charset, but for UTF-16 that does not say so."""
    return _is_plain(data) or not _NO_TEXT.match(data, 0, _TEXT_BYTES)


def _is_plain(data: bytes) -> bool:
    """Tells whether data starts as markup or other text does, and no compressed data."""
    return not data[:_PLAIN_BYTES].strip(_PLAIN) or _is_markup(data)


def _is_markup(data: bytes) -> bool:
    return data[:_PLAIN_BYTES].lstrip(b"\xef\xbb\xbf\t\r\n ").startswith(b"<")


def join_chunks(data: bytes) -> Body:
    """Joins the chunks of a body. One that has none at its start was joined before: that is no problem.

    From where chunks go wrong the rest is taken as it is.
    """
    parts: list[bytes] = []
    at = 0
    while at < len(data):
        size = _CHUNK_SIZE.match(data, at)
        if not size:
            return Body(b"".join((*parts, data[at:])), "transfer_coding" if parts else "")
        length = int(size[1], 16)
        if not length:
            return Body(b"".join(parts), "")
        at, end = size.end(), size.end() + length
        parts.append(data[at:end])
        terminator = _CHUNK_END.match(data, end)
        at = terminator.end() if terminator else end
    return Body(b"".join(parts), "transfer_coding" if parts else "")


def _inflate(data: bytes, most_bytes: int, wbits: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    try:
        while data:
            inflater = zlib.decompressobj(wbits)
            part = inflater.decompress(data, most_bytes - size + 1)
            parts.append(part)
            size += len(part)
            if size > most_bytes:
                raise _Limit
            if not inflater.eof:
                raise _Broken(b"".join(parts))
            data = inflater.unused_data
            if not data.startswith(_GZIP):
                break  # padding, or what else stands behind
    except zlib.error:
        raise _Broken(b"".join(parts) + _salvaged(data, most_bytes - size, wbits)) from None
    return b"".join(parts)


def _salvaged(data: bytes, most_bytes: int, wbits: int) -> bytes:
    """Returns what can be inflated of broken data: all of it where only the checksum at its end is wrong."""
    inflater = zlib.decompressobj(wbits)
    parts: list[bytes] = []
    size = at = 0
    fed = _FED_BYTES
    while at < len(data):
        before = inflater.copy()
        try:
            parts.append(inflater.decompress(data[at : at + fed], most_bytes - size + 1))
        except zlib.error:
            if fed == 1:
                break
            inflater, fed = before, 1  # what fails gives nothing, not even what was right in it
            continue
        at += fed
        size += len(parts[-1])
        if size > most_bytes:
            raise _Limit
    return b"".join(parts)


def _gzip(data: bytes, most_bytes: int) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return _deflate(data, most_bytes)
    return _inflate(data, most_bytes, 31)


def _deflate(data: bytes, most_bytes: int) -> bytes:
    """Inflates what is said to be deflated: with zlib's head (RFC 9110, 8.4.1.2), without, or with gzip's."""
    if data.startswith(b"\x1f\x8b"):
        return _inflate(data, most_bytes, 31)
    if _has_zlib_head(data):
        return _inflate(data, most_bytes, 15)
    if _is_plain(data):
        raise _Broken(b"")
    return _inflate(data, most_bytes, -15)


def _has_zlib_head(data: bytes) -> bool:
    return len(data) > 1 and data[0] & 0x0F == 8 and (data[0] << 8 | data[1]) % 31 == 0


def _brotli(data: bytes, most_bytes: int) -> bytes:
    if _is_plain(data):
        raise _Broken(b"")  # brotli has no signature, and would make something of it
    decoder = brotli.Decompressor()
    parts: list[bytes] = []
    size = 0
    try:
        while not decoder.is_finished():
            parts.append(decoder.process(data, output_buffer_limit=max(1 << 16, most_bytes - size + 1)))
            size += len(parts[-1])
            if size > most_bytes:
                raise _Limit
            if not data and not parts[-1]:
                break
            data = b""
    except brotli.error:
        raise _Broken(b"".join(parts)) from None
    if not decoder.is_finished():
        raise _Broken(b"".join(parts))
    return b"".join(parts)


def _zstd(data: bytes, most_bytes: int) -> bytes:
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
            if size > most_bytes:
                raise _Limit
            if decoder.eof:
                at -= len(decoder.unused_data)
                if not _ZSTD.match(data, at):
                    return b"".join(parts)
                decoder = zstandard.ZstdDecompressor().decompressobj()
    except zstandard.ZstdError:
        pass
    raise _Broken(b"".join(parts))


def _unknown(data: bytes, most_bytes: int) -> bytes:
    raise _Broken(b"")


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    **dict.fromkeys(("compress", "x-compress", "sdch", "dcb", "dcz"), _unknown),
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
