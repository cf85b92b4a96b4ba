"""The content of a wiki's pages, as its own markup says, and how near a text is to it."""

from __future__ import annotations

import re
from collections import Counter

from selectolax.lexbor import LexborHTMLParser

from tests.web.real_pages import RealPage

_CONTENT = ".mw-parser-output"
_TITLE = "#firstHeading,#page-title"
# What a wiki puts into its content for those who edit or steer, and what no one sees.
_APART = "script,style,noscript,.mw-editsection,.toc,.navbox,.printfooter,.catlinks,.noprint"
_WORDS = re.compile(r"\w+")


def truth(page: RealPage) -> str | None:
    """The text of the elements that the site marks as the title and content of the page; None without one."""
    tree = LexborHTMLParser(page.html)
    content = tree.css_first(_CONTENT)
    if content is None:
        return None
    for node in reversed(content.css(_APART)):
        node.decompose()
    title = tree.css_first(_TITLE)
    return f"{title.text() if title else ''} {content.text(separator=' ')}"


def f1(one: Counter, other: Counter) -> float:
    """F1 of two bags of words; 1 where both are empty."""
    both = (one & other).total()
    total = one.total() + other.total()
    return 2 * both / total if total else 1.0


def words(text: str) -> Counter:
    """The words of a text."""
    return Counter(_WORDS.findall(text.lower()))
