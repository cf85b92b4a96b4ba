"""Links of real pages, read otherwise: from the tree, with its texts put together and urllib's addresses."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urljoin

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from anchormine.web.html_page import read_html
from anchormine.web.urls import canonical_url
from tests.web.case_files import model_of
from tests.web.real_pages import SAMPLES, RealPage, Sample, needs_crawls

pytestmark = [pytest.mark.data, needs_crawls]

COMPARED = 250  # characters but for white space: a link with more than 300 may end where a block does
IMAGES = ("img", "area")
UNSHOWN = ("script", "style", "noscript", "template")


def without_space(text: str) -> str:
    return "".join(text.split())[:COMPARED]


def shown(link: LexborNode) -> str:
    """The text of a link without white space; where it has none, what stands for its images, once each."""
    texts, alts = [], []
    nodes = [link]
    while nodes:
        node = nodes.pop()
        if node.tag == "-text":
            texts.append(node.text_content or "")
        elif node.tag in IMAGES:
            alts.append(node.attributes.get("alt") or "")
        elif node.tag not in UNSHOWN:
            nodes += reversed(list(node.iter(include_text=True)))
    return without_space("".join(texts)) or without_space("".join(dict.fromkeys(alts)))


def other_reading(page: RealPage) -> Counter[tuple[str, str]]:
    """Where the links of a page lead, and their texts."""
    tree = LexborHTMLParser(page.html)
    base = tree.css_first("base[href]")
    root = urljoin(page.url, base.attributes["href"] or "") if base else page.url
    return Counter(
        (canonical_url(urljoin(root, (link.attributes["href"] or "").strip())) or "", shown(link))
        for link in tree.css("a[href], area[href]")
    )


@pytest.mark.parametrize("sample", SAMPLES)
def test_links_are_those_of_the_tree(sample: Sample) -> None:
    """All are in both; those of the tree that ours has not, it has dropped, with a reason."""
    same = 0
    for page in sample.read():
        found = read_html(page.html, page.url, model_of, is_watched=True)
        ours = Counter((draft.address, without_space(draft.anchor)) for draft in found.anchors)
        theirs = other_reading(page)
        assert ours - theirs == Counter()
        assert (theirs - ours).total() == len(found.dropped)
        same += ours.total()
    assert same == sample.links
