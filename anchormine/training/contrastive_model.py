"""The loss of a dual encoder over all passages of a batch, and how a batch is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from anchormine.retrieval.text_batches import cut_pieces, pad_pieces
from anchormine.retrieval.text_encoder import TextEncoder
from anchormine.training.contrastive_data import ContrastiveExample, Passage
from anchormine.training.known_positives import KnownPositives, document_key
from anchormine.training.losses import Losses


class ContrastiveModel(nn.Module):
    """L = -log(exp(s(q, d+) / t) / sum over the passages d of the batch of exp(s(q, d) / t)), the mean over
    queries.

    The passages are the positives and the mined negatives of all queries of the batch (Anchor-DR, SIGIR 2023,
    section 3.2, after DPR), without those that a query may find as well.

    Attributes:
        encoder: of queries and documents.
        temperature: t.
    """

    def __init__(self, encoder: TextEncoder, temperature: float) -> None:
        super().__init__()
        self.encoder = encoder
        self.temperature = temperature

    def forward(
        self,
        queries: dict[str, Tensor],
        passages: dict[str, Tensor],
        excluded: Tensor,
        tasks: Sequence[str],
    ) -> Losses:
        """The loss of a batch.

        Args:
            queries: input of the encoder, [B, L] each.
            passages: the positives in the order of the queries, then negatives, [P, L] each.
            excluded: what a query is not compared with, [B, P] bool.
            tasks: of each query.
        """
        scores = self.encoder(queries) @ self.encoder(passages).T / self.temperature  # [B, P]
        targets = torch.arange(len(scores), device=scores.device)  # [B]
        losses = F.cross_entropy(scores.masked_fill(excluded, -torch.inf), targets, reduction="none")  # [B]
        return Losses(losses.mean(), _by_task(losses.detach(), tasks))


def _by_task(losses: Tensor, tasks: Sequence[str]) -> dict[str, tuple[Tensor, int]]:
    parts = {}
    for task in sorted(set(tasks)):
        of_task = [place for place, name in enumerate(tasks) if name == task]
        parts[task] = (losses[of_task].sum(), len(of_task))
    return parts


@dataclass(frozen=True)
class ContrastiveCollator:
    """Makes a batch of examples the arguments of a ContrastiveModel.

    Attributes:
        tokenizer: of the model.
        query_length: tokens of a query.
        document_length: tokens of a document.
        query_prefix: put before each query.
        document_prefix: put before each document.
        known: positives of the queries that have several.
    """

    tokenizer: Any
    query_length: int
    document_length: int
    query_prefix: str
    document_prefix: str
    known: KnownPositives

    def __call__(self, batch: Sequence[ContrastiveExample], _: np.random.Generator) -> dict[str, Any]:
        """The positives in the order of the queries, then the negatives of the first query, and so on."""
        passages = [example.positive for example in batch]
        passages += chain.from_iterable(example.negatives for example in batch)
        queries = [self.query_prefix + example.query for example in batch]
        documents = [self.document_prefix + passage.text for passage in passages]
        return {
            "queries": self._encode(queries, self.query_length),
            "passages": self._encode(documents, self.document_length),
            "excluded": torch.from_numpy(excluded_passages(batch, passages, self.known)),
            "tasks": [example.task for example in batch],
        }

    def _encode(self, texts: list[str], length: int) -> dict[str, Tensor]:
        pieces = cut_pieces(self.tokenizer, texts, length)
        return pad_pieces(self.tokenizer, pieces, list(range(len(texts))))


def excluded_passages(
    batch: Sequence[ContrastiveExample], passages: Sequence[Passage], known: KnownPositives
) -> np.ndarray:
    """Which passages are not held against which query, since they may be what it is to find.

    That are those of the same document or with the same text as its positive, and of documents that its words
    lead to elsewhere; never its positive itself.

    Args:
        batch: B examples.
        passages: P of them, the first B the positives.
        known: positives of the queries that have several.

    Returns:
        [B, P] bool.
    """
    texts = {text: number for number, text in enumerate({passage.text for passage in passages})}
    text_numbers = np.array([texts[passage.text] for passage in passages])  # [P]
    keys = np.array([document_key(passage.id) for passage in passages], np.uint64)  # [P]
    excluded = (keys == keys[: len(batch), None]) | (
        text_numbers == text_numbers[: len(batch), None]
    )  # [B, P]
    for row, example in enumerate(batch):
        if others := known.of(example.query):
            excluded[row] |= np.isin(keys, np.fromiter(others, np.uint64))
    np.fill_diagonal(excluded, False)
    return excluded
