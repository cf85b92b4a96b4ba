"""Representative document prediction: which of a sentence's destinations it is about (HARP section 3.3).

The query is the whole sentence; the page of the anchor of higher importance is to be ranked above the
other's. An anchor's importance is the [CLS] attention averaged over its pieces, summed over repeats, and
normalised over the sentence's anchors to p(a). Two anchors are sampled by p(a); the profile `code` takes all
pairs i < j.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from anchormine.sampling.draws import race
from anchormine.sampling.profiles import WeightProfile
from anchormine.tasks.sentence_anchors import (
    EQUAL_DESTINATION,
    PAIRS_PER_SENTENCE,
    SentenceAnchor,
    in_order,
    merge_repeats,
    take_first,
    thin_out,
)

NO_IMPORTANCE = "no_importance"  # the encoder did not see the whole anchor
TIE = "tie"


class RdpPair(NamedTuple):
    """Two anchors of a sentence, the more important one first."""

    pair_id: str
    positive: SentenceAnchor
    negative: SentenceAnchor


def importances(anchors: Sequence[SentenceAnchor]) -> np.ndarray:
    """p(a) [A]: the importance of each anchor over the sum of all, which must not be None."""
    values = np.array([anchor.importance for anchor in anchors], np.float64)  # [A]
    total = values.sum()
    return values / total if total > 0 else np.full(len(values), 1 / max(1, len(values)))  # [A]


def rdp_pairs(
    sentence_id: str,
    anchors: Sequence[SentenceAnchor],
    profile: WeightProfile,
    seed: int,
    most: int = PAIRS_PER_SENTENCE,
) -> list[RdpPair | str]:
    """Makes the pairs of one sentence.

    Args:
        sentence_id: the draw hangs on it.
        anchors: of the sentence, in order.
        profile: which pairs to take.
        seed: of the run.
        most: pairs made of a sentence, unless the profile takes all.

    Returns:
        For each two of the anchors (of distinct string or page, unless the profile takes all) a pair, or
        `NO_IMPORTANCE`, `EQUAL_DESTINATION`, `TIE` or `CAPPED`. Empty for a sentence of one anchor.
    """
    if profile.anchor_pairs == "all":
        # so its program: all of the sentence or none
        if any(anchor.importance is None for anchor in anchors):
            return [NO_IMPORTANCE] * math.comb(len(anchors), 2)
        return [_compare(anchors[i], anchors[j]) for i, j in in_order(len(anchors))]
    merged = merge_repeats(anchors)
    known = [anchor for anchor in merged if anchor.importance is not None]
    drawn = thin_out(known, importances(known), seed, sentence_id, "rdp anchors")
    compared = (_compare(drawn[i], drawn[j]) for i, j in _sampled(sentence_id, drawn, seed))
    outcomes = take_first(compared, most, math.comb(len(known), 2))
    return outcomes + [NO_IMPORTANCE] * (math.comb(len(merged), 2) - math.comb(len(known), 2))


def _sampled(sentence_id: str, anchors: list[SentenceAnchor], seed: int) -> list[tuple[int, int]]:
    """All pairs in the order in which sampling two anchors by p(a), again and again, would draw them."""
    if len(anchors) < 2:
        return []
    chances = importances(anchors)  # [A]
    pairs = in_order(len(anchors))
    i, j = np.array(pairs).T  # [P], [P]
    rest = np.maximum(1 - chances, np.finfo(float).tiny)  # [A]
    both = chances[i] * chances[j] * (1 / rest[i] + 1 / rest[j])  # [P] first i then j, or first j then i
    names = [f"{anchors[a].anchor_id} {anchors[b].anchor_id}" for a, b in pairs]
    return [pairs[index] for index in race(names, both, len(pairs), seed, sentence_id, "rdp")]


def _compare(first: SentenceAnchor, second: SentenceAnchor) -> RdpPair | str:
    if first.destination == second.destination:
        return EQUAL_DESTINATION
    if first.importance == second.importance:
        return TIE
    if (first.importance or 0) < (second.importance or 0):
        first, second = second, first
    return RdpPair(f"rdp:{first.anchor_id}:{second.anchor_id}", first, second)
