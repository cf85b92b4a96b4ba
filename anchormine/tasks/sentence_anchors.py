"""The anchors of one sentence and the pairs of them, for the tasks that compare destinations (RDP, ACM)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple, TypeVar

import numpy as np

from anchormine.sampling.draws import race
from anchormine.tasks.qdm import anchor_string

P = TypeVar("P")
# Pairs made of a sentence; one that lists fifty links would make 1,225.
PAIRS_PER_SENTENCE = 3
# Anchors that they are drawn from: a list run together to one sentence can have hundreds.
ANCHORS_PER_SENTENCE = 32
EQUAL_DESTINATION = "equal_destination"
CAPPED = "capped"  # the sentence has made as many pairs as it may


class SentenceAnchor(NamedTuple):
    """An anchor of a sentence.

    Attributes:
        anchor_id: of the occurrence.
        anchor: the text as shown.
        destination: page_id of the page linked to.
        importance: [CLS] attention to it (`SpanWeights.importance`); None where it has none.
    """

    anchor_id: str
    anchor: str
    destination: str
    importance: float | None = None


def merge_repeats(anchors: Sequence[SentenceAnchor]) -> list[SentenceAnchor]:
    """Makes one anchor of those with the same string and destination, as beta_w does with equal words.

    The first occurrence stands for all, with the sum of their importances.
    """
    merged: dict[tuple[str, str], SentenceAnchor] = {}
    for anchor in anchors:
        key = (anchor_string(anchor.anchor), anchor.destination)
        seen = merged.get(key)
        if seen is None or seen.importance is None:
            merged[key] = anchor if seen is None else seen._replace(importance=anchor.importance)
        elif anchor.importance is not None:
            merged[key] = seen._replace(importance=seen.importance + anchor.importance)
    return list(merged.values())


def thin_out(
    anchors: list[SentenceAnchor], weights: np.ndarray, seed: int, *parts: str
) -> list[SentenceAnchor]:
    """Samples `ANCHORS_PER_SENTENCE` anchors of a sentence with more, by weight [A]; keeps their order."""
    if len(anchors) <= ANCHORS_PER_SENTENCE:
        return anchors
    names = [anchor.anchor_id for anchor in anchors]
    return [anchors[at] for at in sorted(race(names, weights, ANCHORS_PER_SENTENCE, seed, *parts))]


def take_first(outcomes: Iterable[P | str], most: int, total: int) -> list[P | str]:
    """Takes outcomes until `most` pairs are made; what is left of `total` candidates is `CAPPED`.

    Args:
        outcomes: a pair or a reason for each candidate.
        most: how many pairs.
        total: how many candidates there are.
    """
    taken: list[P | str] = []
    made = 0
    for outcome in outcomes:
        taken.append(outcome)
        made += not isinstance(outcome, str)
        if made == most:
            break
    return taken + [CAPPED] * (total - len(taken))


def in_order(count: int) -> list[tuple[int, int]]:
    """All pairs i < j of `count` anchors."""
    return list(combinations(range(count), 2))
