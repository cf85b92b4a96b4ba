"""Pairs on their way: what a sentence says of them, and what is still to be asked of pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

Terms = list[tuple[str, float]]

# What is asked of a page, and is answered for one place of a pair.
DOCUMENT = "document"  # the lead of the positive page
NEGATIVE_DOCUMENT = "negative_document"  # the lead of the negative page
NEGATIVE_QUERY = "negative_query"  # rqp: terms of the page, drawn by its [CLS] weights
QUERY = "query"  # acm: the same, before the anchor's words
DRAWN_PAGE = "drawn_page"  # acm: a page of the corpus, and its lead


class Draft(NamedTuple):
    """A candidate pair, as far as its sentence makes it.

    Attributes:
        pair_id: task, ":" and the anchors it is made of.
        task: one of `anchormine.schemas.pairs.TASKS`.
        sentence_id: the sentence.
        anchor_id: as in `anchormine.schemas.pairs.Pair`.
        query: of the positive side; None where a page's terms make it.
        query_terms: drawn for it.
        document_id: page_id of the positive page.
        slots: the answers without which it is no pair.
    """

    pair_id: str
    task: str
    sentence_id: str
    anchor_id: str
    query: str | None
    query_terms: Terms
    document_id: str
    slots: tuple[str, ...] = ()


class Ask(NamedTuple):
    """What a pair needs to know of a page.

    Attributes:
        pair_id: of the pair.
        slot: one of this module's constants.
        page_id: of the page; "" for `DRAWN_PAGE`.
        anchor_id: of the occurrence, for the draw of terms.
        anchor: its text.
        linked: for `DRAWN_PAGE`, pages that it may not be.
    """

    pair_id: str
    slot: str
    page_id: str
    anchor_id: str = ""
    anchor: str = ""
    linked: tuple[str, ...] = ()


class Answer(NamedTuple):
    """What a page says to a pair.

    Attributes:
        pair_id: of the pair.
        slot: as asked.
        reason: why there is no answer, or "".
        page_id: of the page.
        text: its lead, or the query made of it.
        terms: of the query.
    """

    pair_id: str
    slot: str
    reason: str
    page_id: str = ""
    text: str = ""
    terms: Terms | None = None


class Refusal(NamedTuple):
    """Candidates that make no pair.

    Attributes:
        task: of the candidates.
        reason: one word.
        record_id: of the pair, where there is an id for it.
        origin: sentence_id.
        excerpt: what it was about.
        records: how many candidates.
    """

    task: str
    reason: str
    record_id: str | None
    origin: str
    excerpt: str
    records: int = 1


class Candidates(NamedTuple):
    """What sentences or strings give for the tasks.

    Attributes:
        drafts: candidate pairs.
        asks: what these need of pages.
        refusals: candidates that make no pair.
    """

    drafts: list[Draft]
    asks: list[Ask]
    refusals: list[Refusal]


def no_candidates() -> Candidates:
    """Candidates to which others are added."""
    return Candidates([], [], [])


def add_draft(found: Candidates, draft: Draft, *asks: Ask) -> None:
    """Adds a candidate pair and all that it needs to know."""
    found.drafts.append(draft._replace(slots=tuple(ask.slot for ask in asks)))
    found.asks.extend(asks)


def terms_of(drawn: Iterable[tuple[str, float]]) -> Terms:
    """Drawn terms as plain values."""
    return [(term, weight) for term, weight in drawn]


class StringUse(NamedTuple):
    """An occurrence of an anchor's string, for QDM.

    Attributes:
        string: see `anchormine.tasks.qdm.anchor_string`.
        rank: the occurrences of lowest rank are taken.
        anchor_id: the occurrence.
        sentence_id: its sentence.
        destination: its page.
        query: RQP's positive query; "" with a reason.
        terms: drawn for it.
        reason: why there is no query, or "".
    """

    string: str
    rank: int
    anchor_id: str
    sentence_id: str
    destination: str
    query: str
    terms: Terms
    reason: str
