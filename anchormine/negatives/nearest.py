"""Finds the nearest documents of queries by their vectors: exactly, with our own search or faiss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from anchormine.negatives.options import MinerModel
from anchormine.negatives.rank_keys import NO_KEY, TopK, from_keys, rank_keys
from anchormine.negatives.top_k import top_k


def nearest(queries: np.ndarray, documents: Iterable[np.ndarray], k: int, model: MinerModel) -> TopK:
    """Finds the k documents of the largest inner product with each query.

    Args:
        queries: embeddings [q, d] float32.
        documents: embeddings of a corpus in blocks, [n, d] float32 each.
        k: how many; all where there are fewer.
        model: says with what to search, and where.
    """
    if model.index == "faiss":
        return _by_faiss(queries, documents, k)
    from anchormine.compute import choose_compute

    return top_k(queries, documents, k, choose_compute(model.device, "float32").device)


def _by_faiss(queries: np.ndarray, documents: Iterable[np.ndarray], k: int) -> TopK:
    """The same by a flat index of faiss for each block, whose last digits and ties are its own."""
    import faiss

    faiss.omp_set_num_threads(1)
    keys = np.empty((len(queries), 0), np.uint64)
    for first, block in _numbered(documents):
        index = faiss.IndexFlatIP(block.shape[1])
        index.add(block)
        scores, places = index.search(queries, min(k, len(block)))
        found = np.where(places < 0, NO_KEY, rank_keys(scores, places.clip(min=0) + first))
        keys = np.sort(np.concatenate([keys, found], axis=1), axis=1)[:, :k]
    return from_keys(keys)


def _numbered(documents: Iterable[np.ndarray]) -> Iterator[tuple[int, np.ndarray]]:
    first = 0
    for block in documents:
        yield first, np.ascontiguousarray(block, np.float32)
        first += len(block)
