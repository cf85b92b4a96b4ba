"""An anchor: one occurrence of a link, a row of `anchors/` and of `filtered/`."""

from typing import NamedTuple

import pyarrow as pa

from anchormine.schemas.tables import schema_of

REGIONS = ("body", "list", "table", "caption", "header", "footer", "nav", "aside")
# What the column `sentence` holds: a sentence; a whole block, where that has no sentences (a cell, an item, a
# menu), or a piece of what is too long; or, where nothing is known of the page, the anchor alone.
CONTEXTS = ("sentence", "block", "anchor")


class Anchor(NamedTuple):
    """A link with the sentence it stands in.

    The number of an in-link of ClueWeb22 on its page is not known: its ids are of the page that it leads to.

    Attributes:
        anchor_id: page_id, "#a" and a number; of an in-link of ClueWeb22 the id of the page that it leads to,
            "#i" and a number.
        anchor: the text as shown.
        sentence: the sentence; sentence[start:end] == anchor, always.
        start: first character of the anchor in the sentence.
        end: character after its last.
        sentence_id: page_id, "#s" and a number; of an in-link of ClueWeb22 as `anchor_id`.
        sentence_start: of the sentence in the page's text; None where the text does not hold it.
        source_page_id: the page that links.
        target: as written on a wiki (before "|", without fragment), the resolved URL on the web,
            without fragment.
        fragment: the link's own, else the first of the redirects it goes through to the page.
        destination_page_id: the page linked to, redirects followed; None when it is not in the input.
        region: one of `REGIONS`.
        rel: of a link on the web.
        language: of the page.
        gaps: how many templates, formulas or pieces of code were left out of the sentence.
        image_alt: whether the anchor is the text that stands for an image, which is all that is linked.
        context: what the sentence is, one of `CONTEXTS`.
        source_url: of the page that links, in a crawl.
    """

    anchor_id: str
    anchor: str
    sentence: str
    start: int
    end: int
    sentence_id: str
    sentence_start: int | None
    source_page_id: str
    target: str
    fragment: str | None
    destination_page_id: str | None
    region: str
    rel: str | None
    language: str | None
    gaps: int
    image_alt: bool = False
    context: str = "sentence"
    source_url: str | None = None


ANCHORS = schema_of(Anchor, start=pa.int32(), end=pa.int32(), sentence_start=pa.int32(), gaps=pa.int32())
