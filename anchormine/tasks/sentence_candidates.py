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
    Draft,
    Refusal,
    StringUse,
)
from anchormine.tasks.qdm import anchor_string, occurrence_rank
from anchormine.tasks.queries import Query, anchor_query
from anchormine.tasks.rdp import RdpPair, rdp_pairs
from anchormine.tasks.sentence_anchors import SentenceAnchor


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


class Candidates(NamedTuple):
    """What sentences give for the tasks.

    Attributes:
        drafts: candidate pairs; QDM's come later, when all uses of a string are known.
        asks: what these need of pages.
        refusals: candidates that make no pair.
        strings: for QDM.
    """

    drafts: list[Draft]
    asks: list[Ask]
    refusals: list[Refusal]
    strings: list[StringUse]


def add_candidates(
    sentence: LinkedSentence,
    weights: TextWeights,
    tasks: Sequence[str],
    profile: WeightProfile,
    seed: int,
    found: Candidates,
) -> None:
    """Adds the candidates of one sentence.

    Args:
        sentence: with at least one anchor.
        weights: of its terms, with one span for each anchor.
        tasks: which are wanted.
        profile: how to draw.
        seed: of the run.
        found: receives them.
    """
    if "rqp" in tasks or "qdm" in tasks:
        for occurrence, span in zip(sentence.anchors, weights.spans, strict=True):
            query = anchor_query(occurrence.anchor_id, occurrence.anchor, span, profile, seed)
            if "rqp" in tasks:
                _add_rqp(sentence, occurrence, query, found)
            if "qdm" in tasks:
                found.strings.append(_string_use(sentence, occurrence, query, seed))
    if len(sentence.anchors) > 1:
        anchors = _with_importance(sentence, weights.spans)
        if "rdp" in tasks:
            _add_rdp(sentence, anchors, profile, seed, found)
        if "acm" in tasks:
            _add_acm(sentence, anchors, profile, seed, found)


def _add_rqp(sentence: LinkedSentence, occurrence: Occurrence, query: Query | str, found: Candidates) -> None:
    pair_id = f"rqp:{occurrence.anchor_id}"
    if isinstance(query, str):
        found.refusals.append(Refusal("rqp", query, pair_id, sentence.sentence_id, occurrence.anchor))
        return
    draft = Draft(
        pair_id,
        "rqp",
        sentence.sentence_id,
        occurrence.anchor_id,
        query.text,
        [(term, weight) for term, weight in query.terms],
        occurrence.destination,
        (DOCUMENT, NEGATIVE_QUERY),
    )
    found.drafts.append(draft)
    found.asks.append(Ask(pair_id, DOCUMENT, occurrence.destination))
    found.asks.append(
        Ask(pair_id, NEGATIVE_QUERY, occurrence.destination, occurrence.anchor_id, occurrence.anchor)
    )


def _string_use(sentence: LinkedSentence, occurrence: Occurrence, query: Query | str, seed: int) -> StringUse:
    reason = query if isinstance(query, str) else ""
    text, terms = (
        ("", []) if isinstance(query, str) else (query.text, [(term, weight) for term, weight in query.terms])
    )
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


def _add_rdp(
    sentence: LinkedSentence,
    anchors: Sequence[SentenceAnchor],
    profile: WeightProfile,
    seed: int,
    found: Candidates,
) -> None:
    for outcome in rdp_pairs(sentence.sentence_id, anchors, profile, seed):
        if not isinstance(outcome, RdpPair):
            found.refusals.append(Refusal("rdp", outcome, None, sentence.sentence_id, sentence.text))
            continue
        positive, negative = outcome.positive, outcome.negative
        found.drafts.append(
            Draft(
                outcome.pair_id,
                "rdp",
                sentence.sentence_id,
                positive.anchor_id,
                sentence.text,
                [],
                positive.destination,
                (DOCUMENT, NEGATIVE_DOCUMENT),
            )
        )
        found.asks.append(Ask(outcome.pair_id, DOCUMENT, positive.destination))
        found.asks.append(Ask(outcome.pair_id, NEGATIVE_DOCUMENT, negative.destination))


def _add_acm(
    sentence: LinkedSentence,
    anchors: Sequence[SentenceAnchor],
    profile: WeightProfile,
    seed: int,
    found: Candidates,
) -> None:
    for choice in choose_acm(sentence.sentence_id, anchors, profile, seed):
        if not isinstance(choice, AcmChoice):
            found.refusals.append(Refusal("acm", choice, None, sentence.sentence_id, sentence.text))
            continue
        first, second = choice.first, choice.second
        found.drafts.append(
            Draft(
                choice.pair_id,
                "acm",
                sentence.sentence_id,
                first.anchor_id,
                None,
                [],
                second.destination,
                (QUERY, DOCUMENT, DRAWN_PAGE),
            )
        )
        found.asks.append(Ask(choice.pair_id, QUERY, first.destination, first.anchor_id, first.anchor))
        found.asks.append(Ask(choice.pair_id, DOCUMENT, second.destination))
        found.asks.append(Ask(choice.pair_id, DRAWN_PAGE, "", linked=tuple(sorted(choice.linked))))
