# SPDX-License-Identifier: Apache-2.0
"""Writes `anchormine/demo/crawl.warc.gz` from the pages in `tests/demo/crawl/`.

    python -m tests.demo.make_crawl

Dates, ids and the order of the records are fixed: the same pages, and the same versions of zlib, brotli and
zstd, give the same bytes.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import uuid
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import brotli
import zstandard
from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import anchormine
from tests.demo.crawl_captures import FIRST_DAY, Capture, captures
from tests.demo.record_forms import FORMS

CRAWL = Path(anchormine.__file__).parent / "demo" / "crawl.warc.gz"
_SECONDS_OF_A_CAPTURE = 7
_CHUNK_BYTES = 1000
_GZIP_HEAD_BYTES = 10
_NO_BLOCK = 0xFF  # RFC 1951, 3.2.3: no block of deflated data has the type 11
_ABOUT = "software: warcio\r\ndescription: the demo crawl of anchormine, written for it; CC0 1.0\r\n"


def crawl_bytes() -> bytes:
    """Returns the crawl file: each record is a gzip member."""
    return b"".join([_member(_warcinfo()), *_members()])


def _members() -> Iterator[bytes]:
    for number, capture in enumerate(captures()):
        seconds = _SECONDS_OF_A_CAPTURE * number
        time = f"{capture.day}T{8 + seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}Z"
        member = _member(_record(capture, time), capture.form)
        yield _damaged(member) if capture.broken else member
        if capture.kind == "response":
            yield _member(_request(capture, time))
            if capture.url.endswith("/"):
                yield _member(_metadata(capture, time))


def _member(record: ArcWarcRecord, form: str = "") -> bytes:
    stream = BytesIO()
    WARCWriter(stream, gzip=not form).write_record(record)
    written = stream.getvalue()
    return gzip.compress(FORMS[form](written), mtime=0) if form else written


def _damaged(member: bytes) -> bytes:
    """Makes a gzip member undecodable from its first block on."""
    return member[:_GZIP_HEAD_BYTES] + bytes([_NO_BLOCK]) + member[_GZIP_HEAD_BYTES + 1 :]


def _record(capture: Capture, time: str) -> ArcWarcRecord:
    head = _heads(capture.kind, capture.url, time)
    if capture.kind in ("resource", "conversion"):
        return _made(head, capture.kind, capture.url, capture.body, media_type=capture.content_type)
    if capture.kind == "revisit":
        head["WARC-Profile"] = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
        head["WARC-Refers-To-Target-URI"] = capture.url
        head["WARC-Payload-Digest"] = _digest(capture.body)
        return _made(head, capture.kind, capture.url, b"", _response_head(capture))
    return _made(head, capture.kind, capture.url, _sent(capture), _response_head(capture))


def _request(capture: Capture, time: str) -> ArcWarcRecord:
    _, _, host, path = capture.url.split("/", 3)
    fields = [("Host", host), ("User-Agent", "demo-crawler"), ("Accept-Encoding", "gzip, deflate, br")]
    http = StatusAndHeaders(f"GET /{path} HTTP/1.1", fields, is_http_request=True)
    return _made(_heads("request", capture.url, time), "request", capture.url, b"", http)


def _metadata(capture: Capture, time: str) -> ArcWarcRecord:
    head = _heads("metadata", capture.url, time)
    text = b"hopsFromSeed: 0\r\nfetchTimeMs: 25\r\n"
    return _made(head, "metadata", capture.url, text, media_type="application/warc-fields")


def _warcinfo() -> ArcWarcRecord:
    head = _heads("warcinfo", "", f"{FIRST_DAY}T08:00:00Z")
    return _made(head, "warcinfo", None, _ABOUT.encode(), media_type="application/warc-fields")


def _heads(kind: str, url: str, time: str) -> dict[str, str]:
    record_id = uuid.uuid5(uuid.NAMESPACE_URL, f"{kind} {time} {url}")
    return {"WARC-Date": time, "WARC-Record-ID": f"<urn:uuid:{record_id}>"}


def _made(
    head: dict[str, str],
    kind: str,
    url: str | None,
    data: bytes,
    http: StatusAndHeaders | None = None,
    media_type: str | None = None,
) -> ArcWarcRecord:
    return WARCWriter(BytesIO(), gzip=False, warc_version="1.1").create_warc_record(
        url,
        kind,
        payload=BytesIO(data),
        length=len(data),
        warc_content_type=media_type or "",
        warc_headers_dict=head,
        http_headers=http,
    )


def _response_head(capture: Capture) -> StatusAndHeaders:
    protocol, _, status = capture.status.partition(" ")
    fields = [
        ("Content-Type", capture.content_type),
        ("Location", capture.location),
        ("X-Robots-Tag", capture.robots),
        ("Content-Encoding", ", ".join(capture.codings)),
        ("Transfer-Encoding", "chunked" if capture.chunked else ""),
        ("Content-Length", "" if capture.chunked else str(len(_sent(capture)))),
    ]
    return StatusAndHeaders(status, [(name, value) for name, value in fields if value], protocol=protocol)


def _sent(capture: Capture) -> bytes:
    """Returns the body as it goes over the wire."""
    body = capture.body
    for coding in capture.codings:
        body = _CODERS[coding](body)
    return _chunks(body) if capture.chunked else body


def _digest(body: bytes) -> str:
    return f"sha1:{base64.b32encode(hashlib.sha1(body).digest()).decode()}"


def _chunks(body: bytes) -> bytes:
    parts = [body[start : start + _CHUNK_BYTES] for start in range(0, len(body), _CHUNK_BYTES)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in [*parts, b""])


_CODERS = {
    "gzip": lambda body: gzip.compress(body, mtime=0),
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.compress,
}

if __name__ == "__main__":
    CRAWL.write_bytes(crawl_bytes())
    print(CRAWL)
