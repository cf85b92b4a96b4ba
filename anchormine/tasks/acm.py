"""Anchor co-occurrence modelling: which page is linked in the same sentence (HARP section 3.3).

Two anchors of a sentence lead to the pages P1 and P2. The query is l terms drawn from P1 by [CLS] attention,
then the first anchor's words; P2 is to be ranked above a page of the corpus that the sentence does not link
to.

It takes three steps, because the pages are elsewhere: `choose_acm` with the sentence, `acm_query` once P1's
weights are there, and `draw_page` with a part of the corpus.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from anchormine.sampling.draws import draw_length, hash64, race
from anchormine.sampling.profiles import WeightProfile
from anchormine.sampling.weights import TermWeights
from anchormine.tasks.queries import Query, draw_query
from anchormine.tasks.sentence_anchors import (
    EQUAL_DESTINATION,
    PAIRS_PER_SENTENCE,
    SentenceAnchor,
    in_order,
    merge_repeats,
    take_first,
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
    chosen = (_choose(drawn[i], drawn[j], linked) for i, j in _sampled(sentence_id, drawn, seed))
    return take_first(chosen, most, math.perm(len(merged), 2))


def acm_query(pair_id: str, anchor: str, page: TermWeights, profile: WeightProfile, seed: int) -> Query | str:
    """Draws the query of one choice.

    Args:
        pair_id: of the choice; the draw hangs on it.
        anchor: text of the first anchor.
        page: weights of P1's terms relative to [CLS].
        profile: how to draw.
        seed: of the run.

    Returns:
        The query, or `NO_TERMS` (of P1).
    """
    count = draw_length(profile, seed, pair_id, "length")
    return draw_query(page, count, profile, seed, pair_id, "terms", anchor=anchor)


def draw_page(pair_id: str, linked: Sequence[str], usable: Sequence[str], seed: int) -> str | None:
    """Draws the negative page of one choice from a part of the corpus.

    Args:
        pair_id: of the choice; the draw hangs on it.
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


def _sampled(sentence_id: str, anchors: list[SentenceAnchor], seed: int) -> list[tuple[int, int]]:
    pairs = list(permutations(range(len(anchors)), 2))
    names = [f"{anchors[i].anchor_id} {anchors[j].anchor_id}" for i, j in pairs]
    return [pairs[index] for index in race(names, np.ones(len(pairs)), len(pairs), seed, sentence_id, "acm")]


def _choose(first: SentenceAnchor, second: SentenceAnchor, linked: frozenset[str]) -> AcmChoice | str:
    if first.destination == second.destination:
        return EQUAL_DESTINATION
    return AcmChoice(f"acm:{first.anchor_id}:{second.anchor_id}", first, second, linked)
