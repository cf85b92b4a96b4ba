"""Pairs from drafts and the answers to what they asked."""

from __future__ import annotations

from collections.abc import Mapping

from anchormine.schemas.pairs import Pair
from anchormine.tasks.drafts import (
    DOCUMENT,
    DRAWN_PAGE,
    NEGATIVE_DOCUMENT,
    NEGATIVE_QUERY,
    QUERY,
    Answer,
    Draft,
    Refusal,
    Terms,
)


def finish_pair(draft: Draft, answers: Mapping[str, Answer]) -> Pair | Refusal:
    """Makes a pair of a draft.

    Args:
        draft: the candidate.
        answers: one for each of its slots.

    Returns:
        The pair, or why there is none: of several reasons the one of the first slot.
    """
    for slot in draft.slots:
        if answers[slot].reason:
            return Refusal(
                draft.task, answers[slot].reason, draft.pair_id, draft.sentence_id, draft.query or ""
            )
    query, terms = draft.query or "", draft.query_terms
    if QUERY in draft.slots:
        query, terms = answers[QUERY].text, answers[QUERY].terms or []
    document = answers[DOCUMENT]
    negative_query, negative_terms = query, None
    if NEGATIVE_QUERY in draft.slots:
        negative_query, negative_terms = answers[NEGATIVE_QUERY].text, answers[NEGATIVE_QUERY].terms or []
    negative = next((answers[slot] for slot in (NEGATIVE_DOCUMENT, DRAWN_PAGE) if slot in answers), document)
    return Pair(
        pair_id=draft.pair_id,
        task=draft.task,
        query=query,
        document=document.text,
        negative_query=negative_query,
        negative_document=negative.text,
        document_id=document.page_id,
        negative_document_id=negative.page_id,
        sentence_id=draft.sentence_id,
        anchor_id=draft.anchor_id,
        query_terms=_as_records(terms),
        negative_query_terms=None if negative_terms is None else _as_records(negative_terms),
    )


def _as_records(terms: Terms) -> list[dict[str, object]]:
    return [{"term": term, "weight": weight} for term, weight in terms]
