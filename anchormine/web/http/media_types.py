"""What a payload is: by what its head says, and by how it starts where that says little.

After the WHATWG's MIME Sniffing standard, for the one question whether a payload is an HTML page.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from anchormine.web.encodings.labels import encoding_in

_SNIFFED_BYTES = 1445  # as many as the standard looks at
XHTML = "application/xhtml+xml"
HTML_TYPES = frozenset(("text/html", XHTML))
_SAYS_BINARY = "application/octet-stream"
_SAYS_NOTHING = frozenset(
    ("", _SAYS_BINARY, "binary/octet-stream", "application/unknown", "unknown/unknown", "*/*")
)
_OTHER_NAMES = {"application/vnd.wap.xhtml+xml": XHTML}  # of a type: XHTML Mobile is XHTML
_PLAIN = "text/plain"
_XML_TYPES = frozenset(("text/xml", "application/xml"))
_SNIFFED_TYPES = _SAYS_NOTHING | _XML_TYPES | {_PLAIN}
_LEAD_IN = rb"(?:\xef\xbb\xbf)?[\t\n\x0c\r ]*"
# Section 7.1 of the standard: a tag, and behind it a space or ">".
_TAG = (
    rb"<(?:!--|(?:!doctype[ \t]+html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)"
    rb"[\s>])"
)
_HTML_START = re.compile(_LEAD_IN + _TAG, re.IGNORECASE)
# Text may well be about tags: more is asked of it.
_SURE_HTML = re.compile(
    _LEAD_IN + rb"(?:<!--.{0,1000}?-->\s*)?<(?:!doctype[ \t]+html|html|head)[\s>]", re.IGNORECASE | re.DOTALL
)
_XML = re.compile(_LEAD_IN + rb"<\?xml\s", re.IGNORECASE)
# What browsers take a document of these types for a page by: its first element.
_BEFORE_ROOT = rb"(?:[\t\n\r ]|<\?(?:(?!\?>)[\s\S])*\?>|<!--(?:(?!-->)[\s\S])*-->|<!(?i:doctype)[^<>]*>)*"
_XHTML_ROOT = re.compile(
    rb"(?:\xef\xbb\xbf)?"
    + _BEFORE_ROOT
    + rb"<html\s[^<>]*?\bxmlns\s*=\s*[\"']http://www\.w3\.org/1999/xhtml[\"']"
)
_HTML_TAG = re.compile(rb"<!doctype[ \t]+html[\s>]|<html[\s>]", re.IGNORECASE)
# Sections 6.1 to 6.4 and 7.1, those that no text starts with.
_BINARY = {
    b"%PDF-": "application/pdf",
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
    b"PK\x03\x04": "application/zip",
    b"Rar!\x1a\x07": "application/x-rar-compressed",
    b"OggS\0": "application/ogg",
    b"\x1a\x45\xdf\xa3": "video/webm",
    b"wOFF": "font/woff",
    b"wOF2": "font/woff2",
    b"\x1f\x8b\x08": "application/gzip",
    # Those that the standard does not have.
    b"\x28\xb5\x2f\xfd": "application/zstd",
    b"BZh91AY&SY": "application/x-bzip2",
    b"\xfd7zXZ\0": "application/x-xz",
    b"7z\xbc\xaf\x27\x1c": "application/x-7z-compressed",
    b"ID3\2": "audio/mpeg",
    b"ID3\3": "audio/mpeg",
    b"ID3\4": "audio/mpeg",
}
_OF_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_TEXT_CHARACTERS = bytes(range(0x20, 0x7F)) + b"\t\n\f\r"
_PLAIN_BYTES = 64
# Text in ASCII or what is like it; or text behind nulls: in UTF-16 or 32, or there by mistake. Compressed
# data may start with a null, too, and one in 256 of such has "<" behind it: so more than that is asked for.
_MARKUP = re.compile(
    rb"[\xef\xbb\xbf\t\n\f\r ]*<|[\xef\xbb\xbf\0\t\n\f\r ]*(?:<\0{1,3}[!?/%a-z]|" + _TAG + rb"|<\?xml)",
    re.IGNORECASE,
)
# Section 3, but for null, which is half of some text in UTF-16. Of compressed data they are one byte in ten,
# of a page that has some by mistake far less; a short one may have a few.
_BINARY_BYTES = bytes((*range(1, 9), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)))
_MAX_BINARY, _FEW_BINARY = 0.05, 8
_SIGNATURE_BYTES = 8  # in which kinds of data that are no text have a byte that is none
_BETWEEN = re.compile(r",(?=\s*[^\s/;,]+/[^\s/;,]+)")  # two types; "text/html, charset=utf-8" is one
_LONG = 200  # characters of a field that is not remembered; a head may have one of megabytes
_NAME = re.compile(r"[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+*-]+|\*/\*")


def media_type_of(content_type: str) -> str:
    """Returns the type of a Content-Type field without parameters, in small letters; "" if it names none."""
    return (_known_type if len(content_type) <= _LONG else _type)(content_type)


@lru_cache(1 << 10)
def _known_type(content_type: str) -> str:
    return _type(content_type)


def _type(content_type: str) -> str:
    name = content_type.partition(";")[0].partition(",")[0].strip().lower()
    return _OTHER_NAMES.get(name, name) if _NAME.fullmatch(name) else ""


def content_type_of(values: Sequence[str]) -> str:
    """Returns what the Content-Type fields of a message say together: the last that names a type counts.

    Where it has no charset, that of one before it does, if all from there on name the same type (Fetch,
    "extract a MIME type"). Where none names a type, the first is returned as it is.
    """
    if len(values) <= 1 and "," not in "".join(values):
        return "".join(values)
    found, charset = "", ""
    for part in (part for value in values for part in _BETWEEN.split(value)):
        name = media_type_of(part)
        if not name or name == "*/*":
            continue
        if encoding_in(part):
            charset = part
        elif name != media_type_of(found):
            charset = ""
        found = part
    return charset or found or values[0]


def may_be_html(media_type: str) -> bool:
    """Tells whether a payload can be an HTML page by what its head says; "" if that says nothing."""
    return media_type in HTML_TYPES or media_type in _SNIFFED_TYPES


def sniff_media_type(media_type: str, body: bytes) -> str:
    """Returns the type of a payload.

    Args:
        media_type: as its head says, "" if it does not.
        body: the payload, its codings undone.

    Returns:
        "text/html" or "application/xhtml+xml" where the head says nothing, or no more than that it is text
        or XML, and the payload starts as such a page does; what it is where the head says that it is a page,
        and it starts as an image, an archive or the like does, "application/octet-stream" of no kind that is
        known; else `media_type` as it is.
    """
    if media_type in HTML_TYPES:
        known = next((name for start, name in _BINARY.items() if body.startswith(start)), None)
        return known or (_SAYS_BINARY if _is_binary(body[:_SNIFFED_BYTES]) else media_type)
    if media_type not in _SNIFFED_TYPES:
        return media_type
    head = body[:_SNIFFED_BYTES]
    if media_type in _XML_TYPES:
        return XHTML if _XHTML_ROOT.match(head) else media_type
    if _XML.match(head):
        return XHTML if _HTML_TAG.search(head) else media_type
    pattern = _SURE_HTML if media_type == _PLAIN else _HTML_START
    return "text/html" if pattern.match(head) else media_type


def is_plain(data: bytes) -> bool:
    """Tells whether data starts as markup or other text does, and no compressed data."""
    return not data[:_PLAIN_BYTES].strip(_TEXT_CHARACTERS) or is_markup(data)


def is_markup(data: bytes) -> bool:
    """Tells whether data starts with a tag, in ASCII or what is like it, or in UTF-16 or 32."""
    return bool(_MARKUP.match(data, 0, _PLAIN_BYTES))


def _is_binary(head: bytes) -> bool:
    """Tells whether what is said to be a page is no text in any encoding."""
    if is_plain(head) or head.startswith(_OF_UTF_16):
        return False
    if b"\0" in head and _binary_bytes(head[:_SIGNATURE_BYTES]) and not _HTML_TAG.search(head):
        return True  # such as a pickle of texts
    return _binary_bytes(head) > max(_FEW_BINARY, _MAX_BINARY * len(head))


def _binary_bytes(data: bytes) -> int:
    return len(data) - len(data.translate(None, _BINARY_BYTES))
