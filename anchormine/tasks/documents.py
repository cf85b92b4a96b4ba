"""A page as a document of a pair, and why it cannot be one."""

from __future__ import annotations

from typing import NamedTuple

from anchormine.sampling.terms import count_words

EMPTY_DOCUMENT = "empty_document"  # the page has no such text
SHORT_DOCUMENT = "short_document"  # fewer words than --min-words
NO_PAGE = "no_page"  # the anchor's page is not in `pages/`


class Document(NamedTuple):
    """A page as a document: its text, and why it cannot be one, or ""."""

    page_id: str
    text: str
    reason: str


def document_problem(document: str, text: str, min_words: int) -> str:
    """Tells why a page cannot be a document, or "".

    Args:
        document: what would be the document: the page's lead, or its text.
        text: of the whole page; may be left out where `min_words` is 0.
        min_words: pages of fewer words are no documents.
    """
    if not document.strip():
        return EMPTY_DOCUMENT
    if min_words and count_words(text) < min_words:
        return SHORT_DOCUMENT
    return ""
