"""A capture of a crawl on its way to rows: a record, read as a page, a redirect or a reject."""

from __future__ import annotations

import re
import string
from typing import NamedTuple

from anchormine.hypertext.drafts import REVISIT, PageContent, PageRead, Redirect
from anchormine.hypertext.page_rejected import PageRejected
from anchormine.schemas.rejects import EXCERPT_CHARACTERS
from anchormine.web.html_reader import HtmlReader
from anchormine.web.http.http_messages import field
from anchormine.web.http.media_types import HTML_TYPES, XHTML, may_be_html, sniff_media_type
from anchormine.web.page.answer_facts import answer_facts
from anchormine.web.page.robots import ROBOTS_FIELD, header_directives, robots_of
from anchormine.web.records.crawl_records import CrawlRecord
from anchormine.web.records.digests import digest_number
from anchormine.web.urls import canonical_url, fragment_of, have_same_domain, join, page_id_of, why_no_address

# Kinds of records that tell what was found at a URL; the others are about the crawl.
CONVERSION = "conversion"  # also the reason of those that are no HTML, as the texts of WET
CAPTURE_KINDS = frozenset(("response", "resource", CONVERSION, "revisit"))
_ABOUT = frozenset(("warcinfo", "request", "metadata", "continuation"))  # the other kinds of ISO 28500
_UNKNOWN = "unknown"
# Those that leave a page of which the end may be missing, or something else may stand there.
PROBLEMS_OF_PAGES = frozenset(("truncated", "wrong_length", "transfer_coding"))
_NOTHING = string.whitespace + "\0\ufeff"  # characters of a page that is empty
_MOVED = frozenset((301, 302, 303, 307, 308))
_PARTIAL, _NOT_MODIFIED = 206, 304
_RANGE = re.compile(r"\s*bytes\s+(\d{1,18})-(\d{1,18})/(?:(\d{1,18})|\*)\s*", re.IGNORECASE)


class Capture(NamedTuple):
    """A record of a crawl, and its place in the input: of what was found at a URL, or about the crawl.

    Attributes:
        file: number of the file in the plan, and of its range.
        ordinal: number of the record in the file; of one that stands for others, behind those of all records.
        name: of the file, with folders only where it takes them to tell it from others.
        record: as read.
        records: how many it stands for that tell of no page for the same reason; 1 for a capture.
    """

    file: int
    ordinal: int
    name: str
    record: CrawlRecord
    records: int = 1


def read_capture(capture: Capture, reader: HtmlReader) -> PageRead:
    """Reads a capture.

    Args:
        capture: of any kind.
        reader: of its HTML.

    Returns:
        A page, a redirect, or a reject: a record of a kind that is not in `CAPTURE_KINDS`, see
        `reason_of_other`; a page for "scheme", "bad_url", "revisit", "http_error", "media_type",
        "conversion", "content_coding", "too_large", "damaged", "unreadable", "empty" or a reason of the
        reader.
    """
    record = capture.record
    is_damaged = record.problem == "damaged"  # letters of it may be wrong, those of its head too
    if record.kind not in CAPTURE_KINDS:
        reason = reason_of_other(record)
        excerpt = f"{record.kind} {record.url}" if reason == _UNKNOWN else record.url
        rejected = _set_aside(capture, None, reason, excerpt.strip())
        return rejected._replace(unit="records", records=capture.records)
    address = canonical_url(record.url, reader.tracking)
    if is_damaged:
        return _set_aside(capture, address, "damaged", record.url)
    if address is None:
        return _set_aside(capture, None, why_no_address(record.url), record.url)
    if record.status in _MOVED:
        return _moved(capture, address, reader)
    if record.status is not None and not _is_answer(record):
        return _set_aside(capture, address, "http_error", f"{record.status} {record.url}")
    if record.kind == "revisit":
        return _repeated(capture, address, reader)
    return _read_payload(capture, address, reader)


def reason_of_other(record: CrawlRecord) -> str:
    """Why a record is set aside that is no capture: its kind, if it is about the crawl.

    Others are "unknown", or "damaged" where they are: one flipped bit in a head makes another kind, and the
    reasons of a funnel are to stay few.
    """
    if record.kind in _ABOUT:
        return record.kind
    return "damaged" if record.problem == "damaged" else _UNKNOWN


def _is_answer(record: CrawlRecord) -> bool:
    status = record.status or 0
    if status == _PARTIAL:
        return not _is_part(field(record.headers, "content-range"))
    return 200 <= status < 300 or (record.kind == "revisit" and status == _NOT_MODIFIED)


def _is_part(content_range: str) -> bool:
    """Whether a Content-Range (RFC 9110, 14.4) is of less than the whole; browsers' archivers have such."""
    match = _RANGE.fullmatch(content_range)
    return match is not None and (int(match[1]) > 0 or int(match[2]) + 1 != int(match[3] or 0))


def _read_payload(capture: Capture, address: str, reader: HtmlReader) -> PageRead:
    record = capture.record
    if record.problem == "too_large" and may_be_html(record.media_type):  # none of it was kept
        return _set_aside(capture, address, record.problem, record.url)
    if record.problem == "content_coding" and record.media_type in HTML_TYPES:
        return _set_aside(capture, address, record.problem, record.url)
    media_type = sniff_media_type(record.media_type, record.body)
    if media_type not in HTML_TYPES and record.problem == "http_head":
        return _set_aside(capture, address, "unreadable", record.url)
    if media_type not in HTML_TYPES:
        reason = CONVERSION if record.kind == CONVERSION else "media_type"
        return _set_aside(capture, address, reason, f"{media_type or 'unknown'} {record.url}")
    return _read_page(capture, address, reader, media_type == XHTML)


def _read_page(capture: Capture, address: str, reader: HtmlReader, is_xml: bool) -> PageRead:
    record = capture.record
    try:
        decoded = reader.decode(record.body, record.content_type)
        if not decoded.text.strip(_NOTHING):
            return _set_aside(capture, address, "empty", record.url)
        answer = answer_facts(record.headers, record.url, decoded.encoding)
        found = reader.read(decoded.text, record.url, answer, is_xml)
    except PageRejected as error:
        return _set_aside(capture, address, error.reason, f"{record.url}: {error}")
    content = PageContent(
        title=found.title,
        url=address,
        language=reader.language or found.language,
        lead=found.lead,
        text=found.text,
        sentences=found.sentences,
        anchors=found.anchors,
        dropped=found.dropped,
        encoding=decoded.encoding,
        robots=_robots(record, found.robots),
        warc_file=capture.name,
        warc_offset=record.source,
    )
    named = _canonical(found.canonical, reader)
    return _page(capture, address)._replace(
        redirect=_other_form(named, _canonical(found.refresh, reader), address),
        content=content,
        proper_address=_proper_address(named, address),
    )


def _canonical(url: str | None, reader: HtmlReader) -> str | None:
    return canonical_url(url, reader.tracking) if url else None


def _robots(record: CrawlRecord, of_page: str | None) -> str | None:
    """What the answer's head and the page itself say to robots."""
    said = header_directives(value for name, value in record.headers if name.lower() == ROBOTS_FIELD)
    return robots_of(said.union(of_page.split(",") if of_page else ())) if said else of_page


def _page(capture: Capture, address: str | None) -> PageRead:
    """The place of a capture, and nothing yet of what it holds."""
    return PageRead(
        range=capture.file,
        ordinal=capture.ordinal,
        file=capture.file,
        origin=f"{capture.name}@{capture.record.source}",
        page_id=None if address is None else page_id_of(address),
        address=address or "",
        timestamp=capture.record.date,
        nanoseconds=capture.record.nanoseconds,
        digest=digest_number(capture.record.payload_digest),
        revision=None,
        superseded=0,
        reason="",
        excerpt="",
        blank=False,
        redirect=None,
        content=None,
    )


def _set_aside(capture: Capture, address: str | None, reason: str, excerpt: str) -> PageRead:
    return _page(capture, address)._replace(reason=reason, excerpt=excerpt[:EXCERPT_CHARACTERS])


def _moved(capture: Capture, address: str, reader: HtmlReader) -> PageRead:
    record = capture.record
    location = field(record.headers, "location")
    target = join(record.url, location) if location else None
    to = _canonical(target, reader)
    if to is None or target is None:
        return _set_aside(capture, address, "http_error", f"{record.status} to nowhere, {record.url}")
    return _page(capture, address)._replace(redirect=Redirect(to, fragment_of(target)))


def _repeated(capture: Capture, address: str, reader: HtmlReader) -> PageRead:
    """A revisit: its address means the page that it repeats.

    That may be one of the address itself, which then is as new as the revisit.
    """
    record = capture.record
    if record.status is not None and not may_be_html(record.media_type):
        return _set_aside(capture, address, "media_type", f"{record.media_type} {record.url}")
    page = _set_aside(capture, address, REVISIT, record.url)
    to = _canonical(record.refers_to.url, reader) if record.refers_to else None
    if to is not None and to != address:
        return page._replace(redirect=Redirect(to, None))
    return page._replace(renews=(record.refers_to.date if record.refers_to else None) or "")


def _other_form(named: str | None, refresh: str | None, address: str) -> Redirect | None:
    """Where a page says that it stands in its proper form, or where a browser goes on to."""
    for to in (named, refresh):
        if to is not None and to != address:
            return Redirect(to, None)
    return None


def _proper_address(named: str | None, address: str) -> str | None:
    """The canonical address that a page names, but for those of other sites, on which it has no say."""
    if named is None or named == address or not have_same_domain(named, address):
        return None
    return named
