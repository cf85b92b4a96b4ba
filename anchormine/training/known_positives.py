"""Which documents a query is known to find: an anchor's words may lead to several pages."""

from __future__ import annotations

from array import array
from itertools import pairwise

import numpy as np

from anchormine.negatives.documents import page_of
from anchormine.sampling.draws import hash64
from anchormine.text.case_folding import folded


class KnownPositives:
    """The positives of queries that have several, 16 bytes a pair while they are added.

    Queries are equal where they differ in case and blanks alone.
    """

    def __init__(self) -> None:
        self._queries, self._documents = array("Q"), array("Q")
        self._several: dict[int, frozenset[int]] | None = None

    def add(self, query: str, document_id: str) -> None:
        """Takes a pair."""
        self._queries.append(_key(query))
        self._documents.append(document_key(document_id))
        self._several = None

    def of(self, query: str) -> frozenset[int]:
        """Keys of the documents that a query is known to find; empty where there is at most one."""
        if self._several is None:
            self._several = _grouped(np.array(self._queries), np.array(self._documents))
        return self._several.get(_key(query), frozenset())


def document_key(document_id: str) -> int:
    """What stands for a document in `KnownPositives.of`: its page, for the passages of a page are as good.

    A positive has its page's id, a mined passage has a number behind it.
    """
    return hash64(0, "document", page_of(document_id))


def _key(query: str) -> int:
    return hash64(0, "query", folded(query))


def _grouped(queries: np.ndarray, documents: np.ndarray) -> dict[int, frozenset[int]]:
    """Documents by query, of the queries that have several.

    Args:
        queries: keys [n] uint64.
        documents: keys [n] uint64.
    """
    if not len(queries):
        return {}
    pairs = np.unique(np.stack([queries, documents], axis=1), axis=0)  # [<= n, 2], sorted
    starts = np.flatnonzero(np.r_[True, pairs[1:, 0] != pairs[:-1, 0]]).tolist()
    return {
        int(pairs[start, 0]): frozenset(pairs[start:end, 1].tolist())
        for start, end in pairwise([*starts, len(pairs)])
        if end - start > 1
    }
