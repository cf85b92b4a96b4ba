"""What pages answer to the pairs that ask for them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from anchormine.sampling.draws import hash64
from anchormine.sampling.profiles import WeightProfile
from anchormine.sampling.weights import SpanText, TermWeights, Weigher
from anchormine.tasks.acm import NO_NEGATIVE, acm_query, draw_page
from anchormine.tasks.documents import NO_PAGE
from anchormine.tasks.drafts import DRAWN_PAGE, NEGATIVE_QUERY, QUERY, Answer, Ask, terms_of
from anchormine.tasks.rqp import negative_query


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
        query = acm_query(ask.pair_id, ask.anchor, weights[ask.page_id], profile, seed)
    else:
        return Answer(ask.pair_id, ask.slot, "", ask.page_id, page.lead)
    if isinstance(query, str):
        return Answer(ask.pair_id, ask.slot, query)
    return Answer(ask.pair_id, ask.slot, "", ask.page_id, query.text, terms_of(query.terms))


class CorpusParts(NamedTuple):
    """The parts of a corpus that negative pages are drawn from.

    Attributes:
        numbers: of the parts, in order.
        ends: how many pages that can be documents are in a part and all before it.
    """

    numbers: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, usable_pages: Mapping[int, int]) -> CorpusParts:
        """Makes them of the number of usable pages of each part."""
        numbers = sorted(usable_pages)
        return cls(tuple(numbers), tuple(accumulate(usable_pages[number] for number in numbers)))


def draw_part(pair_id: str, parts: CorpusParts, seed: int) -> int:
    """Draws the part that a negative page is drawn from: each page that can be one is equally likely.

    Args:
        pair_id: the draw hangs on it.
        parts: of the corpus.
        seed: of the run.

    Returns:
        The part's number; 0 where no part has a usable page.
    """
    if not parts.ends or not parts.ends[-1]:
        return 0
    return parts.numbers[bisect_right(parts.ends, hash64(seed, pair_id, "part") % parts.ends[-1])]
