"""The fields in the heads of records and of HTTP messages: "Name: value" a line.

warcio reads them. Heads of plain lines, which is nearly all, are split here just as it does, since that takes
it longer than inflating the record does.
"""

from io import BytesIO
from typing import NamedTuple

from warcio.statusandheaders import StatusAndHeadersParser

_PREFIX_SIZE = 5
_PARSER = StatusAndHeadersParser(["WARC/", "HTTP/"])


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
