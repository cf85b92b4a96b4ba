"""The records of crawl files: WARC 0.17 to 1.1 and ARC 1, compressed or not, whole or damaged."""

from collections.abc import Generator, MutableSequence
from dataclasses import dataclass
from typing import NamedTuple

from anchormine.archives.compression import Damage, Readable
from anchormine.errors import UsageError
from anchormine.web.http.body_codings import decode_body
from anchormine.web.http.http_messages import HttpMessage, is_broken_head, read_message
from anchormine.web.http.media_types import content_type_of, media_type_of
from anchormine.web.records.block_ends import MESSAGE_HEAD_BYTES
from anchormine.web.records.crawl_formats import open_crawl
from anchormine.web.records.digests import DigestCheck
from anchormine.web.records.record_blocks import RawRecord, split_records
from anchormine.web.records.record_heads import WITH_PAYLOAD, RecordHead, Reference

_HTTP = "application/http"
_WITH_MESSAGE = frozenset(("response", "resource", "revisit"))
_NO_MESSAGE = HttpMessage(None, [], b"", False)


@dataclass(frozen=True)
class RecordLimits:
    """Bounds of what is kept of one record.

    Attributes:
        payload_bytes: of a payload, both as it stands in the file and with its encodings undone; 1 or more.
    """

    payload_bytes: int = 32 << 20

    def __post_init__(self) -> None:
        if self.payload_bytes < 1:
            raise UsageError(f"payload_bytes is {self.payload_bytes}; give 1 or more")


DEFAULT_LIMITS = RecordLimits()


class CrawlRecord(NamedTuple):
    """One record of a crawl file.

    Attributes:
        offset: byte of the file where it starts, as in `RawRecord`.
        size: bytes of the file it takes. The records and damages of a file cover it without overlap.
        source: byte of the file from which on it can be read, as in `RawRecord`.
        kind: "response", "resource", "conversion", "revisit", "request", "metadata", "warcinfo",
            "continuation", or the type as written, in small letters; "unknown" if none is. ARC's documents
            are "response", the head of an ARC file is "warcinfo".
        url: of what was captured, "" if none is named.
        date: of the capture, ISO 8601 in UTC, or None.
        media_type: of the payload, as its head says: "text/html", "" if it says none.
        content_type: that as written, with its parameters.
        status: of HTTP, or None.
        headers: name and value of each of HTTP's.
        body: the payload, its transfer and content codings undone; b"" for kinds without one.
        problem: "" or one of
            "too_large": the payload is over the limits and is not kept;
            "damaged": compressed bytes are broken in it, or it does not fit its digest: some of the payload
                may be wrong or missing;
            "truncated": the payload is cut off: by the file's end, as it says itself by the crawler, or where
                its content coding breaks;
            "wrong_length": the next record starts before the announced length is reached, or behind it;
            "http_head": no HTTP head where one belongs, the body is all there is; or one that is cut
                off, and there is no body;
            "transfer_coding": from some place on the payload is not chunked as announced, and taken as it is;
            "content_coding": it cannot be decoded, and the body is what is there.
        refers_to: the capture that a revisit repeats, if it names one.
        nanoseconds: of the date, behind its second.
        payload_digest: as its head has it: of the payload, or of that which a revisit repeats; "" without.
    """

    offset: int
    size: int
    source: int
    kind: str
    url: str
    date: str | None
    media_type: str
    content_type: str
    status: int | None
    headers: list[tuple[str, str]]
    body: bytes
    problem: str
    refers_to: Reference | None
    nanoseconds: int = 0
    payload_digest: str = ""


def read_crawl(
    stream: Readable,
    damages: MutableSequence[Damage],
    limits: RecordLimits = DEFAULT_LIMITS,
    max_records: int | None = None,
) -> Generator[CrawlRecord, None, int | None]:
    """Yields the records of a crawl file, one in memory at a time.

    Args:
        stream: of the file's bytes, from its first on. If it is `seekable`, it is gone back in where a length
            over the limits is wrong; if not, what looks like a record in a block over the limits is one.
        damages: receives what could not be read, in order; complete once the last record was given.
        limits: of one record.
        max_records: how many are wanted, None for all. What is wrong with the last of them is known where the
            next one starts; `damages` may tell of places behind that.

    Returns:
        the byte of the file at which that next one starts; None if there is none.
    """
    window, container = open_crawl(stream)
    digests = DigestCheck(damages, limits.payload_bytes, bool(container and container.has_checksums))
    max_bytes = limits.payload_bytes + MESSAGE_HEAD_BYTES
    unread_from = None
    for number, record in enumerate(split_records(window, damages, max_bytes, container is not None)):
        if number == max_records:
            unread_from = record.offset
            break
        yield _crawl_record(record, digests, limits)
    digests.close()
    return unread_from


def _crawl_record(record: RawRecord, digests: DigestCheck, limits: RecordLimits) -> CrawlRecord:
    head, message = record.head, _message(record)
    problem = "damaged" if digests.is_damaged(record, message) else record.problem
    is_cut = problem == "truncated" and message.is_open
    if is_cut:  # what it says last may be half an address
        problem, message = "http_head", _NO_MESSAGE
    content_type = _content_type(message) if message.has_head else head.content_type
    media_type = media_type_of(content_type)
    is_of_message = media_type == _HTTP and head.kind in WITH_PAYLOAD
    lacks_head = _lacks_head(record, message)
    has_broken_head = lacks_head and is_broken_head(message.body)
    if is_of_message or is_cut or has_broken_head:  # which is not of the body
        media_type = content_type = ""
    body = b""
    if head.kind in WITH_PAYLOAD and problem != "too_large":
        body, coding_problem = decode_body(message.body, message.headers, media_type, limits.payload_bytes)
        if coding_problem in ("too_large", "content_coding") and problem != "damaged":
            problem = coding_problem
        elif lacks_head and (not problem or (has_broken_head and problem in ("truncated", "wrong_length"))):
            problem = "http_head"
        problem = problem or coding_problem
    return CrawlRecord(
        offset=record.offset,
        size=record.size,
        source=record.source,
        kind=head.kind,
        url=head.url,
        date=head.date,
        media_type=media_type,
        content_type=content_type,
        status=message.status,
        headers=message.headers,
        body=body,
        problem=problem,
        refers_to=head.refers_to,
        nanoseconds=head.nanoseconds,
        payload_digest=head.payload_digest,
    )


def _message(record: RawRecord) -> HttpMessage:
    """Returns a record's block as the HTTP message it is, or else as a bare payload."""
    head = record.head
    if head.kind in _WITH_MESSAGE and (head.kind == "response" or _is_announced(head)):
        return read_message(record.block)
    return HttpMessage(None, [], bytes(record.block) if head.kind in WITH_PAYLOAD else b"", False)


def _content_type(message: HttpMessage) -> str:
    return content_type_of([value for name, value in message.headers if name.lower() == "content-type"])


def _is_announced(head: RecordHead) -> bool:
    return media_type_of(head.content_type) == _HTTP


def _lacks_head(record: RawRecord, message: HttpMessage) -> bool:
    """Tells whether an HTTP head is missing; captures of other protocols, such as DNS, have none."""
    head = record.head
    is_expected = _is_announced(head) or (record.format == "arc" and head.url.startswith(("http:", "https:")))
    return is_expected and not message.has_head
