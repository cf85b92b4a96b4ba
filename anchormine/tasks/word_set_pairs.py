"""Pairs of two word sets and the page that both were drawn for: rop and bprop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from anchormine.sampling.word_sets import SetPair
from anchormine.schemas.pairs import Pair
from anchormine.tasks.drafts import Refusal, Terms

NO_WORDS = "no_words"  # nothing in the page's text can be drawn


class PageSets(NamedTuple):
    """Two word sets of a page, before its text is put beside them.

    Attributes:
        task: "rop" or "bprop".
        pair_id: task, page and the number of the pair.
        page_id: of the page.
        terms: of the likelier set.
        negative_terms: of the other.
    """

    task: str
    pair_id: str
    page_id: str
    terms: Terms
    negative_terms: Terms


def page_sets(task: str, page_id: str, drawn: Sequence[SetPair | str]) -> Iterator[PageSets | Refusal]:
    """Yields the pairs of a page's word sets; those without a preference as refusals."""
    for number, pair in enumerate(drawn):
        pair_id = f"{task}:{page_id}#w{number}"
        if isinstance(pair, str):
            yield Refusal(task, pair, pair_id, page_id, "")
        else:
            yield PageSets(task, pair_id, page_id, pair.likelier.terms, pair.other.terms)


def word_set_pair(sets: PageSets, text: str) -> Pair:
    """The pair of two word sets and the text that both were drawn for."""
    return Pair(
        pair_id=sets.pair_id,
        task=sets.task,
        query=_query(sets.terms),
        document=text,
        negative_query=_query(sets.negative_terms),
        negative_document=text,
        document_id=sets.page_id,
        negative_document_id=sets.page_id,
        sentence_id=None,
        anchor_id=None,
        query_terms=_as_records(sets.terms),
        negative_query_terms=_as_records(sets.negative_terms),
    )


def _query(terms: Terms) -> str:
    return " ".join(word for word, _ in terms)


def _as_records(terms: Terms) -> list[dict[str, object]]:
    return [{"term": word, "weight": weight} for word, weight in terms]
