"""Crawl files that tests make, and the real ones that they read where ANCHORMINE_DATA names a folder."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
import zstandard

from anchormine.archives.compression import Damage
from anchormine.hypertext.drafts import PageRead
from anchormine.hypertext.page_limits import PageLimits
from anchormine.web.captures import Capture, read_capture
from anchormine.web.html_reader import HtmlReader
from anchormine.web.records.crawl_records import CrawlRecord, RecordLimits, read_crawl

FOLDER = Path(os.environ.get("ANCHORMINE_DATA") or "nowhere") / "warc"
needs_crawls = pytest.mark.skipif(not FOLDER.is_dir(), reason="ANCHORMINE_DATA names no folder with crawls")

OK = "HTTP/1.1 200 OK\r\n"


def response(body: bytes, headers: str = "Content-Type: text/html\r\n", status: str = OK) -> bytes:
    """An HTTP response."""
    return (status + headers + "\r\n").encode() + body


def warc(
    block: bytes,
    *,
    url: str = "http://a.example/",
    kind: str = "response",
    length: object = None,
    fields: str = "",
    content_type: str = "application/http; msgtype=response",
) -> bytes:
    """A WARC record; its announced length may be another than that of the block."""
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"
        f"{fields}Content-Type: {content_type}\r\n"
    )
    if length != "":
        head += f"Content-Length: {len(block) if length is None else length}\r\n"
    return head.encode() + b"\r\n" + block + b"\r\n\r\n"


def arc(block: bytes, url: str = "http://a.example/", length: int | None = None) -> bytes:
    """An ARC record."""
    size = len(block) if length is None else length
    return f"{url} 1.2.3.4 20200102030405 text/html {size}\n".encode() + block + b"\n"


def page(number: int, size: int = 3000) -> bytes:
    """A page that does not compress well: members are of real sizes."""
    draws = Random(number)
    words = " ".join(str(draws.randrange(10**9)) for _ in range(size // 10))
    return f"<html><p>Page {number}. {words}</p></html>".encode()


def pages(count: int, size: int = 3000) -> list[bytes]:
    """The records of so many pages."""
    return [warc(response(page(n, size)), url=f"http://a.example/{n}") for n in range(count)]


def members(records: Iterable[bytes]) -> bytes:
    """Records as a crawler compresses them, each by itself."""
    return b"".join(gzip.compress(record, mtime=0) for record in records)


def frames(records: Iterable[bytes]) -> bytes:
    """The same with Zstandard."""
    return b"".join(zstandard.ZstdCompressor(write_checksum=True).compress(record) for record in records)


class Pipe:
    """A stream that cannot go back."""

    def __init__(self, data: bytes) -> None:
        self._stream = BytesIO(data)

    def read(self, size: int = -1, /) -> bytes:
        return self._stream.read(size)


def read(data: bytes, limits: RecordLimits | None = None) -> tuple[list[CrawlRecord], list[Damage]]:
    """Reads a file, and checks that its records and damages cover it without overlap, in order."""
    damages: list[Damage] = []
    records = list(read_crawl(BytesIO(data), damages, limits or RecordLimits()))
    spans = [(record.offset, record.size) for record in records]
    spans += [(damage.offset, damage.bytes_skipped) for damage in damages]
    covered = 0
    for offset, size in sorted(spans):
        assert offset == covered
        assert size >= 0
        covered += size
    assert covered == len(data)
    assert [record.offset for record in records] == sorted(record.offset for record in records)
    assert all(damage.of == "file" for damage in damages)
    return records, damages


def read_page(data: bytes, limits: RecordLimits | None = None) -> PageRead:
    """What becomes of a file's only record."""
    (record,), _ = read(data, limits)
    return read_capture(Capture(0, 0, "a.warc", record), HtmlReader(PageLimits()))


def urls(records: Iterable[CrawlRecord]) -> list[str]:
    """What the records are of, without the site."""
    return [record.url.removeprefix("http://a.example/") for record in records]
