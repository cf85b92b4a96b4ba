"""Which of the candidates become negatives: drawn by hashes of the pair and the page."""

from __future__ import annotations

import numpy as np

from anchormine.sampling.draws import hash64

# splitmix64 (Steele, Lea and Flood 2014)
_ROUNDS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
_LAST_SHIFT = np.uint64(31)


def choose(
    free: np.ndarray, names: np.ndarray, pair_ids: list[str], kept: int | None, count: int, seed: int
) -> list[np.ndarray]:
    """Draws negatives of pairs, all candidates equally likely.

    Args:
        free: which candidates may be drawn, [r, k] bool.
        names: a number for each candidate that is its own whatever its rank, [r, k] uint64.
        pair_ids: of the pairs.
        kept: so many are kept before negatives are drawn of these (Anchor-DR keeps 30 of 200); None for all.
        count: how many are drawn.
        seed: of the run.

    Returns:
        Ranks of each pair's negatives, rising; fewer than `count` where no more are free.
    """
    chosen = free
    for purpose, most in (("kept", kept), ("negatives", count)):
        if most is not None:
            chosen = _drawn(chosen, names, [hash64(seed, pair_id, purpose) for pair_id in pair_ids], most)
    return [np.flatnonzero(row) for row in chosen]


def _drawn(free: np.ndarray, names: np.ndarray, starts: list[int], count: int) -> np.ndarray:
    """The `count` of lowest number of each row, [r, k] bool."""
    numbers = _mixed(names ^ np.array(starts, np.uint64)[:, None])  # [r, k]
    numbers = np.where(free, numbers | np.uint64(1), np.uint64(2**64 - 1))
    drawn = np.zeros(free.shape, bool)
    np.put_along_axis(drawn, np.argsort(numbers, axis=1, kind="stable")[:, :count], True, axis=1)
    return drawn & free


def _mixed(numbers: np.ndarray) -> np.ndarray:
    """Numbers of 64 bits, every one of which depends on all of the number's."""
    for shift, factor in _ROUNDS:
        numbers = (numbers ^ (numbers >> np.uint64(shift))) * np.uint64(factor)
    return numbers ^ (numbers >> _LAST_SHIFT)
