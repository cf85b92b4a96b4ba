"""Long crawls, made for measuring memory: of pages that differ, however alike."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

_ADDRESS = re.compile(rb"^(WARC-Target-URI: https?://)", re.MULTILINE)
_HOSTS = 997


def of_other_host(path: Path, number: int) -> bytes:
    """A crawl file whose records say that they are of another host; nothing else is changed."""
    crawl = gzip.decompress(path.read_bytes())
    return gzip.compress(_ADDRESS.sub(rb"\g<1>h%d." % number, crawl), 1)


def small_pages(count: int, links: int) -> Iterator[bytes]:
    """Yields gzip members that are the records of a crawl of small pages, which link to each other."""
    for number in range(count):
        others = [(number * 7 + link * 13) % count for link in range(links)]
        items = "".join(f"<li><a href=http://h{n % _HOSTS}.test/p{n}>words of {n}</a>" for n in others)
        page = (
            f"<html lang=en><title>T{number}</title><p>Some text of page {number}, and more.</p><ul>{items}"
        )
        url = f"http://h{number % _HOSTS}.test/p{number}"
        answer = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}".encode()
        head = (
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
            f"WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http\r\n"
            f"Content-Length: {len(answer)}\r\n\r\n"
        )
        yield gzip.compress(head.encode() + answer + b"\r\n\r\n", 1, mtime=0)
