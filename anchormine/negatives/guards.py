"""Guards against false negatives: candidates that may well be right answers are no negatives.

| guard | a candidate is dropped that is |
|---|---|
| positive | the destination itself, or another passage of it |
| same_query | a page that the same query, or an anchor of the same text, leads to anywhere |
| alias | a page whose title, or the title of a redirect to it, is the query |
| source | the page that the query was taken from |
| same_text | equal to the positive, but for case and white space |
| near_duplicate | as good as equal to it, by MinHash |
| margin | not scored lower than the positive by as much as asked for |

Each candidate is counted under the first guard that it meets, in this order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

GUARDS = ("positive", "same_query", "alias", "source", "same_text", "near_duplicate", "margin")
KEPT = 0  # of a candidate that no guard drops; a guard's number is its place in GUARDS, and 1


class Known(NamedTuple):
    """Pages that are known to answer queries.

    Attributes:
        queries: keys of queries, rising, [n] uint64.
        pages: keys of pages, [n] uint64; rising among those of a query.
    """

    queries: np.ndarray
    pages: np.ndarray

    @classmethod
    def of(cls, pairs: np.ndarray) -> Known:
        """Takes pairs of keys (query, page), [n, 2] uint64, in any order and with repeats."""
        order = np.lexsort((pairs[:, 1], pairs[:, 0]))
        return cls(pairs[order, 0], pairs[order, 1])


class Candidates(NamedTuple):
    """The candidates of some pairs, and what of these the guards look at.

    Attributes:
        scores: of each pair's candidates, [r, k] float32.
        present: False where a pair has fewer candidates, [r, k] bool.
        pages: keys of their pages, [r, k] uint64.
        texts: hashes of their texts, [r, k] uint64.
        similar: whether they are near-duplicates of the positive, [r, k] bool.
        queries: keys of the queries, [r] uint64.
        positive_pages: keys of the destinations, [r] uint64.
        positive_texts: hashes of the positives, [r] uint64.
        sources: keys of the pages that the queries are from, 0 for none, [r, 2] uint64.
        most: a candidate's highest score, [r] float32; None where there is no such guard.
    """

    scores: np.ndarray
    present: np.ndarray
    pages: np.ndarray
    texts: np.ndarray
    similar: np.ndarray
    queries: np.ndarray
    positive_pages: np.ndarray
    positive_texts: np.ndarray
    sources: np.ndarray
    most: np.ndarray | None


def guard(candidates: Candidates, same_query: Known, aliases: Known) -> np.ndarray:
    """Tells which guard drops each candidate.

    Args:
        candidates: of some pairs.
        same_query: pages by the queries and anchors that lead to them.
        aliases: pages by their titles and redirects.

    Returns:
        Numbers of guards, 1 for the first of `GUARDS`; `KEPT` for none, and where there is no candidate;
        [r, k] uint8.
    """
    found = (
        candidates.pages == candidates.positive_pages[:, None],
        _known(candidates, same_query),
        _known(candidates, aliases),
        (candidates.pages[:, :, None] == candidates.sources[:, None, :]).any(axis=2),
        candidates.texts == candidates.positive_texts[:, None],
        candidates.similar,
        _too_high(candidates),
    )
    reasons = np.zeros(candidates.pages.shape, np.uint8)
    for number in range(len(GUARDS), 0, -1):  # the first comes last, and stays
        reasons[found[number - 1]] = number
    reasons[~candidates.present] = KEPT
    return reasons


def _too_high(candidates: Candidates) -> np.ndarray:
    if candidates.most is None:
        return np.zeros(candidates.pages.shape, bool)
    return candidates.scores > candidates.most[:, None]


def _known(candidates: Candidates, known: Known) -> np.ndarray:
    """Whether a candidate is known to answer its query, [r, k] bool."""
    dropped = np.zeros(candidates.pages.shape, bool)
    starts = np.searchsorted(known.queries, candidates.queries, "left")
    ends = np.searchsorted(known.queries, candidates.queries, "right")
    for row in np.flatnonzero(starts < ends).tolist():
        pages = known.pages[starts[row] : ends[row]]
        places = np.searchsorted(pages, candidates.pages[row]).clip(max=len(pages) - 1)
        dropped[row] = pages[places] == candidates.pages[row]
    return dropped
