"""The collection as a language model: what every document's model is smoothed with, and drawn from.

One vocabulary serves all documents of a process.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from anchormine.sampling.document_profiles import DocumentProfile
from anchormine.sampling.term_counts import CorpusTotals


class CollectionModel:
    """P(w|C) of the terms that can be drawn.

    Attributes:
        profile: how sets are drawn.
        mu: weight of the collection in a document's model, the mean number of words of a document.
        numbers: of the terms, from 0.
        words: [V] what is written for each term.
        chances: [V] P(w|C); with the terms that are too rare they sum to 1.
        keep: [V] probability with which subsampling keeps a term.
        reached: [V] cumulative weights of the terms as they are drawn from the collection.
    """

    def __init__(
        self, rows: pa.Table, totals: CorpusTotals, documents: int, profile: DocumentProfile
    ) -> None:
        """Makes the model.

        Args:
            rows: of `anchormine.schemas.terms.TERM_COUNTS`, the terms that can be drawn.
            totals: of all terms of the collection, these and the rarer ones.
            documents: how many there are.
            profile: of the run.
        """
        ordered = rows.sort_by("term")  # so that a draw depends on no division of the work
        self.profile = profile
        self.mu = totals.words / documents if documents else 0.0
        self.words: list[str] = pc.coalesce(ordered["word"], ordered["term"]).to_pylist()
        self.numbers = {term: number for number, term in enumerate(ordered["term"].to_pylist())}
        counts, postings = (ordered[name].to_numpy() for name in ("occurrences", "documents"))  # [V] each
        by_documents = profile.background == "documents"
        self.chances = postings / totals.postings if by_documents else counts / totals.words  # [V]
        self.keep = kept_by_subsampling(counts / totals.words, profile.subsample)  # [V]
        self.reached = np.cumsum(self._drawn_weights())  # [V]

    def _drawn_weights(self) -> np.ndarray:
        if self.profile.sampling == "random":
            return np.ones(len(self.words))
        return self.chances * self.keep if self.profile.thinned == "draws" else self.chances  # [V]


def kept_by_subsampling(frequencies: np.ndarray, threshold: float) -> np.ndarray:
    """The probability that word2vec's subsampling keeps a word.

    Args:
        frequencies: f, a word's share of all words, greater than 0.
        threshold: t; 0 keeps everything.

    Returns:
        sqrt(t / f) + t / f where that is below 1, of the same shape (word2vec.c of Mikolov et al. 2013).
    """
    if not threshold:
        return np.ones_like(frequencies)
    ratio = threshold / frequencies
    return np.minimum(np.sqrt(ratio) + ratio, 1.0)
