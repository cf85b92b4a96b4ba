"""The query classifier's threshold: the score that a share of the corpus' distinct texts reaches.

Scores are whole numbers of ten-thousandths. So the threshold is found exactly, by counting how many texts
have each score, and every runner and number of workers comes to the same one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

CLASSIFIER = "classifier"  # the reason for which the anchors below the threshold are dropped
SCALE = 10_000
KEEP_SHARE = 0.25  # Anchor-DR's (SIGIR 2023, section 3.1)


class TextCounts(NamedTuple):
    """What the classifier has decided.

    Attributes:
        texts: distinct ones that were scored.
        kept: how many of them.
        threshold: the score that these reach; None where there are no texts.
    """

    texts: int
    kept: int
    threshold: float | None


def count_texts(histogram: Mapping[int, int], share: float) -> TextCounts:
    """Counts the texts that reach the threshold; see `find_threshold`."""
    threshold = find_threshold(histogram, share)
    if threshold is None:
        return TextCounts(0, 0, None)
    kept = sum(count for score, count in histogram.items() if score >= threshold)
    return TextCounts(sum(histogram.values()), kept, threshold / SCALE)


def find_threshold(histogram: Mapping[int, int], share: float) -> int | None:
    """The highest score that at least a share of texts reaches.

    Texts of equal score stay or go together: those at the threshold are all kept, also where they are more
    than the share.

    Args:
        histogram: how many distinct texts have a score, by score.
        share: of the texts, above 0 and up to 1.

    Returns:
        The score; None where there are no texts.
    """
    wanted = math.ceil(Fraction(str(share)) * sum(histogram.values()))
    reached = 0
    for score in sorted(histogram, reverse=True):
        reached += histogram[score]
        if reached >= wanted:
            return score
    return None
