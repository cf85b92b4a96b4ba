# SPDX-License-Identifier: Apache-2.0
"""The demo crawl as a web: which pages it has, and where their links lead, worked out from their sources."""

from __future__ import annotations

from functools import cache
from urllib.parse import urljoin

from tests.demo.crawl_captures import YEAR_BEFORE, Capture, captures
from tests.demo.crawl_links import PageLink, PageLinks

LIGHTHOUSE, TIDES, SIGNALS = (
    "https://lighthouse.example/",
    "https://tides.example/",
    "https://signals.example/",
)
HARBOUR, BOATS = "http://harbour.example/", "https://www.boats.example/"
LENS = LIGHTHOUSE + "optics/fresnel-lens.html"
LOST = BOATS + "sculling.html"


@cache
def pages() -> dict[str, PageLinks]:
    """The pages that are to be written, by URL."""
    return {page.url: _read(page) for page in captures() if _is_page(page) and page.day != YEAR_BEFORE}


def _is_page(page: Capture) -> bool:
    is_html = page.status.split()[1] == "200" and "html" in (page.content_type or "html")
    return is_html and bool(page.body) and page.kind != "revisit" and not page.broken and not _is_deep(page)


def _is_deep(page: Capture) -> bool:
    return page.url == SIGNALS + "deep.html"


def _read(page: Capture) -> PageLinks:
    encodings = {
        "https://leuchtturm.example/": "cp1252",
        "https://toudai.example/": "cp932",
        HARBOUR + "guide/pilots.html": "cp1252",
    }
    return PageLinks(page.url, page.body.decode(encodings.get(page.url, "utf-8-sig")))


def older() -> PageLinks:
    """The page that a later capture supersedes."""
    (page,) = (page for page in captures() if page.day == YEAR_BEFORE)
    return _read(page)


def _destination(url: str) -> str | None:
    """Where a link leads: the last page on its way, None for none."""
    moved = {page.url: urljoin(page.url, page.location) for page in captures() if page.location}
    seen: set[str] = set()
    last = None
    while url not in seen:
        seen.add(url)
        page = pages().get(url)
        last = url if page else last
        url = (page.proper if page else moved.get(url)) or url
        url = url.partition("#")[0]
    return last


def expected_links() -> list[tuple[str, PageLink, str | None]]:
    """Every link that is to be written: URL of its page, the link, URL of the page that it leads to."""
    found = [(url, link, _destination(link.url)) for url, page in pages().items() for link in page.links]
    return [row for row in found if row[0] != row[2]]
