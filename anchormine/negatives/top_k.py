"""Exact top k of inner products over document embeddings, by blocks of a matrix product.

A matrix product's last digits change with its shape, and torch.topk settles ties as it likes. So the product
only finds candidates, all within its worst rounding error of the k-th best; these are scored one by one, each
by the same sums wherever it stands, and equal scores are in the documents' order. Any size of block therefore
gives the same answer to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import torch

from anchormine.negatives.rank_keys import NO_KEY, TopK, from_keys, rank_keys

# Scores of a block of queries with a block of documents: 32 MB of float32.
QUERY_BLOCK = 128
DOCUMENT_BLOCK = 65_536
# Candidates that are scored at a time: what they are made of stays in the processor's cache.
_PAIRS_AT_A_TIME = 4_096
# So many more than k of a block are looked at: seldom are more within the rounding error of the k-th.
_RESERVE = 24
_UNIT_ROUNDOFF = 2.0**-24  # of float32


def top_k(
    queries: np.ndarray,
    documents: np.ndarray | Iterable[np.ndarray],
    k: int,
    device: str | torch.device = "cpu",
    query_block: int = QUERY_BLOCK,
    document_block: int = DOCUMENT_BLOCK,
) -> TopK:
    """Finds the k documents of the largest inner product with each query.

    Args:
        queries: embeddings [q, d] float32.
        documents: embeddings [n, d] float32, or blocks of them in order, which may be memory-mapped; blocks
            that are made as they are asked for are in memory one at a time.
        k: how many, at least 1; all where there are fewer.
        device: where the product is computed.
        query_block: queries of a product.
        document_block: documents of a product; 4 * query_block * document_block bytes hold it.

    Raises:
        ValueError: an embedding is not finite, or the shapes do not fit.
    """
    if k < 1:
        raise ValueError(f"k is {k}: must be at least 1")
    searches = [
        _Search(queries[start : start + query_block], k, torch.device(device))
        for start in range(0, len(queries), query_block)
    ]
    seen = 0
    for block in _blocks(documents, document_block):
        if block.shape[1] != queries.shape[1]:
            raise ValueError(f"queries of {queries.shape[1]} numbers, documents of {block.shape[1]}")
        slack = _worst_error(block)
        for search in searches:
            search.add(block, seen, slack)
        seen += len(block)
    kept = min(k, seen)
    keys = [search.keys[:, :kept] for search in searches]
    return from_keys(np.concatenate(keys) if keys else np.empty((0, kept), np.uint64))


def _blocks(documents: np.ndarray | Iterable[np.ndarray], size: int) -> Iterator[torch.Tensor]:
    for part in (documents,) if isinstance(documents, np.ndarray) else documents:
        for start in range(0, len(part), size):
            yield _as_tensor(part[start : start + size])


def _as_tensor(embeddings: np.ndarray) -> torch.Tensor:
    """The embeddings, in memory: those of a mapped file are copied there."""
    tensor = torch.from_numpy(np.require(embeddings, np.float32, ["C", "W"]))
    if not torch.isfinite(tensor.sum(1)).all():
        raise ValueError("an embedding holds a number that is not finite")
    return tensor


def _worst_error(documents: torch.Tensor) -> float:
    """How far a product with a query of length 1 may be off, four times.

    A sum of d products is off by at most d roundings of the lengths' product; a pair has two such sums, and
    two pairs are compared.
    """
    return 4 * documents.shape[1] * _UNIT_ROUNDOFF * float(torch.linalg.vector_norm(documents, dim=1).max())


class _Search:
    """The best documents of a block of queries so far, as one sorted number for each (see `rank_keys`)."""

    def __init__(self, queries: np.ndarray, k: int, device: torch.device) -> None:
        self._queries = _as_tensor(queries)  # [q, d]
        self._on_device = self._queries.to(device)
        self._norms = torch.linalg.vector_norm(self._on_device, dim=1)  # [q]
        self._k = k
        self.keys = np.empty((len(queries), 0), np.uint64)  # [q, <= k]

    def add(self, documents: torch.Tensor, first: int, slack: float) -> None:
        """Takes the next documents, the first of which is at the position `first`."""
        products = self._on_device @ documents.to(self._on_device.device).T  # [q, n]
        rows, columns = self._candidates(products, slack * self._norms)
        scores = pair_scores(self._queries, documents, rows, columns)
        self._keep(rows.numpy(), rank_keys(scores, columns.numpy() + first))

    def _candidates(self, products: torch.Tensor, slack: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Pairs that may be among the best: (queries' numbers, documents' places in the block)."""
        best = products.topk(min(self._k + _RESERVE, products.shape[1]))  # values and indices [q, <= k + 24]
        least = self._kth_best().to(products.device)  # [q]
        if products.shape[1] > self._k:
            least = torch.maximum(least, best.values[:, self._k - 1])
        least = (least - slack)[:, None]  # [q, 1]
        if products.shape[1] > best.values.shape[1] and (best.values[:, -1:] >= least).any():
            rows, columns = (products >= least).nonzero(as_tuple=True)  # many documents are alike
            return rows.cpu(), columns.cpu()
        rows, places = (best.values >= least).nonzero(as_tuple=True)
        return rows.cpu(), best.indices[rows, places].cpu()

    def _kth_best(self) -> torch.Tensor:
        """The score to reach, [q]."""
        if self.keys.shape[1] < self._k:
            return torch.full((len(self.keys),), -torch.inf)
        return torch.from_numpy(from_keys(self.keys[:, -1]).scores)

    def _keep(self, rows: np.ndarray, keys: np.ndarray) -> None:
        """Merges the candidates, which are in the order of their rows, with what there is."""
        counts = np.bincount(rows, minlength=len(self.keys))  # [q]
        held = self.keys.shape[1]
        merged = np.full((len(self.keys), held + counts.max()), NO_KEY)
        merged[:, :held] = self.keys
        places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        merged[rows, held + places] = keys
        merged.sort(axis=1)
        self.keys = merged[:, : self._k].copy()


def pair_scores(
    queries: torch.Tensor, documents: torch.Tensor, rows: torch.Tensor, columns: torch.Tensor
) -> np.ndarray:
    """Inner products of single pairs, each to the same last bit whatever stands beside it.

    Args:
        queries: [q, d] float32.
        documents: [n, d] float32.
        rows: numbers of the queries, [p] int64.
        columns: numbers of the documents, [p] int64.

    Returns:
        [p] float32.
    """
    scores = torch.empty(len(rows))
    for start in range(0, len(rows), _PAIRS_AT_A_TIME):
        chunk = slice(start, start + _PAIRS_AT_A_TIME)
        products = documents.index_select(0, columns[chunk])  # [<= 4096, d]
        products *= queries.index_select(0, rows[chunk])
        torch.sum(products, 1, out=scores[chunk])
    return scores.numpy()
