"""The pages of real crawls: every link is there once, its place exact; what is known of them comes out."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urldefrag, urljoin

import pytest
from selectolax.lexbor import LexborHTMLParser

from anchormine.schemas.anchors import CONTEXTS, REGIONS
from anchormine.text.pieces import PIECE_CHARACTERS
from anchormine.web.html_page import WebExtraction, read_html
from anchormine.web.urls import canonical_url
from tests.web.case_files import link_count, model_of
from tests.web.real_pages import SAMPLES, RealPage, Sample, needs_crawls, pages

pytestmark = [pytest.mark.data, needs_crawls]

# Of the 9,741, seven need the looser comparison, and one is of an image without text.
BLACKBOOK_INSIDE = 9_733
BLACKBOOK_DROPPED = {"self": 8_359, "scheme": 32, "no_text": 27}


def read(page: RealPage) -> WebExtraction:
    """Reads a page and checks all that holds for every page."""
    found = read_html(page.html, page.url, model_of, is_watched=True)
    assert len(found.anchors) + len(found.dropped) == link_count(page.html), page.url
    for draft in found.anchors:
        sentence = found.sentences[draft.sentence].text
        assert sentence[draft.start : draft.end] == draft.anchor == draft.anchor.strip() != ""
        assert draft.region in REGIONS
        assert draft.context in CONTEXTS
        assert draft.address == canonical_url(draft.target)
        assert draft.context == "sentence" or len(sentence) <= max(PIECE_CHARACTERS, len(draft.anchor))
    for text, start, _ in found.sentences:
        assert "\n" not in text
        assert start is None or found.text[start : start + len(text)] == text
    assert found.text.startswith(found.lead)
    return found


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_link_is_there_once(sample: Sample) -> None:
    read_pages = sample.read()
    assert len(read_pages) == sample.pages
    assert sum(len(read(page).anchors) for page in read_pages) == sample.links


def test_links_of_blackbook() -> None:
    """The figures of the data's README, by counting otherwise than with what is tested.

    37,592 are the links of the 94 pages with status 200 but for those within a page and to mail and scripts;
    9,741 lead to another of the 94, where "www.", the scheme and a slash at the end make no difference.
    """
    crawl = [page for page in pages("blackbook.warc*") if page.status == "200"]
    links = [
        (page.url, link.attributes["href"] or "")
        for page in crawl
        for link in LexborHTMLParser(page.html).css("a[href]")
    ]
    assert (len(crawl), len(links)) == (94, 37_826)
    counted = [(url, href) for url, href in links if not href.startswith(("#", "mailto:", "javascript:"))]
    assert len(counted) == 37_592
    known = {_loose(page.url) for page in crawl}
    assert sum(_loose(url) != _loose(urljoin(url, href)) in known for url, href in links) == 9_741
    found = [read(page) for page in crawl]
    reasons = Counter(reason for page in found for reason, _ in page.dropped)
    addresses = {canonical_url(page.url) for page in crawl}
    inside = sum(draft.address in addresses for page in found for draft in page.anchors)
    assert (sum(len(page.anchors) for page in found) + reasons.total(), inside) == (37_826, BLACKBOOK_INSIDE)
    assert reasons == BLACKBOOK_DROPPED


def _loose(url: str) -> str:
    return urldefrag(url)[0].partition("://")[2].removeprefix("www.").rstrip("/")


@pytest.mark.parametrize("names", ["contextwiki-00000*", "mtawiki-00000*"])
def test_wikis_have_text(names: str) -> None:
    sample = [read(page) for page in pages(names)[::50]]
    facts = [(page.title != "", page.text != "", page.language) for page in sample]
    assert facts == [(True, True, "en")] * 20
