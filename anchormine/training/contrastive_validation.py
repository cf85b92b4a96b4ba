"""How well a dual encoder finds what it has never seen: the pairs of the held-out destinations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from anchormine.compute import Compute
from anchormine.errors import CommandError
from anchormine.evaluation.bm25 import BM25
from anchormine.evaluation.judgements import Qrels
from anchormine.evaluation.measures import measure_rankings, parse_measures
from anchormine.evaluation.ranking import Ranking, Rankings
from anchormine.evaluation.term_index import TermIndex
from anchormine.negatives.top_k import top_k
from anchormine.numerals import counted
from anchormine.retrieval.dual_encoder import DualEncoder
from anchormine.training.contrastive_data import ContrastiveExample, Passage
from anchormine.training.contrastive_model import ContrastiveCollator, ContrastiveModel
from anchormine.training.examples import chunks
from anchormine.training.loop import to_device

MEASURE = "RR@10"
DEPTH = 10


class HeldOut:
    """The pairs of held-out destinations, whose documents are searched.

    Attributes:
        queries: distinct texts.
        documents: distinct ones, which are searched.
    """

    def __init__(self, rows: Sequence[ContrastiveExample]) -> None:
        self.documents: list[Passage] = sorted({row.positive for row in rows})
        self._doc_ids = [str(number) for number in range(len(self.documents))]
        self._qrels = _judgements(rows, self.documents)
        self.queries = list(self._qrels)

    def size(self) -> str:
        """What a person is told of it."""
        queries = counted(len(self.queries), "query", "queries")
        return f"{queries} over {counted(len(self.documents), 'document')} of held-out destinations"

    def bm25(self) -> float:
        """MRR@10 of BM25."""
        ranker = BM25(TermIndex((document.text for document in self.documents), self._doc_ids))
        return self._measure({query: ranker.rank(query, DEPTH) for query in self.queries})

    def search(self, encoder: DualEncoder, batch_size: int) -> float:
        """MRR@10 of a dual encoder, by exact search.

        Args:
            encoder: it may be in training.
            batch_size: texts of a forward pass.

        Raises:
            CommandError: its vectors are no numbers.
        """
        queries = encoder.encode_queries(self.queries, batch_size)  # [q, d]
        documents = encoder.encode_documents([text for _, text in self.documents], batch_size)  # [n, d]
        if not (np.isfinite(queries).all() and np.isfinite(documents).all()):
            raise CommandError(
                "the model's vectors are no numbers any more; try a lower --lr, or --dtype float32"
            )
        found = top_k(queries, documents, DEPTH, encoder.compute.device)
        rankings = map(Ranking, found.documents, found.scores)
        return self._measure(dict(zip(self.queries, rankings, strict=True)))

    def _measure(self, rankings: Rankings) -> float:
        return measure_rankings(rankings, self._qrels, self._doc_ids, parse_measures([MEASURE]))[MEASURE]


def _judgements(rows: Sequence[ContrastiveExample], documents: Sequence[Passage]) -> Qrels:
    """By a query's text, all of its positives; several passages of a page are as good."""
    numbers: dict[str, list[int]] = {}
    for number, document in enumerate(documents):
        numbers.setdefault(document.id, []).append(number)
    qrels: Qrels = {}
    for row in rows:
        qrels.setdefault(row.query, {}).update({str(number): 1 for number in numbers[row.positive.id]})
    return qrels


@torch.inference_mode()
def held_out_loss(
    module: ContrastiveModel,
    collator: ContrastiveCollator,
    rows: Sequence[ContrastiveExample],
    batch_size: int,
    compute: Compute,
) -> float:
    """The mean loss of rows, in batches as in training but without dropout."""
    training = module.training
    module.eval()
    total = 0.0
    for batch in chunks(rows, batch_size):
        arguments = to_device(collator(batch, np.random.default_rng(0)), compute.device)
        with compute.autocast():
            total += float(module(**arguments).total) * len(batch)
    module.train(training)
    return total / len(rows)
