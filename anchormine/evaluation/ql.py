"""Query likelihood with Dirichlet smoothing (Zhai and Lafferty, SIGIR 2001)."""

from dataclasses import dataclass

import numpy as np

from anchormine.errors import UsageError
from anchormine.evaluation.ranking import Ranking, top_documents
from anchormine.evaluation.term_index import DocumentTerms, TermIndex


@dataclass(frozen=True)
class QLOptions:
    """The smoothing.

    Attributes:
        mu: weight of the collection in a document's model, in terms; the default is Anserini's.
    """

    mu: float = 1000.0

    def __post_init__(self) -> None:
        if not 0 < self.mu < float("inf"):
            raise UsageError(f"--mu {self.mu}: must be above 0")


class QueryLikelihood:
    """Scores log P(q|D) = sum over q's terms of log((tf(w,D) + mu P(w|C)) / (|D| + mu)).

    Terms that the collection does not have are left out of the sum.
    """

    def __init__(self, index: TermIndex, options: QLOptions = QLOptions()) -> None:
        self._index = index
        self._mu = options.mu
        self._lengths = np.diff(index.ids.starts)  # [documents]
        self._postings = Postings(index.ids, len(index.vocab))

    def rank(self, query: str, k: int) -> Ranking:
        """The k best of the documents that hold a term of the query; equal scores by doc_id downwards.

        Args:
            query: its text.
            k: at most so many.
        """
        terms = self._index.query_terms(query)
        # log(1 + tf / (mu P(w|C))) is what a matching term adds to the score of a document without any
        gains = np.zeros(len(self._lengths))  # [documents]
        unseen = 0.0
        for term in terms:
            documents, counts = self._postings.of(term)
            prior = self._mu * self._postings.collection_counts[term] / len(self._index.ids.terms)
            gains[documents] += np.log1p(counts / prior)
            unseen += np.log(prior)
        found = np.flatnonzero(gains)
        scores = gains[found] + unseen - len(terms) * np.log(self._lengths[found] + self._mu)  # [found]
        return top_documents(found, scores.astype(np.float32), self._index.tie_ranks, k)


class Postings:
    """For each term the documents that hold it and how often.

    Attributes:
        collection_counts: occurrences of each term in all documents, [terms].
    """

    def __init__(self, documents: DocumentTerms, terms: int) -> None:
        owners = np.repeat(np.arange(len(documents)), np.diff(documents.starts))  # [occurrences]
        cells = documents.terms.astype(np.int64) * len(documents) + owners  # [occurrences]
        cells, self._counts = np.unique(cells, return_counts=True)  # [postings] each
        self._documents = cells % len(documents)
        self._starts = np.searchsorted(cells // len(documents), np.arange(terms + 1))
        self.collection_counts = np.bincount(documents.terms, minlength=terms)

    def of(self, term: int) -> tuple[np.ndarray, np.ndarray]:
        """(documents that hold the term, its count in each), [postings of the term] both."""
        place = slice(self._starts[term], self._starts[term + 1])
        return self._documents[place], self._counts[place]
