"""The fields in the heads of records and of HTTP messages, "Name: value" a line, read by warcio."""

from io import BytesIO, StringIO

from warcio.statusandheaders import StatusAndHeaders, StatusAndHeadersParser


def parse_fields(head: bytes, parser: StatusAndHeadersParser) -> StatusAndHeaders:
    """Reads a head that starts with what the parser looks for."""
    try:
        lines = StringIO(
            head.decode(), newline="\n"
        )  # a third faster than bytes, which warcio decodes by line
    except UnicodeDecodeError:
        return parser.parse(BytesIO(head))  # then each line is what it can be
    return parser.parse(lines)
