"""Judged queries as pairs: each relevant document over documents that BM25 takes for relevant."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from anchormine.errors import UsageError
from anchormine.evaluation.bm25 import BM25
from anchormine.evaluation.collection import Collection, Topics
from anchormine.evaluation.term_index import TermIndex
from anchormine.training.examples import Example, cut_batches
from anchormine.training.options import NegativeOptions
from anchormine.training.pair_stream import CHARACTERS_PER_TOKEN
from anchormine.training.progress import Progress

TASK = "rank"


class JudgedQuery(NamedTuple):
    """A query with what it can be trained on.

    Attributes:
        query: its text.
        positives: numbers of the relevant documents.
        candidates: numbers of BM25's documents that nobody judged, [<= top_k] int32.
    """

    query: str
    positives: list[int]
    candidates: np.ndarray


class JudgedPairs:
    """In memory are numbers of documents; texts are read when a batch needs them.

    Attributes:
        examples: pairs of an epoch.
        left_out: how many queries are of no use, by reason.
    """

    def __init__(
        self,
        collection: Collection,
        topics: Topics,
        options: NegativeOptions,
        seed: int,
        query_problem: Callable[[str], str | None],
        progress: Progress,
    ) -> None:
        """Ranks the collection for each query.

        Args:
            collection: documents.
            topics: judged queries.
            options: where negatives come from.
            seed: of order and negatives.
            query_problem: says why a query cannot be used.
            progress: for a person.

        Raises:
            UsageError: no query has both a relevant document and a negative.
        """
        self._collection, self._options, self._seed = collection, options, seed
        self.left_out: dict[str, int] = {}
        self._queries = list(self._judged(topics, query_problem, progress))
        self.examples = sum(len(query.positives) for query in self._queries) * options.negatives
        if not self._queries:
            reasons = ", ".join(f"{count} {reason}" for reason, count in self.left_out.items())
            raise UsageError(f"{collection.path}: no query to train on ({reasons})")

    def _judged(
        self, topics: Topics, query_problem: Callable[[str], str | None], progress: Progress
    ) -> Iterator[JudgedQuery]:
        bm25 = BM25(TermIndex.of(self._collection, self._options.language), self._options.bm25)
        numbers = {doc_id: number for number, doc_id in enumerate(self._collection.doc_ids)}
        with progress.count("BM25 negatives", len(topics.queries)) as counter:
            for done, (query_id, text) in enumerate(topics.queries.items(), start=1):
                grades = topics.qrels[query_id]
                positives = [
                    numbers[doc_id] for doc_id, grade in grades.items() if grade > 0 and doc_id in numbers
                ]
                judged = np.array([numbers[doc_id] for doc_id in grades if doc_id in numbers], np.int64)
                found = bm25.rank(text, self._options.top_k).documents
                query = JudgedQuery(text, positives, np.setdiff1d(found, judged).astype(np.int32))
                reason = _reason(query, query_problem)
                counter.reach(done)
                if reason is None:
                    yield query
                else:
                    self.left_out[reason] = self.left_out.get(reason, 0) + 1

    def batches(self, epoch: int, batch_size: int, length: int) -> Iterator[Sequence[Example]]:
        """Yields an epoch's batches; each epoch has other negatives.

        Args:
            epoch: its number.
            batch_size: pairs of a batch.
            length: tokens of a sequence.
        """
        rng = random.Random(f"{self._seed} {epoch}")
        return cut_batches(self._epoch(rng), batch_size, rng, length * CHARACTERS_PER_TOKEN)

    def _epoch(self, rng: random.Random) -> Iterator[Example]:
        pairs = [(query, positive) for query in self._queries for positive in query.positives]
        pairs *= self._options.negatives
        rng.shuffle(pairs)
        for query, positive in pairs:
            negative = int(rng.choice(query.candidates))
            yield Example(
                TASK,
                query.query,
                self._collection.text(positive),
                query.query,
                self._collection.text(negative),
            )


def _reason(query: JudgedQuery, query_problem: Callable[[str], str | None]) -> str | None:
    """Why a query is left out, or None."""
    if not query.positives:
        return "no relevant document"
    if not len(query.candidates):
        return "no unjudged document in BM25's list"
    return query_problem(query.query)
