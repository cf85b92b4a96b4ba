"""BM25 as Lucene computes it, by bm25s."""

from dataclasses import dataclass

import numpy as np

from anchormine.bm25s_package import load_bm25s
from anchormine.errors import UsageError
from anchormine.evaluation.ranking import Ranking, top_documents
from anchormine.evaluation.term_index import TermIndex


@dataclass(frozen=True)
class BM25Options:
    """The two constants; the defaults are Anserini's.

    Attributes:
        k1: how soon repeats of a term stop counting, at least 0.
        b: how much long documents are held back, 0 to 1.
    """

    k1: float = 0.9
    b: float = 0.4

    def __post_init__(self) -> None:
        if not 0 <= self.k1 < float("inf"):
            raise UsageError(f"--k1 {self.k1}: must be 0 or more")
        if not 0 <= self.b <= 1:
            raise UsageError(f"--b {self.b}: must be between 0 and 1")


class BM25:
    """Ranks the documents that hold a term of the query."""

    def __init__(self, index: TermIndex, options: BM25Options = BM25Options()) -> None:
        self._index = index
        # numba is only there by chance and sums in another order: the 7th digit would depend on it. It would
        # depend on numpy, too, if k1 were a number: numpy 1 then divides in float32.
        k1 = np.array([options.k1])
        self._scorer = load_bm25s().BM25(
            method="lucene", k1=k1, b=options.b, backend="numpy", csc_backend="numpy"
        )
        self._scorer.index(index, create_empty_token=False, show_progress=False)

    def rank(self, query: str, k: int) -> Ranking:
        """The k best documents; equal scores by doc_id downwards, as in trec_eval.

        Args:
            query: its text.
            k: at most so many; documents without a term of the query are never among them.
        """
        terms = self._index.query_terms(query)
        scores = (
            self._scorer.get_scores_from_ids(terms)
            if terms
            else np.zeros(len(self._index.doc_ids), np.float32)
        )
        found = np.flatnonzero(scores > 0)
        return top_documents(found, scores[found], self._index.tie_ranks, k)
