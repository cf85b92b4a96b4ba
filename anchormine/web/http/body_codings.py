"""The codings in which HTTP bodies are sent, undone: chunks (RFC 9112, 7.1) and those of `content_codings`.

Headers are not to be trusted: crawlers store bodies decoded under the headers of encoded ones, servers encode
twice or announce what they do not do. What a body starts with decides where that can be told; else what the
headers say is tried, and then the others.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from anchormine.web.http.content_codings import DECODERS, BrokenData, TooLong, signed_coding
from anchormine.web.http.http_messages import codings
from anchormine.web.http.media_types import HTML_TYPES, is_markup, is_plain

_MAX_LAYERS = 4  # of codings, announced or not
_CHUNK_SIZE = re.compile(rb"[ \t]*0{0,64}([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\n]{0,4096})?\r{0,2}\n")
_CUT_CHUNK_SIZE = re.compile(rb"[ \t]*(?:[0-9A-Fa-f]{1,79}[ \t]*)?(?:;[^\n]{0,4096})?\r{0,2}")
# With the trailer fields behind it, whose names have no ";": else each of many such lines may be among them.
_LAST_CHUNK = re.compile(
    rb"\n[ \t]*0{1,64}[ \t]*(?:;[^\n]{0,4096})?\r{0,2}\n(?:[!-9<-~]+:[^\n]*\n)*\r{0,2}\n?\Z"
)
_CHUNK_END = re.compile(rb"\r{0,2}\n")
_MIN_PART_BYTES = 64
_TEXT_BYTES = 256
_NO_TEXT = re.compile(rb"(?!\xff\xfe|\xfe\xff)[^\0-\x08\x0e-\x1a\x1c-\x1f]*[\0-\x08\x0e-\x1a\x1c-\x1f]")
_HTML = HTML_TYPES | {""}


class Body(NamedTuple):
    """A body without its codings, and what is wrong with it: "" or a word of `CrawlRecord.problem`."""

    data: bytes
    problem: str


class _Undecodable(Exception):
    """Data that is neither text nor in a coding that is known."""


def decode_body(data: bytes, headers: list[tuple[str, str]], media_type: str, max_bytes: int) -> Body:
    """Undoes the codings of a body.

    Args:
        data: the body as it was sent.
        headers: of the message.
        media_type: of the payload; an HTML page that is gzipped is so by mistake.
        max_bytes: of what comes out, and of what stands between two codings.
    """
    transfer, content = codings(headers)
    body = Body(data, "")
    for _ in range(min(_MAX_LAYERS, transfer.count("chunked"))):
        joined = join_chunks(body.data)
        body = Body(joined.data, body.problem or joined.problem)
    is_html = media_type in _HTML
    announced = [name for name in (*content, *transfer) if name in DECODERS]
    try:
        for name in reversed(announced[-_MAX_LAYERS:]):
            body = _undo(_joined_unannounced(body) if is_html else body, name, max_bytes)
        if is_html:
            body = _undo_unannounced(body, announced, max_bytes)
    except TooLong:
        return Body(b"", "too_large")
    except _Undecodable:
        return Body(data, "content_coding")
    return body if len(body.data) <= max_bytes else Body(b"", "too_large")


def _undo_unannounced(body: Body, announced: list[str], max_bytes: int) -> Body:
    """Undoes what is coded once more than it says: a page is text."""
    for _ in range(_MAX_LAYERS):
        body = _joined_unannounced(body)
        if is_plain(body.data):
            break
        may_be_brotli = "br" in announced or not _is_text(body.data)
        signed = signed_coding(body.data)
        found = _first_decoded(body.data, [signed, "br" if may_be_brotli else None], max_bytes)
        if found is not None:
            body = body._replace(data=found)
            continue
        part = _part_of(body.data, signed, max_bytes) if signed and may_be_brotli else b""
        return Body(part, body.problem or "truncated") if _is_page_part(part) else body
    return body


def _part_of(data: bytes, name: str, max_bytes: int) -> bytes:
    """Returns what can be decoded of data that is cut off or breaks within a coding."""
    try:
        return DECODERS[name](data, max_bytes)
    except BrokenData as broken:
        return bytes(broken.args[0])


def _is_page_part(part: bytes) -> bool:
    """Tells whether what came out of broken data is of a page: of any data a few bytes may come out."""
    return bool(part) and _is_text(part) and (len(part) >= _MIN_PART_BYTES or is_markup(part))


def _undo(body: Body, name: str, max_bytes: int) -> Body:
    """Undoes a coding.

    Raises:
        _Undecodable: nothing comes out, and what is there is no text.
        TooLong: too much comes out.
    """
    data = body.data
    if is_plain(data):  # it was undone before, and some decoder would make something of it
        return body
    signed = signed_coding(data)
    first = signed if signed and not (name == "br" and signed == "deflate") else name
    try:
        return body._replace(data=DECODERS[first](data, max_bytes))
    except BrokenData as broken:
        part = broken.args[0]
    others = [other for other in (signed, "br") if other != first]  # it says something else than it is
    if found := _first_decoded(data, others, max_bytes):
        return body._replace(data=found)
    if _is_text(data):
        return body
    if not _is_page_part(part):
        raise _Undecodable
    return Body(part, body.problem or "truncated")


def _first_decoded(data: bytes, names: Sequence[str | None], max_bytes: int) -> bytes | None:
    """Returns what data gives in the first coding in which it is whole, and text or coded again."""
    for name in filter(None, names):
        try:
            found = DECODERS[name](data, max_bytes)
        except BrokenData:
            continue
        if not found and name == "br":
            continue  # a byte that many pages may begin with is a whole stream of nothing
        if signed_coding(found) or _is_text(found):
            return found
    return None


def _is_text(data: bytes) -> bool:
    """Tells whether data may be text in any charset, but for UTF-16 that does not say so."""
    return is_plain(data) or not _NO_TEXT.match(data, 0, _TEXT_BYTES)


def _joined_unannounced(body: Body) -> Body:
    """Joins chunks that the head does not tell of, where all is chunks: a page may begin with a number."""
    for _ in range(_MAX_LAYERS):
        if not _CHUNK_SIZE.match(body.data) or not _LAST_CHUNK.search(body.data):
            break
        joined = join_chunks(body.data)
        if not joined.data or joined.problem:
            break
        body = joined._replace(problem=body.problem)
    return body


def join_chunks(data: bytes) -> Body:
    """Joins the chunks of a body. One that has none at its start was joined before: that is no problem.

    From where chunks go wrong the rest is taken as it is, but for the size of one that is cut off within it.
    """
    parts: list[bytes] = []
    at = 0
    while at < len(data):
        size = _CHUNK_SIZE.match(data, at)
        if not size:
            rest = b"" if parts and _CUT_CHUNK_SIZE.fullmatch(data, at) else data[at:]
            return Body(b"".join((*parts, rest)), "transfer_coding" if parts else "")
        length = int(size[1], 16)
        if not length:
            return Body(b"".join(parts), "")
        at, end = size.end(), size.end() + length
        parts.append(data[at:end])
        terminator = _CHUNK_END.match(data, end)
        at = terminator.end() if terminator else end
    return Body(b"".join(parts), "transfer_coding" if parts else "")
