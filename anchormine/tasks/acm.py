"""Anchor co-occurrence modelling: which page is linked in the same sentence (HARP section 3.3).

Two anchors of a sentence lead to the pages P1 and P2. The query is l terms drawn from P1 by [CLS] attention,
then the first anchor's words; P2 is to be ranked above a page of the corpus that the sentence does not link
to.

It takes two steps, because the terms are P1's: `choose_acm` with the sentence, `acm_pair` once P1's weights
are there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from anchormine.sampling.draws import DrawnTerm, draw_length, race
from anchormine.sampling.profiles import WeightProfile
from anchormine.sampling.weights import TermWeights
from anchormine.tasks.queries import draw_query
from anchormine.tasks.sentence_anchors import (
    CAPPED,
    EQUAL_DESTINATION,
    PAIRS_PER_SENTENCE,
    SentenceAnchor,
    in_order,
    merge_repeats,
    thin_out,
)

NO_NEGATIVE = "no_negative"  # every page drawn is linked in the sentence
DRAWS = 16  # pages tried for the negative side; HARP's program tries 100


class AcmChoice(NamedTuple):
    """Two anchors of a sentence, and all pages that it links to.

    Attributes:
        pair_id: task and both anchors.
        first: its page gives the terms of the query, its words end it.
        second: its page is the positive one.
        linked: page_ids that cannot be the negative one.
    """

    pair_id: str
    first: SentenceAnchor
    second: SentenceAnchor
    linked: frozenset[str]


class AcmPair(NamedTuple):
    """A query about P1 with P2 and a page that the sentence does not link to."""

    pair_id: str
    query: str
    query_terms: list[DrawnTerm]
    document_id: str
    negative_document_id: str


def choose_acm(
    sentence_id: str,
    anchors: Sequence[SentenceAnchor],
    profile: WeightProfile,
    seed: int,
    most: int = PAIRS_PER_SENTENCE,
) -> list[AcmChoice | str]:
    """Chooses the pairs of anchors of one sentence.

    Args:
        sentence_id: the draw hangs on it.
        anchors: of the sentence, in order.
        profile: all pairs i < j, or a sample of ordered pairs, all equally likely.
        seed: of the run.
        most: pairs made of a sentence, unless the profile takes all.

    Returns:
        For each ordered pair of the anchors (of distinct string or page; in a profile that takes all, for
        each two anchors) a choice, or `EQUAL_DESTINATION`, or `CAPPED`. Empty for a sentence of one
        anchor.
    """
    linked = frozenset(anchor.destination for anchor in anchors)
    if profile.anchor_pairs == "all":
        return [_choose(anchors[i], anchors[j], linked) for i, j in in_order(len(anchors))]
    merged = merge_repeats(anchors)
    drawn = thin_out(merged, np.ones(len(merged)), seed, sentence_id, "acm anchors")
    outcomes: list[AcmChoice | str] = []
    for i, j in _sampled(sentence_id, drawn, seed):
        outcomes.append(_choose(drawn[i], drawn[j], linked))
        if sum(isinstance(outcome, AcmChoice) for outcome in outcomes) == most:
            break
    return outcomes + [CAPPED] * (math.perm(len(merged), 2) - len(outcomes))


def acm_pair(
    choice: AcmChoice, page: TermWeights, draw_page: Callable[[int], str], profile: WeightProfile, seed: int
) -> AcmPair | str:
    """Makes the pair of one choice.

    Args:
        choice: from `choose_acm`.
        page: weights of P1's terms relative to [CLS].
        draw_page: gives the page_id of the corpus that is drawn k-th for this pair, k = 0, 1, ...; it should
            hang on the seed and on `choice.pair_id` alone.
        profile: how to draw.
        seed: of the run.

    Returns:
        The pair, or `NO_TERMS` (of P1), or `NO_NEGATIVE`.
    """
    count = draw_length(profile, seed, choice.pair_id, "length")
    query = draw_query(page, count, profile, seed, choice.pair_id, "terms", anchor=choice.first.anchor)
    if isinstance(query, str):
        return query
    drawn = (draw_page(number) for number in range(DRAWS))
    negative = next((page_id for page_id in drawn if page_id not in choice.linked), None)
    if negative is None:
        return NO_NEGATIVE
    return AcmPair(choice.pair_id, *query, choice.second.destination, negative)


def _sampled(sentence_id: str, anchors: list[SentenceAnchor], seed: int) -> list[tuple[int, int]]:
    pairs = list(permutations(range(len(anchors)), 2))
    names = [f"{anchors[i].anchor_id} {anchors[j].anchor_id}" for i, j in pairs]
    return [pairs[index] for index in race(names, np.ones(len(pairs)), len(pairs), seed, sentence_id, "acm")]


def _choose(first: SentenceAnchor, second: SentenceAnchor, linked: frozenset[str]) -> AcmChoice | str:
    if first.destination == second.destination:
        return EQUAL_DESTINATION
    return AcmChoice(f"acm:{first.anchor_id}:{second.anchor_id}", first, second, linked)
