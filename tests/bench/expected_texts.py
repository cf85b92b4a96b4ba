"""Pages of the web with the article that each is to give, as Mozilla's Readability is tested.

The source of its port to Go has them (`test-pages` of https://github.com/go-shiori/go-readability; what is
said of them here is of version v0.0.0-20251205110129-5db1dc9836f0): 118 pages of news, blogs, wikis and the
like in several languages, one of which `listed_texts` has too. The articles are what Readability gives, as
its authors have looked them through.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from anchormine.web.encodings.charsets import decode_text
from tests.web.real_pages import RealPage

_ADDRESS = "http://fakehost/test/page.html"  # in Readability's tests


def expected_texts(source: Path) -> Iterator[tuple[RealPage, str]]:
    """Yields the pages of go-readability's source, and the text of the article of each."""
    for expected in sorted(source.glob("test-pages/*/expected.html")):
        page, article = (
            decode_text(path.read_bytes(), "text/html; charset=utf-8").text
            for path in (expected.with_name("source.html"), expected)
        )
        tree = LexborHTMLParser(article)
        tree.strip_tags(["script", "style"])
        yield RealPage(_ADDRESS, "200", page), tree.body.text(separator=" ") if tree.body else ""
