"""The systems that an evaluation compares: BM25, query likelihood, re-rankers and dual encoders."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from anchormine.errors import UsageError
from anchormine.evaluation.bm25 import BM25
from anchormine.evaluation.collection import Collection
from anchormine.evaluation.options import EvaluationOptions
from anchormine.evaluation.ql import QueryLikelihood
from anchormine.evaluation.ranking import Ranking, Rankings
from anchormine.evaluation.term_index import TermIndex, downward_ranks
from anchormine.training.progress import Progress

# These need no model; every other name is one.
LEXICAL = ("bm25", "ql")

# Queries' texts by query_id to their rankings.
Ranker = Callable[[dict[str, str], Progress], Rankings]


class Systems:
    """The systems of an evaluation.

    All models are loaded when it is made, so that a mistyped name costs no waiting; the index of terms is
    made when the first system asks for it, and not where all are dual encoders.
    """

    def __init__(self, options: EvaluationOptions, collection: Collection) -> None:
        """Loads the models.

        Raises:
            UsageError: one cannot be loaded.
        """
        self._options, self._collection = options, collection
        self._models = {name: _load_model(name, options) for name in options.systems if name not in LEXICAL}

    @cached_property
    def _index(self) -> TermIndex:
        return TermIndex.of(self._collection, self._options.language)

    @cached_property
    def _bm25(self) -> BM25:
        return BM25(self._index, self._options.bm25)

    def ranker(self, system: str) -> Ranker:
        """What ranks the collection's documents for queries.

        Args:
            system: one of the options' systems.
        """
        options = self._options
        if system == "bm25":
            return _one_by_one(system, lambda query: self._bm25.rank(query, options.depth))
        if system == "ql":
            likelihood = QueryLikelihood(self._index, options.ql)
            return _one_by_one(system, lambda query: likelihood.rank(query, options.depth))
        if hasattr(self._models[system], "encode"):
            return self._search_ranker(system)
        return self._reranker(system)

    def _search_ranker(self, system: str) -> Ranker:
        from anchormine.retrieval.collection_search import search_collection

        ties = downward_ranks(self._collection.doc_ids)
        running = self._options.reranker

        def rank(queries: dict[str, str], progress: Progress) -> Rankings:
            with progress.count(system, len(self._collection)) as counter:
                return search_collection(
                    self._models[system],
                    self._collection,
                    ties,
                    queries,
                    self._options.depth,
                    running.batch_size,
                    running.length,
                    counter.reach,
                )

        return rank

    def _reranker(self, system: str) -> Ranker:
        from anchormine.evaluation.cross_encoder import rerank

        def rank(query: str) -> Ranking:
            found = self._bm25.rank(query, self._options.reranker.top_k)
            return rerank(self._models[system], self._collection, query, found, self._index.tie_ranks)

        return _one_by_one(system, rank)


def _one_by_one(system: str, rank: Callable[[str], Ranking]) -> Ranker:
    def rank_all(queries: dict[str, str], progress: Progress) -> Rankings:
        rankings: Rankings = {}
        with progress.count(system, len(queries)) as counter:
            for done, (query_id, query) in enumerate(queries.items(), start=1):
                rankings[query_id] = rank(query)
                counter.reach(done)
        return rankings

    return rank_all


def _load_model(name: str, options: EvaluationOptions) -> Any:
    """A dual encoder where the model's files say that it is one, or --pooling does; else a cross-encoder."""
    from anchormine.evaluation.cross_encoder import CrossEncoder
    from anchormine.retrieval.dual_encoder import is_cross_encoder, is_dual_encoder, load_dual_encoder

    running = options.reranker
    try:
        if is_dual_encoder(name) or (options.pooling and not is_cross_encoder(name)):
            encoder = load_dual_encoder(name, running.device, running.dtype, options.pooling)
            encoder.checked_length(running.length)  # before other systems take their time
            return encoder
        return CrossEncoder(name, running)
    except UsageError as error:
        systems = f"{', '.join(LEXICAL)} or a model folder, of an encoder as it is with --pooling"
        raise UsageError(f"{error}; a system is {systems}") from None
