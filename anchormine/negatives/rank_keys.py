"""A score and a document's position as one number, so that sorting numbers sorts rankings, ties included."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# Behind every document.
NO_KEY = np.uint64(2**64 - 1)
_SIGN = np.uint32(1 << 31)
_LOW = np.uint64(2**32 - 1)


class TopK(NamedTuple):
    """The best documents of each query, best first.

    Attributes:
        documents: their positions, [q, k] int64; of equal scores the first comes first. -1 where a query has
            fewer.
        scores: theirs, [q, k] float32.
    """

    documents: np.ndarray
    scores: np.ndarray


def rank_keys(scores: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Makes a number of each document: smaller for a higher score, then for an earlier position.

    Args:
        scores: [...] float32, no NaN.
        positions: [...] int, less than 2 ** 32 - 1.

    Returns:
        [...] uint64.
    """
    bits = (scores + np.float32(0)).view(np.uint32)  # -0 becomes 0, which is equal to it
    rising = np.where(bits & _SIGN, ~bits, bits | _SIGN)  # numbers in the order of the scores
    return (~rising).astype(np.uint64) << np.uint64(32) | positions.astype(np.uint64)


def from_keys(keys: np.ndarray) -> TopK:
    """What `rank_keys` was given, with -1 for the position of `NO_KEY`; [...] int64 and float32."""
    rising = ~(keys >> np.uint64(32)).astype(np.uint32)
    bits = np.where(rising & _SIGN, rising & ~_SIGN, ~rising)
    return TopK(np.where(keys == NO_KEY, -1, (keys & _LOW).astype(np.int64)), bits.view(np.float32))


def best_keys(scores: np.ndarray, first: int, k: int, held: np.ndarray) -> np.ndarray:
    """Merges the best documents of a query so far with those of another part of the corpus.

    Args:
        scores: of the part's documents, [n] float32; those of 0 are not found.
        first: position of the part's first document, behind all earlier ones.
        k: how many are kept.
        held: keys of the best so far, rising, [<= k] uint64.

    Returns:
        Keys of the best, rising, [<= k] uint64.
    """
    least = from_keys(held[-1:]).scores[0] if len(held) == k else np.float32(0)
    found = np.flatnonzero(scores > least)  # an equal score comes too late
    if not len(found):
        return held
    values = scores[found]
    if len(found) > k:
        kept = values >= np.partition(values, len(values) - k)[len(values) - k]
        found, values = found[kept], values[kept]
    keys = np.concatenate([held, rank_keys(values, found + first)])
    keys.sort()
    return keys[:k]
