"""What queries, anchor texts and titles have in common that ask for the same page."""

from __future__ import annotations

from anchormine.filters.cleaning import clean_anchor
from anchormine.sampling.draws import hash64
from anchormine.text.case_folding import folded


def query_key(text: str) -> int:
    """The key of a query, an anchor's text, or a title: cleaned, case folded, single spaces; 64 bits.

    A text of which cleaning leaves nothing, such as a year, is taken as it is.
    """
    return hash64(0, "query", folded(clean_anchor(text) or text))


def anchor_keys(text: str, cleaning: str | None) -> set[int]:
    """The keys of the queries that an anchor's text makes.

    Args:
        text: as shown.
        cleaning: profile by which the folder's anchors were cleaned; None where they were not.
    """
    cleaned = clean_anchor(text, cleaning) if cleaning else ""
    return {query_key(text), query_key(cleaned)} if cleaned else {query_key(text)}


def sentence_key(sentence_id: str) -> int:
    """What stands for a sentence, 64 bits."""
    return hash64(0, "sentence", sentence_id)


def link_key(text: int, destination: int) -> int:
    """What stands for all links with a text to a page; takes its `query_key` and the page's `page_key`."""
    return hash64(0, "link", str(text), str(destination))


def page_key(page_id: str) -> int:
    """What stands for a page where pages are compared, 64 bits."""
    return hash64(0, "page", page_id)
