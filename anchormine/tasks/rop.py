"""ROP, representative words prediction: of two word sets drawn for a page the likelier one (PROP, WSDM 2021).

The statistics of the corpus come first: `anchormine.sampling.term_counts` counts the terms of documents,
`CollectionModel` is made of all counts, and sets are drawn for each document from its model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anchormine.sampling.collection_model import CollectionModel
from anchormine.sampling.document_model import DocumentModel, draw_set_pairs
from anchormine.tasks.drafts import Refusal
from anchormine.tasks.word_set_pairs import NO_WORDS, PageSets, page_sets

ROP = "rop"


def rop_sets(
    page_id: str, words: Sequence[str], terms: Sequence[str], collection: CollectionModel, seed: int
) -> Iterator[PageSets | Refusal]:
    """Yields the pairs of word sets of a page, and refusals that stand for those it does not give.

    Args:
        page_id: of the page; the draw hangs on it.
        words: of its text, as `TermReader.words` finds them.
        terms: that these count as.
        collection: the corpus.
        seed: of the run.
    """
    document = DocumentModel(collection, terms)
    if not document.known_words:
        yield Refusal(ROP, NO_WORDS, None, page_id, " ".join(words[:20]), collection.profile.sets)
        return
    written = {} if words is terms else dict(zip(reversed(terms), reversed(words), strict=True))
    yield from page_sets(ROP, page_id, draw_set_pairs(document, written, seed, page_id))
