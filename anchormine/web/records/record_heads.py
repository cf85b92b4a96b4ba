"""The heads of records: WARC's lines of fields (ISO 28500) and ARC's one line, wherever they may start.

Where a head starts and ends is settled here and not by warcio, since what it follows may be no whole record.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from warcio.statusandheaders import StatusAndHeadersParser

from anchormine.web.http.head_fields import escaped, parse_fields
from anchormine.web.records.capture_dates import arc_date, nanoseconds, warc_date

MAX_HEAD_BYTES = 1 << 18
# Kinds whose block holds what was captured, or text made from it; of others only the heads are of use here.
WITH_PAYLOAD = frozenset(("response", "resource", "conversion"))
HEAD_LINE_BYTES = 1 << 13  # of an ARC head, whose address may be long
FIELD_BYTES = 80  # in which the name of a field is told from what is none


def _patterns(warc: bytes, arc: bytes) -> dict[str, re.Pattern[bytes]]:
    lines = {"warc": warc, "arc": arc, "": b"(?:%s|%s)" % (warc, arc)}
    return {format: re.compile(line) for format, line in lines.items()}


# Files of which a program made the line ends those of Windows once more have "\r\r\n".
LINE_END = rb"\r{0,2}\n"
_VERSION_LINE = rb"/\d+\.\d+[ \t]*" + LINE_END
_WARC_LINE = rb"WARC" + _VERSION_LINE
# In the middle of other things only what goes on as a head does is one: pages may write about WARC.
_SURE_WARC_LINE = _WARC_LINE + rb"(?=(?i:warc|content)-)"
# "URL IP-address Archive-date Content-type Archive-length"; addresses with spaces were written as they were.
_ARC_LINE = (
    rb"(?P<url>[A-Za-z][A-Za-z0-9+.-]{1,20}:[^\n]{1,6000}?) (?P<ip>[0-9A-Fa-f:.]{3,45}|[-0]) "
    rb"(?P<date>\d{8,17}) (?P<type>[^\n]{0,400}?) (?P<length>\d{1,15})[ \t]*" + LINE_END
)
# Within a line more is asked for: one of the first fields says of which kind the record is.
_FIELD_LINE = rb"(?:[\w-]{1,80}[ \t]*:|[ \t])[^\n]{0,2000}\n"
_MIDLINE_HEAD = re.compile(_WARC_LINE + rb"(?:" + _FIELD_LINE + rb"){0,16}?(?i:warc-type)[ \t]*:")
_LINES = _patterns(rb"(?i:WARC)" + _VERSION_LINE, _ARC_LINE)  # where a record is to start, in any letters
# Of ARC one whose fields leave no doubt, and of what looks like several addresses the last.
_MIDLINE_ARC = (
    rb"https?://(?:(?!https?://)[^\s\0\"<>]){1,1000} \d{1,3}(?:\.\d{1,3}){3} \d{14} [a-z]+/[\w.+-]{1,100} "
    rb"\d{1,15}" + LINE_END
)
_SURE_LINES = _patterns(_SURE_WARC_LINE, rb"(?:(?m:^)" + _ARC_LINE + rb"|" + _MIDLINE_ARC + rb")")
_LINE_ENDS = re.compile(rb"[\r\n]{0,64}")
_BLANK_LINE = re.compile(rb"\n[ \t]*" + LINE_END)
_FIELD_AFTER_BLANK = re.compile(rb"(?i:warc-[a-z-]+|content-(?:length|type))[ \t]*:")
_WARC = b"WARC/"
_SAYS_KIND = re.compile(rb"\nwarc-type[ \t]*:", re.IGNORECASE)
_NEWLINE = 0x0A
_MAX_DIGITS = 18
_OF_ARC_2 = re.compile(r" (?:\d{3}|[-0]) \S+ \S+ \d+ \S+\Z")  # code, checksum, location, offset and file
_LENGTH = re.compile(rb"\ncontent-length[ \t]*:", re.IGNORECASE)


class Reference(NamedTuple):
    """The capture that a revisit says its page is the same as: its URL, and its date or None."""

    url: str
    date: str | None


class RecordHead(NamedTuple):
    """What the head of a record says.

    Attributes:
        kind: as `CrawlRecord.kind`.
        url: "" if it names none.
        date: ISO 8601 in UTC, or None.
        content_type: of the record's block, as written, "" if not given.
        length: of the block in bytes, None if not given or no number.
        refers_to: the capture that a revisit repeats.
        is_cut: whether the crawler says that it cut the payload, or stored it in segments.
        has_zeros: whether zero bytes stand in it, in whose place other heads may have been.
        block_digest: of the block, as written, "" if not given.
        payload_digest: of the payload, or of that of the capture which a revisit repeats.
        nanoseconds: of the date, behind its second.
    """

    kind: str
    url: str
    date: str | None
    content_type: str
    length: int | None
    refers_to: Reference | None
    is_cut: bool
    has_zeros: bool = False
    nanoseconds: int = 0
    block_digest: str = ""
    payload_digest: str = ""


def record_format(data: bytes, at: int = 0) -> str:
    """Returns "warc" or "arc" where a record's head starts, after blank lines or not, and "" elsewhere."""
    match = _LINE_ENDS.match(data, at)
    start = match.end() if match else at
    return next((format for format in ("warc", "arc") if _LINES[format].match(data, start)), "")


def opens_record(data: bytes) -> bool:
    """Tells whether data starts with the first line of a record's head."""
    return bool(record_format(data))


def first_line_size(data: bytes, at: int, format: str) -> int:
    """Returns the size of the first line of a head that starts at a place, 0 if none does.

    Args:
        data: decoded bytes, `HEAD_LINE_BYTES` from the place on or as many as there are.
        at: the place.
        format: "warc", "arc", or "" for both.
    """
    pattern = _LINES[format]
    match = pattern.match(data, at)
    return match.end() - at if match else 0


def first_head(data: bytes, at: int, format: str, count: int) -> int:
    """Returns the first of so many places, from one on, where `first_line_size` finds a head; -1 for none."""
    slash = at + len(_WARC) - 1
    if format == "warc" and data.find(b"/", slash, slash + count) < 0:  # far faster than to look at each
        return -1
    match = _LINES[format].match
    return next((place for place in range(at, at + count) if match(data, place)), -1)


def find_head(data: bytes, at: int, format: str, edges: Iterable[int], is_between: bool = False) -> int:
    """Returns where the first head starts that may stand in the middle of other things, or -1.

    One may start within a line, where a file was cut off and then written on, or joined to another, or behind
    zero bytes that a broken download left.

    Args:
        data: decoded bytes.
        at: where to begin.
        format: as for `first_line_size`.
        edges: places where a gzip member or the like starts: a head there needs no line of its own.
        is_between: whether that is behind a record, where a head of WARC within a line need not say its kind.
    """
    at_edge = next((edge for edge in edges if edge >= at and _LINES[format].match(data, edge)), -1)
    end = len(data) if at_edge < 0 else at_edge
    for match in _SURE_LINES[format].finditer(data, at, min(len(data), end + HEAD_LINE_BYTES)):
        if match.start() >= end:
            break
        starts_line = match.start() > 0 and data[match.start() - 1] == _NEWLINE
        is_arc = not data.startswith(_WARC, match.start())
        if is_between or starts_line or is_arc or _MIDLINE_HEAD.match(data, match.start()):
            return match.start()
    return at_edge


def head_end(data: bytes, at: int, format: str, searched: int, is_all: bool) -> int:
    """Returns where a head ends that starts at a place, -1 if it has no end.

    Some of ClueWeb09's have blank lines among their fields, so `FIELD_BYTES` behind the end are to be there.

    Args:
        data: decoded bytes.
        at: where its first line is, as `first_line_size` found.
        format: "warc" or "arc".
        searched: up to where no blank line is known to be.
        is_all: whether there is no more to a head than is in `data`.
    """
    if format == "arc":
        return at + first_line_size(data, at, format)
    begin, blank, end = at, max(at, searched), -1
    while match := _BLANK_LINE.search(data, blank, at + MAX_HEAD_BYTES):
        end = blank = match.end()
        if _LENGTH.search(data, begin, end) or not _FIELD_AFTER_BLANK.match(data, end):
            return end
        begin = end - 1
    return end if is_all else -1


def holds_head(data: bytes, start: int, end: int) -> bool:
    """Tells whether a head of WARC starts between two places of another, perhaps in the middle of a line.

    The file was cut off there, and then written on, or joined to another. A head says of which kind its
    record is, where what is behind an address that ends in "WARC/1.0" mostly does not.
    """
    place = data.find(_WARC, start, end)
    while place >= 0 and not _SURE_LINES["warc"].match(data, place):
        place = data.find(_WARC, place + 1, end)
    return place >= 0 and _SAYS_KIND.search(data, place, min(end, place + HEAD_LINE_BYTES)) is not None


def parse_head(head: bytes, format: str) -> RecordHead:
    """Reads a whole head."""
    return _arc_head(head) if format == "arc" else _warc_head(head)


def _warc_head(head: bytes) -> RecordHead:
    if _BLANK_LINE.search(head, 0, len(head) - 1):
        head = _BLANK_LINE.sub(b"\n", head)
    # Of fields with the same name the first counts.
    fields = {name.lower(): value for name, value in reversed(parse_fields(head).fields)}
    kind = fields.get("warc-type", "").lower() or "unknown"
    # Of a revisit wget and others say so, as it leaves out what it repeats.
    is_truncated = "warc-truncated" in fields and kind != "revisit"
    return RecordHead(
        kind=kind,
        url=_address(fields.get("warc-target-uri", "")),
        date=warc_date(fields.get("warc-date", "")),
        nanoseconds=nanoseconds(fields.get("warc-date", "")),
        content_type=fields.get("content-type", ""),
        length=_length(fields.get("content-length", "")),
        refers_to=_reference(fields),
        is_cut=is_truncated or "warc-segment-number" in fields,
        has_zeros=b"\0" in head,
        block_digest=fields.get("warc-block-digest", ""),
        payload_digest=fields.get("warc-payload-digest", ""),
    )


def _reference(fields: dict[str, str]) -> Reference | None:
    url = _address(fields.get("warc-refers-to-target-uri", ""))
    date = warc_date(fields.get("warc-refers-to-date", ""))
    return Reference(url, date) if url or date else None


def _length(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else None


def _address(text: str) -> str:
    """Returns an address without the "<" and ">" of old wget, with spaces as "%20"."""
    text = text.strip()
    if text.startswith("<") and text.endswith(">"):
        text = text[1:-1].strip()
    return text.replace(" ", "%20")


def _arc_head(line: bytes) -> RecordHead:
    match = _LINES["arc"].match(line)
    if not match:
        raise ValueError("no head of an ARC record")
    address, *others = match.groups()
    parts = (escaped(address), *others)
    url, _, date, media_type, length = (StatusAndHeadersParser.decode_header(part) for part in parts)
    is_file_head = url.startswith("filedesc:")
    return RecordHead(
        kind="warcinfo" if is_file_head else "response",
        url="" if is_file_head else _address(url),
        date=arc_date(date),
        content_type=_OF_ARC_2.sub("", media_type),
        length=int(length),
        refers_to=None,
        is_cut=False,
        has_zeros=b"\0" in line,
    )
