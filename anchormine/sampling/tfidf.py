"""Weights of terms by tf * idf: `--weights tfidf`, which needs no encoder.

Document frequencies are counted into a table of fixed size, so that they fit a worker whatever the corpus
holds and two workers' tables add up. Terms that share a slot share a frequency: with 4 million slots and 2
million distinct terms a frequent term is hidden behind no rare one, and a rare one looks more frequent than
it is in 4 of 10 cases.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from anchormine.errors import UsageError
from anchormine.sampling.draws import uniform
from anchormine.sampling.stop_words import stop_words as stop_words_of
from anchormine.sampling.terms import find_words
from anchormine.sampling.weights import NO_PIECES, SpanText, SpanWeights, TermWeights, TextWeights, kept_words

_TIE_BREAK = 1e-6

SLOTS = 1 << 22  # 16 MB of counts


class DocumentFrequencies(NamedTuple):
    """In how many documents each term stands.

    Attributes:
        counts: by term, or a table [slots] of uint32 by hash of the term.
        documents: number of documents counted.
    """

    counts: Mapping[str, int] | np.ndarray
    documents: int


def count_documents(texts: Iterable[str], slots: int = SLOTS) -> DocumentFrequencies:
    """Counts the documents of each term into a table of `slots` counters."""
    counts = np.zeros(slots, np.uint32)
    documents = 0
    for text in texts:
        counts[[_slot(term, slots) for term in {word.term for word in find_words(text)}]] += np.uint32(1)
        documents += 1
    return DocumentFrequencies(counts, documents)


def merge_frequencies(parts: Sequence[DocumentFrequencies]) -> DocumentFrequencies:
    """Adds up the tables of parts of a corpus.

    Raises:
        UsageError: the tables have different numbers of slots.
    """
    tables = [np.asarray(part.counts) for part in parts]
    if len({table.shape for table in tables}) != 1:
        raise UsageError(
            f"document frequencies of {sorted({table.size for table in tables})} slots cannot be added"
        )
    counts = np.add.reduce(tables, axis=0, dtype=np.uint32)  # [slots]
    return DocumentFrequencies(counts, sum(part.documents for part in parts))


def idf(term: str, frequencies: DocumentFrequencies) -> float:
    """ln(1 + (N - df + 0.5) / (df + 0.5)): BM25's, above 0 (Robertson and Zaragoza 2009, section 3)."""
    counts, documents = frequencies
    found = counts[_slot(term, len(counts))] if isinstance(counts, np.ndarray) else counts.get(term, 0)
    frequency = min(int(found), documents)  # slots are shared
    return math.log1p((documents - frequency + 0.5) / (frequency + 0.5))


class TfidfWeigher:
    """Weighs terms by their number in the text times idf; an anchor changes nothing."""

    def __init__(self, frequencies: DocumentFrequencies, stop_words: frozenset[str] | None = None) -> None:
        """Takes the corpus's frequencies, and the stop words (None: those of each text's language)."""
        self._frequencies = frequencies
        self._stop_words = stop_words

    def weigh(self, texts: Sequence[SpanText]) -> list[TextWeights]:
        """Weighs the terms of each text; see `AttentionWeigher.weigh`."""
        return [self._weigh(text) for text in texts]

    def _weigh(self, text: SpanText) -> TextWeights:
        stop_words = stop_words_of(text.language) if self._stop_words is None else self._stop_words
        counts = Counter(word.term for word in kept_words(text.text, stop_words))
        values = {term: count * idf(term, self._frequencies) for term, count in counts.items()}
        return _same_for_spans(text, values)


class UniformWeigher:
    """Gives every distinct term the weight 1 (`--weights uniform`), and every anchor the same importance.

    Of two anchors one has to be preferred, so a hash of the text and the place adds up to a millionth to it.
    """

    def __init__(self, stop_words: frozenset[str] | None = None) -> None:
        """Takes the stop words (None: those of each text's language)."""
        self._stop_words = stop_words

    def weigh(self, texts: Sequence[SpanText]) -> list[TextWeights]:
        """Weighs the terms of each text; see `AttentionWeigher.weigh`."""
        return [self._weigh(text) for text in texts]

    def _weigh(self, text: SpanText) -> TextWeights:
        stop_words = stop_words_of(text.language) if self._stop_words is None else self._stop_words
        weighed = _same_for_spans(text, {word.term: 1.0 for word in kept_words(text.text, stop_words)})
        return weighed._replace(spans=[_equal(text, *pair) for pair in enumerate(weighed.spans)])


def _equal(text: SpanText, number: int, span: SpanWeights) -> SpanWeights:
    if span.importance is None:
        return span
    return span._replace(importance=1 + _TIE_BREAK * uniform(0, text.text, str(text.spans[number])))


def _same_for_spans(text: SpanText, values: dict[str, float]) -> TextWeights:
    """Gives each span the text's weights, and as importance the mean weight of its words (stop words: 0)."""
    terms = TermWeights(tuple(values), np.array(list(values.values()), np.float64))  # [T]
    spans = []
    for start, end in text.spans:
        weights = [values.get(word.term, 0.0) for word in find_words(text.text[start:end])]
        spans.append(
            SpanWeights(terms, sum(weights) / len(weights)) if weights else SpanWeights(None, None, NO_PIECES)
        )
    return TextWeights(terms, spans)


def _slot(term: str, slots: int) -> int:
    return zlib.crc32(term.encode()) % slots
