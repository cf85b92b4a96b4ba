"""All candidate pairs of one sentence, from the weights of its terms (HARP section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from anchormine.sampling.profiles import WeightProfile
from anchormine.sampling.weights import SpanWeights, TextWeights
from anchormine.tasks.acm import AcmChoice, choose_acm
from anchormine.tasks.drafts import (
    DOCUMENT,
    DRAWN_PAGE,
    NEGATIVE_DOCUMENT,
    NEGATIVE_QUERY,
    QUERY,
    Ask,
    Candidates,
    Draft,
    Refusal,
    StringUse,
    add_draft,
    terms_of,
)
from anchormine.tasks.qdm import anchor_string, occurrence_rank
from anchormine.tasks.queries import Query, anchor_query
from anchormine.tasks.rdp import NO_IMPORTANCE, RdpPair, rdp_pairs
from anchormine.tasks.sentence_anchors import CAPPED, SentenceAnchor

_TOGETHER = (NO_IMPORTANCE, CAPPED)  # reasons of which a sentence has one refusal for all its candidates


class Occurrence(NamedTuple):
    """An anchor with a destination, in its sentence."""

    anchor_id: str
    anchor: str
    start: int
    end: int
    destination: str


class LinkedSentence(NamedTuple):
    """A sentence and its anchors whose pages are in the input."""

    sentence_id: str
    text: str
    language: str | None
    anchors: list[Occurrence]


def add_candidates(
    sentence: LinkedSentence,
    weights: TextWeights,
    tasks: Sequence[str],
    profile: WeightProfile,
    seed: int,
    found: Candidates,
) -> list[StringUse]:
    """Adds the candidates of one sentence.

    Args:
        sentence: with at least one anchor.
        weights: of its terms, with one span for each anchor.
        tasks: which are wanted.
        profile: how to draw.
        seed: of the run.
        found: receives them.

    Returns:
        The uses of anchor strings, for QDM: its candidates are known only when those of all sentences are.
    """
    uses: list[StringUse] = []
    if "rqp" in tasks or "qdm" in tasks:
        for occurrence, span in zip(sentence.anchors, weights.spans, strict=True):
            query = anchor_query(occurrence.anchor_id, occurrence.anchor, span, profile, seed)
            if "rqp" in tasks:
                _add_rqp(sentence, occurrence, query, found)
            if "qdm" in tasks:
                uses.append(_string_use(sentence, occurrence, query, seed))
    if len(sentence.anchors) > 1:
        anchors = _with_importance(sentence, weights.spans)
        if "rdp" in tasks:
            _add_rdp(sentence, rdp_pairs(sentence.sentence_id, anchors, profile, seed), found)
        if "acm" in tasks:
            _add_acm(sentence, choose_acm(sentence.sentence_id, anchors, profile, seed), found)
    return uses


def _add_rqp(sentence: LinkedSentence, occurrence: Occurrence, query: Query | str, found: Candidates) -> None:
    anchor_id, anchor, page_id = occurrence.anchor_id, occurrence.anchor, occurrence.destination
    pair_id = f"rqp:{anchor_id}"
    if isinstance(query, str):
        found.refusals.append(Refusal("rqp", query, pair_id, sentence.sentence_id, anchor))
        return
    add_draft(
        found,
        Draft(pair_id, "rqp", sentence.sentence_id, anchor_id, query.text, terms_of(query.terms), page_id),
        Ask(pair_id, DOCUMENT, page_id),
        Ask(pair_id, NEGATIVE_QUERY, page_id, anchor_id, anchor),
    )


def _string_use(sentence: LinkedSentence, occurrence: Occurrence, query: Query | str, seed: int) -> StringUse:
    reason = query if isinstance(query, str) else ""
    text, terms = ("", []) if isinstance(query, str) else (query.text, terms_of(query.terms))
    return StringUse(
        anchor_string(occurrence.anchor),
        occurrence_rank(occurrence.anchor_id, seed),
        occurrence.anchor_id,
        sentence.sentence_id,
        occurrence.destination,
        text,
        terms,
        reason,
    )


def _with_importance(sentence: LinkedSentence, spans: Sequence[SpanWeights]) -> list[SentenceAnchor]:
    return [
        SentenceAnchor(occurrence.anchor_id, occurrence.anchor, occurrence.destination, span.importance)
        for occurrence, span in zip(sentence.anchors, spans, strict=True)
    ]


def _add_rdp(sentence: LinkedSentence, outcomes: Sequence[RdpPair | str], found: Candidates) -> None:
    _refuse(sentence, "rdp", outcomes, found)
    for pair_id, positive, negative in (pair for pair in outcomes if isinstance(pair, RdpPair)):
        add_draft(
            found,
            Draft(
                pair_id,
                "rdp",
                sentence.sentence_id,
                positive.anchor_id,
                sentence.text,
                [],
                positive.destination,
            ),
            Ask(pair_id, DOCUMENT, positive.destination),
            Ask(pair_id, NEGATIVE_DOCUMENT, negative.destination),
        )


def _add_acm(sentence: LinkedSentence, outcomes: Sequence[AcmChoice | str], found: Candidates) -> None:
    _refuse(sentence, "acm", outcomes, found)
    for pair_id, first, second, linked in (choice for choice in outcomes if isinstance(choice, AcmChoice)):
        add_draft(
            found,
            Draft(pair_id, "acm", sentence.sentence_id, first.anchor_id, None, [], second.destination),
            Ask(pair_id, QUERY, first.destination, first.anchor_id, first.anchor),
            Ask(pair_id, DOCUMENT, second.destination),
            Ask(pair_id, DRAWN_PAGE, "", linked=tuple(sorted(linked))),
        )


def _refuse(sentence: LinkedSentence, task: str, outcomes: Sequence[object], found: Candidates) -> None:
    """Adds the candidates that make no pair.

    Those beyond the cap are added together, and those of anchors that were not read: in a list that is one
    sentence there are thousands.
    """
    reasons = [outcome for outcome in outcomes if isinstance(outcome, str)]
    listed = [(reason, 1) for reason in reasons if reason not in _TOGETHER]
    listed += [(reason, reasons.count(reason)) for reason in _TOGETHER if reason in reasons]
    for reason, records in listed:
        found.refusals.append(Refusal(task, reason, None, sentence.sentence_id, sentence.text, records))
