"""Anchor-document pairs: the text of a link, and the page that it leads to (Anchor-DR, SIGIR 2023).

A page gives a pair for each of the texts that are kept of the links to it (`anchormine.tasks.in_links`). The
query is the text as it stands, the document the page's main text, or its lead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from anchormine.errors import UsageError
from anchormine.schemas.anchors import REGIONS
from anchormine.schemas.pairs import Pair, positive_pair
from anchormine.tasks.documents import NO_PAGE, Document
from anchormine.tasks.drafts import Refusal
from anchormine.tasks.in_links import IN_LINKS_PER_PAGE, InLink, InLinks, Link, LinkText
from anchormine.tasks.qdm import anchor_string
from anchormine.tasks.sentence_anchors import CAPPED

ANCHOR_DOCUMENT = "anchor_document"
DOCUMENTS = ("text", "lead")
DUPLICATE = "duplicate"  # another link to the page has the same text, and stands for it
SELF = "self"  # the page links to itself
REGION = "region"  # the link stands in a part of its page that was left out
EMPTY_QUERY = "empty_query"  # nothing is left of the anchor's text


@dataclass(frozen=True)
class AnchorDocumentOptions:
    """How anchors and documents are paired.

    Attributes:
        document: what the document is, one of `DOCUMENTS`: the page's main text, or its lead.
        in_links: texts that are kept of the links to a page.
        regions: where links may stand, of `anchormine.schemas.anchors.REGIONS`; None for all.
    """

    document: str = "text"
    in_links: int = IN_LINKS_PER_PAGE
    regions: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.document not in DOCUMENTS:
            raise UsageError(f"--document {self.document}: one of {', '.join(DOCUMENTS)}")
        if self.in_links < 1:
            raise UsageError(f"--in-links {self.in_links}: give 1 or more")
        unknown = sorted({*(self.regions or ())} - {*REGIONS})
        if unknown:
            raise UsageError(f"--regions {unknown[0]}: of {', '.join(REGIONS)}")


def link_by_text(link: Link, options: AnchorDocumentOptions) -> InLink | str:
    """Takes a link as one of those of its text, or tells why it makes no pair, whatever its page is like."""
    if link.source == link.destination:
        return SELF
    if options.regions is not None and link.region not in options.regions:
        return REGION
    if not link.text.strip():
        return EMPTY_QUERY
    return InLink(link.anchor_id, link.text, link.sentence_id, link.destination, anchor_string(link.text))


def anchor_document_pairs(links: InLinks, document: Document | None) -> Iterator[Pair | Refusal]:
    """Yields what becomes of the links to a page: pairs, and refusals that stand for all other links.

    Args:
        links: to the page, of the whole corpus.
        document: the page; None if there is none of that id.
    """
    reason = document.reason if document else NO_PAGE
    for text in links.texts:
        pair_id = f"{ANCHOR_DOCUMENT}:{text.anchor_id}"
        if document is None or reason:
            yield Refusal(ANCHOR_DOCUMENT, reason, pair_id, text.sentence_id, text.anchor)
        else:
            yield _pair(pair_id, text, document)
        if text.occurrences > 1:
            others = text.occurrences - 1
            yield Refusal(ANCHOR_DOCUMENT, DUPLICATE, pair_id, links.page_id, text.anchor, others)
    if links.beyond:
        yield Refusal(ANCHOR_DOCUMENT, CAPPED, None, links.page_id, "", links.beyond)


def _pair(pair_id: str, text: LinkText, document: Document) -> Pair:
    return positive_pair(
        ANCHOR_DOCUMENT,
        pair_id,
        text.anchor,
        document.text,
        document.page_id,
        sentence_id=text.sentence_id,
        anchor_id=text.anchor_id,
        occurrences=text.occurrences,
    )
