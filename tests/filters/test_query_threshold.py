"""The threshold: the exact quantile of scores, ties kept."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from anchormine.filters.query_threshold import TextCounts, count_texts, find_threshold


@pytest.mark.parametrize(
    ("scores", "share", "threshold"),
    [
        ([], 0.25, None),
        ([5], 0.25, 5),
        ([4, 3, 2, 1], 0.25, 4),
        ([4, 3, 2, 1], 0.26, 3),
        ([4, 3, 2, 1], 1.0, 1),
        ([4, 4, 4, 1], 0.25, 4),
        ([-7, -7, 3], 0.5, -7),
        # A share is what is written: the number that stands for 0.1 is larger, and 0.07 * 100 is more than 7.
        (range(30), 0.1, 27),
        (range(100), 0.07, 93),
    ],
)
def test_small_ones(scores: list[int], share: float, threshold: int | None) -> None:
    assert find_threshold(Counter(scores), share) == threshold


def test_counts_of_texts() -> None:
    assert count_texts(Counter([40_000, 40_000, 10_000, -5]), 0.3) == TextCounts(4, 2, 4.0)
    assert count_texts(Counter(), 0.3) == TextCounts(0, 0, None)


@pytest.mark.parametrize("share", [0.01, 0.2, 0.25, 0.5, 0.999])
def test_against_a_sort(share: float) -> None:
    scores = np.random.default_rng(3).normal(0, 300, 5000).astype(int).tolist()
    threshold = find_threshold(Counter(scores), share)
    assert threshold == sorted(scores, reverse=True)[-(-round(share * 1000) * 5000 // 1000) - 1]
    assert sum(score >= threshold for score in scores) >= share * 5000 > sum(s > threshold for s in scores)
