"""Ranks a corpus for many queries by BM25, part by part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from anchormine.negatives.postings import PostingsRanker
from anchormine.negatives.rank_keys import NO_KEY, TopK, best_keys, from_keys


class RankedPart(NamedTuple):
    """A part of a corpus, of whose documents some are ranked.

    Attributes:
        ranker: of the part.
        start: the first of its documents that is ranked.
        end: the one after the last.
        first: position of the first among the documents of all parts that are ranked.
    """

    ranker: PostingsRanker
    start: int
    end: int
    first: int


def rank_by_bm25(queries: Sequence[np.ndarray], parts: Iterable[RankedPart], k: int) -> TopK:
    """Finds the k best documents of each query, the same as in one index of all parts.

    Args:
        queries: the `term_key` of each query's terms, with repeats.
        parts: in order; one is in memory at a time.
        k: how many.

    Returns:
        [q, k]; documents without a term of the query are not among them.
    """
    terms = np.concatenate([*queries, np.empty(0, np.uint64)])
    ends = np.cumsum([len(query) for query in queries])
    distinct, places = np.unique(terms, return_inverse=True)
    best = [np.empty(0, np.uint64)] * len(queries)
    for part in parts:
        columns = part.ranker.columns(distinct)[places.reshape(-1)]  # [terms of all queries]
        for number, own in enumerate(np.split(columns, ends[:-1]) if len(queries) else ()):
            known = own[own >= 0]
            if len(known):
                scores = part.ranker.scores(known)[part.start : part.end]
                best[number] = best_keys(scores, part.first, k, best[number])
    keys = np.full((len(queries), k), NO_KEY)
    for number, found in enumerate(best):
        keys[number, : len(found)] = found
    return from_keys(keys)
