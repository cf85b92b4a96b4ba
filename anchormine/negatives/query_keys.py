"""What queries, anchor texts and titles have in common that ask for the same page."""

from __future__ import annotations

from anchormine.filters.cleaning import clean_anchor
from anchormine.sampling.draws import hash64


def query_key(text: str) -> int:
    """The key of a query, an anchor's text, or a title: cleaned, case folded, single spaces; 64 bits.

    A text of which cleaning leaves nothing, such as a year, is taken as it is.
    """
    folded = " ".join((clean_anchor(text) or text).casefold().split())
    return hash64(0, "query", folded)


def page_key(page_id: str) -> int:
    """What stands for a page where pages are compared, 64 bits."""
    return hash64(0, "page", page_id)
