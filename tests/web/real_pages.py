"""The pages of real crawls that tests read where ANCHORMINE_DATA names a folder with them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from warcio.archiveiterator import ArchiveIterator

FOLDER = Path(os.environ.get("ANCHORMINE_DATA") or "nowhere") / "warc"
needs_crawls = pytest.mark.skipif(not FOLDER.is_dir(), reason="ANCHORMINE_DATA names no folder with crawls")
_CHARSET = re.compile(r"charset=[\"']?([\w-]+)")


class RealPage(NamedTuple):
    """An HTML response of a crawl."""

    url: str
    status: str
    html: str


@cache
def pages(names: str) -> list[RealPage]:
    """The HTML responses of the crawl files with such names, in order."""
    return [page for path in sorted(FOLDER.glob(names)) for page in _pages_of(path)]


def _pages_of(path: Path) -> Iterator[RealPage]:
    with path.open("rb") as stream:
        for record in ArchiveIterator(stream, no_record_parse=False, arc2warc=True):
            headers = record.http_headers
            kind = (headers.get_header("Content-Type") or "").lower() if headers else ""
            if record.rec_type != "response" or "html" not in kind:
                continue
            body = record.content_stream().read()
            if body:
                url = record.rec_headers.get_header("WARC-Target-URI").strip("<>")
                yield RealPage(url, headers.get_statuscode(), _decoded(body, kind))


def _decoded(body: bytes, kind: str) -> str:
    declared = _CHARSET.search(kind)
    for encoding in (declared[1] if declared else "utf-8", "utf-8"):
        try:
            return body.decode(encoding)
        except (LookupError, UnicodeDecodeError):
            continue
    return body.decode("windows-1252", "replace")


class Sample(NamedTuple):
    """Pages of crawl files: every so many of those with such names; how many that are, and their links to
    other pages.
    """

    names: str
    every: int
    pages: int
    links: int

    def read(self) -> list[RealPage]:
        return pages(self.names)[:: self.every]


SAMPLES = [
    pytest.param(Sample(*sample), id=sample[0])
    for sample in (
        ("contextwiki-*", 5, 359, 8_402),
        ("mtawiki-*", 20, 150, 21_670),
        ("blackbook.warc*", 1, 135, 30_216),
        ("commoncrawl-*", 1, 31, 1_972),
        ("clueweb09-ja*", 1, 29, 2_689),
        ("iana*", 1, 18, 5_140),
        ("kiwix*", 1, 3, 220),
        ("http-return-codes*", 1, 4, 36),
    )
]
