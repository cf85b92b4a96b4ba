"""BM25 over a part of a corpus, with the statistics of the whole: the scores are those of one index.

bm25s counts documents and lengths in what it is given. Here they come from outside, so a corpus of any size
is ranked part by part, and a part is all that has to be in memory: 8 bytes for each distinct term of each
document, 16 while it is searched.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from anchormine.bm25s_package import load_bm25s
from anchormine.evaluation.bm25 import BM25Options
from anchormine.sampling.draws import hash64

_BM25_METHOD = "lucene"


class Postings(NamedTuple):
    """Which documents of a part hold which terms, sorted by term and then by document.

    Attributes:
        terms: `term_key` of each distinct term, rising, [T] uint64.
        starts: where each term's entries begin, and the end of the last, [T + 1] int64.
        documents: of each entry, [P] int32.
        frequencies: how often the document has the term, [P] int32.
        lengths: terms of each document, [D] int32.
    """

    terms: np.ndarray
    starts: np.ndarray
    documents: np.ndarray
    frequencies: np.ndarray
    lengths: np.ndarray

    @property
    def document_frequencies(self) -> np.ndarray:
        """How many documents of the part hold each term, [T] int64."""
        return np.diff(self.starts)


class CorpusLengths(NamedTuple):
    """How many documents the whole corpus has, and how many terms in all."""

    documents: int
    terms: int

    @property
    def mean(self) -> float:
        """The average length; 1 where there is no term, and so no score."""
        return self.terms / self.documents if self.terms else 1.0


def term_key(term: str) -> int:
    """What stands for a term, 64 bits: vocabularies of all parts need no common numbers."""
    return hash64(0, "term", term)


def count_terms(texts: Iterable[str], split: Callable[[str], list[str]]) -> Postings:
    """Counts the terms of a part's documents.

    Args:
        texts: of the documents, in order.
        split: makes terms of a text.
    """
    numbers: dict[str, int] = {}
    terms, lengths = array("q"), array("i")
    for text in texts:
        found = split(text)
        terms.extend(numbers.setdefault(term, len(numbers)) for term in found)
        lengths.append(len(found))
    keys = np.fromiter(map(term_key, numbers), np.uint64, len(numbers))  # [T]
    order = np.argsort(keys)
    places = np.empty(len(keys), np.int64)
    places[order] = np.arange(len(keys))
    sizes = np.array(lengths, np.int32)  # [D]
    documents = np.repeat(np.arange(len(sizes)), sizes)  # [terms in all]
    entries = places[np.array(terms, np.int64)] * max(1, len(sizes)) + documents
    distinct, frequencies = np.unique(entries, return_counts=True)  # [P]
    owners = distinct // max(1, len(sizes))
    return Postings(
        keys[order],
        np.searchsorted(owners, np.arange(len(keys) + 1)).astype(np.int64),
        (distinct % max(1, len(sizes))).astype(np.int32),
        frequencies.astype(np.int32),
        sizes,
    )


class PostingsRanker:
    """Scores the documents of a part by bm25s."""

    def __init__(
        self, postings: Postings, frequencies: np.ndarray, lengths: CorpusLengths, options: BM25Options
    ) -> None:
        """Weighs the entries, as bm25s does.

        Args:
            postings: of the part.
            frequencies: how many documents of the whole corpus hold each term of the part, [T].
            lengths: of the whole corpus.
            options: k1 and b.
        """
        self._terms, self._documents = postings.terms, len(postings.lengths)
        # numba is only there by chance and sums in another order: the 7th digit would depend on it
        self._scorer = load_bm25s().BM25(method=_BM25_METHOD, k1=options.k1, b=options.b, backend="numpy")
        self._scorer.scores = {
            "data": _weights(postings, frequencies, lengths, options),
            "indices": postings.documents,
            "indptr": postings.starts,
            "num_docs": self._documents,
        }
        self._scorer.nonoccurrence_array = None  # of other methods than Lucene's

    def columns(self, keys: np.ndarray) -> np.ndarray:
        """Numbers of terms in the part, by their `term_key`; -1 for those it does not have. [n] int64."""
        if not len(self._terms):
            return np.full(len(keys), -1)
        places = np.searchsorted(self._terms, keys).clip(max=len(self._terms) - 1)
        return np.where(self._terms[places] == keys, places, -1)

    def scores(self, columns: Sequence[int] | np.ndarray) -> np.ndarray:
        """Scores of all documents for a query.

        Args:
            columns: its terms' numbers in the part, with repeats; at least one.

        Returns:
            [D] float32; 0 for a document without a term of the query.
        """
        return self._scorer.get_scores_from_ids(columns)


def inverse_frequencies(frequencies: np.ndarray, documents: int) -> np.ndarray:
    """Lucene's inverse document frequencies, to the bit those of bm25s.

    Args:
        frequencies: how many documents hold each term, [T].
        documents: how many there are.

    Returns:
        [T] float32.
    """
    distinct, places = np.unique(frequencies, return_inverse=True)
    values = [math.log(1 + (documents - df + 0.5) / (df + 0.5)) for df in distinct.tolist()]
    return np.array(values, np.float32)[places.reshape(-1)]


def length_norms(lengths: np.ndarray, mean: float, options: BM25Options) -> np.ndarray:
    """What a term's frequency is set against in documents of some lengths, [D] float64."""
    return options.k1 * ((1 - options.b) + options.b * lengths / mean)


def _weights(
    postings: Postings, frequencies: np.ndarray, lengths: CorpusLengths, options: BM25Options
) -> np.ndarray:
    """What each entry adds to a document's score, [P] float32."""
    inverse = inverse_frequencies(frequencies, lengths.documents)  # [T]
    norms = length_norms(postings.lengths, lengths.mean, options)  # [D]
    found = postings.frequencies.astype(np.float32)  # [P]
    parts = found / (norms[postings.documents] + found)  # [P]
    parts *= np.repeat(inverse, postings.document_frequencies)
    return parts.astype(np.float32)
