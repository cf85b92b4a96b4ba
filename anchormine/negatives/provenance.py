"""Where the query of a pair comes from, and so what leads to pages that may answer it as well.

| task | its query | pages that may answer it |
|---|---|---|
| rqp, qdm | words of a sentence, then an anchor's | of the query, the anchor's text, the sentence |
| acm | words of a page, then of an anchor that leads there | the same; the page is one of the sentence's |
| rdp | a sentence | of the query, of the sentence |
| wlp | a sentence of a page | of the query; pages that link to its page |
| anchor_document | an anchor's text | of the query; pages that link to its page with it |
| others | words or a part of the page itself | of the query |
"""

from __future__ import annotations

from typing import NamedTuple

from anchormine.negatives.answers import ALIAS, LINKING_PAGE, SAME_QUERY, SAME_SENTENCE, SOURCE
from anchormine.negatives.query_keys import link_key, page_key, query_key, sentence_key
from anchormine.schemas.pairs import HARP_TASKS
from anchormine.tasks.anchor_document import ANCHOR_DOCUMENT
from anchormine.tasks.queries import anchor_words
from anchormine.tasks.wlp import WLP, query_page

_ANCHOR_TASKS = ("rqp", "qdm", "acm")  # whose queries end with an anchor
NO_KEY = 0


class PairRow(NamedTuple):
    """The columns of `pairs/<task>/` that are read, and the number of terms drawn for the query."""

    pair_id: str
    query: str
    document: str
    document_id: str
    sentence_id: str | None
    anchor_id: str | None
    terms: int


class Provenance(NamedTuple):
    """What the guards look answers up by; `NO_KEY` stands for none.

    Attributes:
        texts: `query_key` of the query, and of the text of the anchor that it ends with.
        context: of what links to other answers: the sentence, the page whose sentence the query is, or the
            text and destination of a link.
        sources: `page_key` of the pages that the query is from.
    """

    texts: tuple[int, int]
    context: int
    sources: tuple[int, int]


def answer_kinds(task: str) -> tuple[str, ...]:
    """The kinds of known answers that queries of a task have."""
    if task in HARP_TASKS:
        return (SAME_QUERY, ALIAS, SAME_SENTENCE)
    of_links = {WLP: LINKING_PAGE, ANCHOR_DOCUMENT: SOURCE}
    return (SAME_QUERY, ALIAS, of_links[task]) if task in of_links else (SAME_QUERY, ALIAS)


def provenance(task: str, pair: PairRow) -> Provenance:
    """Tells where the query of a pair comes from."""
    anchor = anchor_words(pair.query, pair.terms) if task in _ANCHOR_TASKS else ""
    texts = (query_key(pair.query), query_key(anchor) if anchor else NO_KEY)
    if task == WLP:
        page = page_key(query_page(pair.pair_id))
        return Provenance(texts, page, (page, NO_KEY))
    context = NO_KEY
    if task in HARP_TASKS and pair.sentence_id:
        context = sentence_key(pair.sentence_id)
    elif task == ANCHOR_DOCUMENT:
        context = link_key(texts[0], page_key(pair.document_id))
    return Provenance(texts, context, (_source(pair.anchor_id), _source(pair.sentence_id)))


def _source(occurrence_id: str | None) -> int:
    """The key of the page that an anchor or a sentence stands on: its id is that before the "#"."""
    return page_key(occurrence_id.rpartition("#")[0]) if occurrence_id else NO_KEY
