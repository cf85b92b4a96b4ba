"""What pages answer to the pairs that ask for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from anchormine.sampling.draws import draw_length, hash64
from anchormine.sampling.profiles import WeightProfile
from anchormine.sampling.weights import SpanText, TermWeights, Weigher
from anchormine.tasks.acm import DRAWS, NO_NEGATIVE
from anchormine.tasks.drafts import DRAWN_PAGE, NEGATIVE_QUERY, QUERY, Answer, Ask
from anchormine.tasks.queries import draw_query
from anchormine.tasks.rqp import negative_query

EMPTY_DOCUMENT = "empty_document"  # the page has no lead
SHORT_DOCUMENT = "short_document"  # fewer words than --min-words
NO_PAGE = "no_page"  # the anchor's page is not in `pages/`


class LeadPage(NamedTuple):
    """A page as a document: its lead, and why it cannot be one, or ""."""

    page_id: str
    lead: str
    language: str | None
    reason: str


def answer_asks(
    asks: Iterable[Ask], pages: Sequence[LeadPage], weigher: Weigher, profile: WeightProfile, seed: int
) -> Iterator[Answer]:
    """Answers what pairs ask of a part of the corpus; every page is weighed once, and only if it has to be.

    Args:
        asks: sorted.
        pages: of the part, sorted by page_id.
        weigher: of the page's terms relative to [CLS].
        profile: how to draw.
        seed: of the run.
    """
    asked = list(asks)
    by_id = {page.page_id: page for page in pages}
    usable = [page.page_id for page in pages if not page.reason]
    wanted = sorted({ask.page_id for ask in asked if ask.slot in (NEGATIVE_QUERY, QUERY)})
    texts = [by_id[page_id] for page_id in wanted if page_id in by_id and not by_id[page_id].reason]
    weighed = weigher.weigh([SpanText(page.lead, (), page.language) for page in texts])
    weights = {page.page_id: found.cls for page, found in zip(texts, weighed, strict=True)}
    for ask in asked:
        yield _answer(ask, by_id, usable, weights, profile, seed)


def _answer(
    ask: Ask,
    pages: Mapping[str, LeadPage],
    usable: Sequence[str],
    weights: Mapping[str, TermWeights],
    profile: WeightProfile,
    seed: int,
) -> Answer:
    if ask.slot == DRAWN_PAGE:
        page_id = draw_page(ask.pair_id, ask.linked, usable, seed)
        if page_id is None:
            return Answer(ask.pair_id, ask.slot, NO_NEGATIVE)
        return Answer(ask.pair_id, ask.slot, "", page_id, pages[page_id].lead)
    page = pages.get(ask.page_id)
    if page is None or page.reason:
        return Answer(ask.pair_id, ask.slot, page.reason if page else NO_PAGE)
    if ask.slot == NEGATIVE_QUERY:
        query = negative_query(ask.anchor_id, ask.anchor, weights[ask.page_id], profile, seed)
    elif ask.slot == QUERY:
        count = draw_length(profile, seed, ask.pair_id, "length")
        query = draw_query(
            weights[ask.page_id], count, profile, seed, ask.pair_id, "terms", anchor=ask.anchor
        )
    else:
        return Answer(ask.pair_id, ask.slot, "", ask.page_id, page.lead)
    if isinstance(query, str):
        return Answer(ask.pair_id, ask.slot, query)
    return Answer(
        ask.pair_id, ask.slot, "", ask.page_id, query.text, [(term, weight) for term, weight in query.terms]
    )


def draw_page(pair_id: str, linked: Sequence[str], usable: Sequence[str], seed: int) -> str | None:
    """Draws a page of a part of the corpus that a sentence does not link to.

    Args:
        pair_id: the draw hangs on it.
        linked: page_ids that it may not be.
        usable: page_ids of the part that can be documents, sorted.
        seed: of the run.

    Returns:
        A page_id, or None where `DRAWS` draws have found only linked pages.
    """
    for number in range(DRAWS if usable else 0):
        page_id = usable[hash64(seed, pair_id, "negative", str(number)) % len(usable)]
        if page_id not in linked:
            return page_id
    return None


def draw_part(pair_id: str, usable_pages: Mapping[int, int], seed: int) -> int | None:
    """Draws the part of the corpus that a negative page is drawn from, by its number of usable pages.

    Args:
        pair_id: the draw hangs on it.
        usable_pages: of each part.
        seed: of the run.
    """
    total = sum(usable_pages.values())
    if not total:
        return None
    place = hash64(seed, pair_id, "part") % total
    for part in sorted(usable_pages):
        place -= usable_pages[part]
        if place < 0:
            return part
    return None
