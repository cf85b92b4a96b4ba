"""WLP, wiki link prediction (Chang et al., ICLR 2020, section 3), which Anchor-DR and HARP are compared with.

The query is a random sentence of a page's first section, the document a random passage of another page, one
that links to it. A page takes as many of the pages that link to it as it has pairs, all equally likely. A
page gives its passages in turn to those of the pages it links to that took it, each as often as it may, but
none that has the sentence itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from anchormine.sampling.draws import hash64
from anchormine.schemas.pairs import Pair, positive_pair
from anchormine.tasks.anchor_document import DUPLICATE, SELF
from anchormine.tasks.documents import NO_PAGE
from anchormine.tasks.drafts import Refusal
from anchormine.tasks.in_links import InLink, InLinks, Link, LinkText
from anchormine.tasks.page_passages import EQUAL_TEXTS, FEW_PASSAGES, FEW_SENTENCES, PagePassages, drawn
from anchormine.tasks.sentence_anchors import CAPPED

WLP = "wlp"


class LeadQueries(NamedTuple):
    """The sentences of a page's first section that were drawn for queries.

    Attributes:
        page_id: of the page.
        reason: why there is none, or "".
        queries: (number of the sentence in the lead, its text) of each, in the order drawn.
    """

    page_id: str
    reason: str
    queries: list[tuple[int, str]]


class LinkedQuery(NamedTuple):
    """A query on its way to the page whose passage is its document.

    Attributes:
        page_id: of that page, which links to the query's.
        anchor_id: the link.
        sentence_id: where it stands.
        query_page_id: the page that the query is of.
        number: of the sentence in the lead of that page.
        query: the sentence.
    """

    page_id: str
    anchor_id: str
    sentence_id: str
    query_page_id: str
    number: int
    query: str


class LinkingPassages(NamedTuple):
    """The passages of a page, for the pages that it links to.

    Attributes:
        page_id: of the page.
        reason: why it can be no document, or "".
        passages: (number, text) of each, in the order in which they are drawn.
    """

    page_id: str
    reason: str
    passages: list[tuple[int, str]]


def link_by_source(link: Link) -> InLink | str:
    """Takes a link as one of those of the page that it stands on, or tells why it makes no pair."""
    if link.source == link.destination:
        return SELF
    return InLink(link.anchor_id, link.text, link.sentence_id, link.destination, link.source)


def lead_queries(page: PagePassages, seed: int) -> LeadQueries:
    """Draws the queries of a page."""
    numbers = drawn(page.lead_queries, seed, page.page_id, WLP, "sentence")[: page.options.pairs_per_page]
    return LeadQueries(
        page.page_id, page.lead_problem, [(number, page.lead_queries[number]) for number in numbers]
    )


def linking_passages(page: PagePassages, reason: str, seed: int) -> LinkingPassages:
    """Draws the passages of a page.

    Args:
        page: all of its passages can be drawn.
        reason: why it can be no document, or "".
        seed: of the run.
    """
    if reason:
        return LinkingPassages(page.page_id, reason, [])
    numbers = drawn(range(len(page.passages)), seed, page.page_id, WLP)
    return LinkingPassages(
        page.page_id, "", [(number, page.text[slice(*page.passages[number])]) for number in numbers]
    )


def ask_linking_pages(links: InLinks, lead: LeadQueries | None) -> Iterator[LinkedQuery | Refusal]:
    """Yields what becomes of the links to a page: a query each, and refusals that stand for all other links.

    Args:
        links: to the page, by the pages that link.
        lead: of the page; None if there is no such page.
    """
    reason = lead.reason if lead else NO_PAGE
    queries = [] if lead is None or reason else lead.queries
    for place, text in enumerate(links.texts):
        if place < len(queries):
            number, query = queries[place]
            yield LinkedQuery(text.string, text.anchor_id, text.sentence_id, links.page_id, number, query)
        else:
            yield _refused(reason or FEW_SENTENCES, text)
        if text.occurrences > 1:
            pair_id, others = f"{WLP}:{text.anchor_id}", text.occurrences - 1
            yield Refusal(WLP, DUPLICATE, pair_id, links.page_id, text.anchor, others)
    if links.beyond:
        yield Refusal(WLP, CAPPED, None, links.page_id, "", links.beyond)


def wlp_pairs(
    queries: Iterable[LinkedQuery], page: LinkingPassages | None, most: int, seed: int
) -> Iterator[Pair | Refusal]:
    """Yields the pairs whose documents are passages of one page, and refusals of queries that get none.

    Args:
        queries: to the page, in any order.
        page: of that page_id; None if there is none.
        most: pairs that a passage is in.
        seed: of the run.
    """
    passages = page.passages if page else []
    free = [(0, number) for number in range(len(passages))]
    for asked in sorted(queries, key=lambda one: _rank(one, seed)):
        taken = _take(free, asked.query, passages)
        if taken is not None:
            uses, number = taken
            if uses + 1 < most:
                heappush(free, (uses + 1, number))
            yield _pair(asked, *passages[number])
        else:
            reason = EQUAL_TEXTS if free else _no_passage(page)
            yield Refusal(WLP, reason, f"{WLP}:{asked.anchor_id}", asked.sentence_id, asked.query)


def _take(
    free: list[tuple[int, int]], query: str, passages: Sequence[tuple[int, str]]
) -> tuple[int, int] | None:
    """Takes the first of the passages that may be given away and do not have a query; None where all have it.

    Args:
        free: a heap: of each such passage how often it was given, and its place.
        query: the sentence.
        passages: (number, text) of each.
    """
    passed = []
    while free and query in passages[free[0][1]][1]:
        passed.append(heappop(free))
    taken = heappop(free) if free else None
    for turn in passed:
        heappush(free, turn)
    return taken


def _no_passage(page: LinkingPassages | None) -> str:
    if page is None:
        return NO_PAGE
    return page.reason or (CAPPED if page.passages else FEW_PASSAGES)


def _rank(asked: LinkedQuery, seed: int) -> tuple[int, str]:
    return hash64(seed, asked.page_id, WLP, asked.query_page_id), asked.query_page_id


def query_page(pair_id: str) -> str:
    """The page that a pair's query is a sentence of."""
    return pair_id.removeprefix(f"{WLP}:").partition("#l")[0]


def _pair(asked: LinkedQuery, number: int, document: str) -> Pair:
    pair_id = f"{WLP}:{asked.query_page_id}#l{asked.number}:{asked.page_id}#p{number}"
    return positive_pair(WLP, pair_id, asked.query, document, asked.page_id, anchor_id=asked.anchor_id)


def _refused(reason: str, text: LinkText) -> Refusal:
    return Refusal(WLP, reason, f"{WLP}:{text.anchor_id}", text.sentence_id, text.anchor)
