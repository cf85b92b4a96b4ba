"""HTTP messages as crawl files hold them: the status line, the fields and the body.

Status lines of HTTP/2 and later ("HTTP/2 200"), which crawlers make up, and ones without a reason are read
too.
"""

import re
from typing import NamedTuple

from anchormine.web.http.head_fields import parse_fields

_MAX_HEAD_BYTES = 1 << 18  # with more, browsers take none
_FIRST = b"HTTP/1"
_STATUS_LINE = re.compile(rb"\s{0,8}(?=HTTP/\d)", re.IGNORECASE)
# A head whose status line is wrong or missing: fields up to a blank line, of which one is sure to be HTTP's,
# or which follow a line with a status code.
_BROKEN_HEAD = re.compile(
    rb"\s{0,8}(?P<line>[^<>\n:]{1,200}\n)?"
    rb"(?P<fields>(?:(?:[A-Za-z][\w-]{0,60}[ \t]*:|[ \t])[^\n]{0,8000}\n){1,200})\r{0,2}\n"
)
_SURE_FIELD = re.compile(
    rb"^(?:content-(?:type|length|encoding)|server|transfer-encoding|connection|set-cookie|cache-control|"
    rb"last-modified|etag|accept-ranges|x-powered-by)[ \t]*:",
    re.IGNORECASE | re.MULTILINE,
)
_STATUS_CODE = re.compile(rb"(?<!\d)[1-5]\d\d(?!\d)")
_BLANK_LINE = re.compile(rb"\n[ \t]*\r{0,2}(?:\n|\Z)")
_OF_CONTENT = frozenset(("content-type", "content-length", "transfer-encoding", "content-encoding"))
_STATUS = re.compile(r"[\d.]*\s+(\d{1,3})(?!\d)")


class HttpMessage(NamedTuple):
    """A response.

    Attributes:
        status: the code, None if there is none.
        headers: name and value of each field.
        body: its bytes, as they were sent.
        has_head: whether there is a head at all, and it is not too long.
        is_open: whether nothing ends it, so that more may belong to it; or its first word may begin there.
    """

    status: int | None
    headers: list[tuple[str, str]]
    body: bytes
    has_head: bool
    is_open: bool = False


def read_message(data: memoryview) -> HttpMessage:
    """Reads a response; data without a status line, or with a head of more than 256 KiB, is all body.

    Interim responses (RFC 9110, 15.2) are passed over, and a proxy's answer that it is connected.
    """
    while start := _STATUS_LINE.match(data):
        blank = _BLANK_LINE.search(data, start.end(), _MAX_HEAD_BYTES)
        if len(data) > _MAX_HEAD_BYTES and (blank is None or blank[0].count(b"\n") < 2):
            break  # where the search ends is no end
        end = blank.end() if blank else len(data)
        head = parse_fields(bytes(data[start.end() : end]))
        match = _STATUS.match(head.first)
        status = int(match[1]) if match else None
        data = data[end:]
        if status is None or not _is_before_answer(status, head.fields) or not _STATUS_LINE.match(data):
            return HttpMessage(status, head.fields, bytes(data), True, blank is None)
    may_begin = len(data) < len(_FIRST) and _FIRST.startswith(bytes(data).upper())
    return HttpMessage(None, [], bytes(data), False, may_begin)


def is_broken_head(body: bytes) -> bool:
    """Tells whether a body that no head was found before starts with one whose status line is wrong."""
    match = _BROKEN_HEAD.match(body)
    if match is None:
        return False
    return bool(_SURE_FIELD.search(match["fields"]) or _STATUS_CODE.search(match["line"] or b""))


def _is_before_answer(status: int, headers: list[tuple[str, str]]) -> bool:
    """Tells whether another response may follow: after an interim one, and after one to CONNECT, which says
    nothing of a content (RFC 9110, 9.3.6).
    """
    if 200 <= status < 300:
        return not any(name.lower() in _OF_CONTENT for name, _ in headers)
    return 100 <= status < 200


def field(headers: list[tuple[str, str]], name: str) -> str:
    """Returns the value of the first field of a name, which is in small letters; "" if there is none."""
    return next((value for key, value in headers if key.lower() == name), "")


def codings(headers: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """Returns the transfer codings and the content codings of a message, in order and in small letters."""
    transfer: list[str] = []
    content: list[str] = []
    for name, value in headers:
        kind = name.lower()
        if kind == "transfer-encoding":
            transfer += _listed(value)
        elif kind == "content-encoding":
            content += _listed(value)
    return transfer, content


def _listed(value: str) -> list[str]:
    return [part.strip().lower() for part in value.split(",")]
