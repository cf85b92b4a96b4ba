"""The query classifier's threshold: the score that a share of the corpus' distinct texts reaches.

Scores are whole numbers of ten-thousandths. So the threshold is found exactly, by counting how many texts
have each score, and every runner and number of workers comes to the same one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

CLASSIFIER = "classifier"  # the reason for which the anchors below the threshold are dropped
SCALE = 10_000
KEEP_SHARE = 0.25  # Anchor-DR's (SIGIR 2023, section 3.1)


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
