# SPDX-License-Identifier: Apache-2.0
"""The demo crawl's file: it is made from its pages, and holds what the files of crawls hold."""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from io import BytesIO

import pytest

from anchormine.archives.compression import Damage
from anchormine.web.records.crawl_records import CrawlRecord, read_crawl
from tests.demo.crawl_captures import captures
from tests.demo.crawl_web import LOST
from tests.demo.make_crawl import CRAWL, crawl_bytes

BORES, BUOYS = "https://tides.example/bores.html", "https://signals.example/buoys.html"


def _records(data: bytes) -> tuple[list[CrawlRecord], list[Damage]]:
    damages: list[Damage] = []
    return list(read_crawl(BytesIO(data), damages)), damages


def test_the_file_is_made_from_the_pages() -> None:
    """What is compressed is compared unpacked: other versions of zlib pack it in other bytes."""
    made, committed = crawl_bytes(), CRAWL.read_bytes()
    assert made == crawl_bytes()
    (records, damages), (others, other_damages) = _records(made), _records(committed)
    assert [_without_place(record) for record in records] == [_without_place(record) for record in others]
    assert len(damages) == len(other_damages) == 2


def _without_place(record: CrawlRecord) -> CrawlRecord:
    """A record without what hangs on how it, or its page, was packed."""
    headers = [(name, value) for name, value in record.headers if name != "Content-Length"]
    is_packed = any(name == "Content-Encoding" for name, _ in headers)
    digest = "" if is_packed else record.payload_digest  # that it fits is told by `damages`
    return record._replace(offset=0, size=0, source=0, headers=headers, payload_digest=digest)


def test_every_record_but_one_is_read() -> None:
    records, (of_wrong_length, damage) = _records(CRAWL.read_bytes())
    assert Counter(record.kind for record in records) == {
        "warcinfo": 1,
        "response": 79,
        "request": 80,
        "metadata": 10,
        "resource": 1,
        "conversion": 1,
        "revisit": 1,
    }
    faulty = [(record.offset, record.problem) for record in records if record.problem]
    assert faulty == [(of_wrong_length.offset, "wrong_length")]
    assert sum(record.size for record in records) + damage.bytes_skipped == CRAWL.stat().st_size
    (behind,) = (record for record in records if record.offset == damage.offset + damage.bytes_skipped)
    assert (behind.kind, behind.url) == ("request", LOST)
    with pytest.raises(zlib.error):
        gzip.decompress(CRAWL.read_bytes()[damage.offset :])


def test_records_are_sent_in_many_ways() -> None:
    records, _ = _records(CRAWL.read_bytes())
    answers = [record for record in records if record.kind == "response"]
    fields = Counter(field for record in answers for field in record.headers)
    codings = {
        (name, value): count
        for (name, value), count in fields.items()
        if name in ("Content-Encoding", "Transfer-Encoding")
    }
    assert codings == {
        ("Content-Encoding", "gzip"): 2,
        ("Content-Encoding", "br"): 1,
        ("Content-Encoding", "deflate"): 1,
        ("Content-Encoding", "zstd"): 1,
        ("Content-Encoding", "gzip, gzip"): 1,
        ("Transfer-Encoding", "chunked"): 2,
    }
    assert Counter(record.status for record in answers) == {
        200: 69, 301: 2, 302: 4, 308: 1, 404: 2, 500: 1,
    }  # fmt: skip
    assert Counter(record.media_type for record in answers) == {
        "text/html": 60,
        "text/plain": 8,
        "image/png": 1,
        "application/pdf": 1,
        "": 9,  # redirects, the 500, and a page
    }
    responses = [page for page in captures() if page.kind == "response" and not page.broken]
    assert [record.body for record in answers] == [page.body for page in responses]
    assert Counter(page.status for page in responses if page.status.startswith("HTTP/2")) == {
        "HTTP/2 200": 1,
        "HTTP/2 404": 1,
    }


def test_records_as_other_programs_write_them() -> None:
    data = CRAWL.read_bytes()
    records, _ = _records(data)
    heads = {}
    for record in records:
        if record.url in (BORES, BUOYS) and record.kind == "response":
            written = gzip.decompress(data[record.offset : record.offset + record.size])
            heads[record.url] = written.partition(b"<!")[0].splitlines(keepends=True)
    assert b"WARC-Target-URI: <%s>\r\n" % BORES.encode() in heads[BORES]
    assert heads[BUOYS][0] == b"WARC/0.18\n"
    assert {line[-2:] == b"\r\n" for line in heads[BUOYS]} == {False}
