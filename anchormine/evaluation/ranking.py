"""A ranked list: the best documents of a query, always in the same order."""

from typing import NamedTuple

import numpy as np


class Ranking(NamedTuple):
    """The best documents of one query, best first.

    Attributes:
        documents: their numbers, [k] int.
        scores: [k] float32, never rising.
    """

    documents: np.ndarray
    scores: np.ndarray


# query_id -> its ranking
Rankings = dict[str, Ranking]


def top_documents(documents: np.ndarray, scores: np.ndarray, tie_ranks: np.ndarray, k: int) -> Ranking:
    """Picks the k best; documents with equal scores are in the order of `tie_ranks`.

    Args:
        documents: numbers of the candidates, [n] int.
        scores: theirs, [n] float32.
        tie_ranks: of all documents of the collection, [collection] int.
        k: how many; all where there are fewer.
    """
    if len(scores) > k:
        kth_best = np.partition(scores, len(scores) - k)[len(scores) - k]
        kept = scores >= kth_best  # all that tie with the last one compete for its place
        documents, scores = documents[kept], scores[kept]
    order = np.lexsort((tie_ranks[documents], -scores))[:k]
    return Ranking(documents[order], scores[order])
