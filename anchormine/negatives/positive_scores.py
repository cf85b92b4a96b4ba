"""How high the positives of pairs are scored: what a margin is measured from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from anchormine.evaluation.bm25 import BM25Options
from anchormine.negatives.postings import (
    CorpusLengths,
    Postings,
    inverse_frequencies,
    length_norms,
    term_key,
)


def frequencies_of(terms: Iterable[str], parts: Iterable[tuple[Postings, np.ndarray]]) -> dict[str, int]:
    """How many documents of the whole corpus hold each of some terms; a term that none holds is left out.

    Args:
        terms: any.
        parts: of the corpus, each with the whole corpus's frequencies of its terms.
    """
    names = {term_key(term): term for term in terms}
    keys = np.array(sorted(names), np.uint64)
    found: dict[str, int] = {}
    for postings, frequencies in parts:
        _, own, places = np.intersect1d(keys, postings.terms, assume_unique=True, return_indices=True)
        held = frequencies[places].tolist()
        found.update((names[key], count) for key, count in zip(keys[own].tolist(), held, strict=True))
    return found


def bm25_scores(
    pairs: Sequence[tuple[Sequence[str], Sequence[str]]],
    frequencies: dict[str, int],
    lengths: CorpusLengths,
    options: BM25Options,
) -> np.ndarray:
    """Scores of documents as the corpus's index would score them, were they in it.

    Args:
        pairs: the terms of a query and of a document, with repeats.
        frequencies: of all terms of the queries.
        lengths: of the corpus.
        options: k1 and b.

    Returns:
        [p] float32.
    """
    terms = list(frequencies)
    held = np.array([frequencies[term] for term in terms], np.int64)
    inverse = dict(zip(terms, inverse_frequencies(held, lengths.documents).tolist(), strict=True))
    scores = np.zeros(len(pairs), np.float32)
    for number, (query, document) in enumerate(pairs):
        counts = Counter(document)
        norm = float(length_norms(np.array(len(document)), lengths.mean, options))
        for term in query:
            if term in inverse and counts[term]:
                # In the order and the precision in which an index adds them up
                scores[number] += np.float32(inverse[term] * (counts[term] / (norm + counts[term])))
    return scores
