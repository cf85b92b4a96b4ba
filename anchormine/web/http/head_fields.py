"""The fields in the heads of records and of HTTP messages: "Name: value" a line.

warcio reads them. Heads of plain lines, which is nearly all, are split here just as it does, since that takes
it longer than inflating the record does.

Addresses in bytes that are not UTF-8 were asked for, or are to be, byte by byte: so they are escaped here.
Characters of Latin-1, as warcio takes them for, would be escaped as the UTF-8 of these.
"""

import re
from io import BytesIO
from typing import NamedTuple

from warcio.statusandheaders import StatusAndHeadersParser

_PREFIX_SIZE = 5
_PARSER = StatusAndHeadersParser(["WARC/", "HTTP/"])
# Fields that hold an address, with all lines of each.
_OF_ADDRESS = re.compile(
    rb"^(?:location|link|warc-(?:refers-to-)?target-uri)[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*",
    re.IGNORECASE | re.MULTILINE,
)
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")


class HeadFields(NamedTuple):
    """A head.

    Attributes:
        first: its first line behind "WARC/" or "HTTP/".
        fields: name and value of each field, in order; lines without a colon are left out.
    """

    first: str
    fields: list[tuple[str, str]]


def parse_fields(head: bytes) -> HeadFields:
    """Reads a head, from "WARC/" or "HTTP/" up to its blank line."""
    try:
        text = head.decode()
    except UnicodeDecodeError:
        head = _OF_ADDRESS.sub(lambda match: escaped(match[0]), head)
        text = ""  # then each line is what it can be
    if not text or "\n " in text or "\n\t" in text:
        parsed = _PARSER.parse(BytesIO(head))
        # Where a value stands on a line of its own, it comes with the white space that this begins with.
        return HeadFields(parsed.statusline, [(name, value.strip()) for name, value in parsed.headers])
    first, *lines = text.split("\n")
    fields = []
    for line in lines:
        name, colon, value = line.rstrip().partition(":")
        if colon:
            fields.append((name.rstrip(" \t"), value.lstrip()))
        elif not name:
            break
    return HeadFields(first[_PREFIX_SIZE:].strip(), fields)


def escaped(address: bytes) -> bytes:
    """Returns an address with its bytes beyond ASCII percent-encoded, if they are no UTF-8; else as it is."""
    try:
        address.decode()
    except UnicodeDecodeError:
        return _BEYOND_ASCII.sub(lambda match: b"%%%02X" % match[0][0], address)
    return address
