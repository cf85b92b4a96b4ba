"""How often each term occurs, in how many documents, and how many documents there are.

A part of the corpus is counted into a dictionary of its own. The parts are divided by a hash of the term, and
added up bucket by bucket, so that a vocabulary of any size fits.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from anchormine.schemas.terms import TERM_COUNTS, TERM_STATISTICS


class CorpusTotals(NamedTuple):
    """Sums over a corpus, or over the terms of a bucket.

    Attributes:
        words: occurrences of all terms.
        postings: pairs of a term and a document that has it.
        terms: distinct.
    """

    words: int = 0
    postings: int = 0
    terms: int = 0


class TermCounter:
    """Counts the terms of a part of a corpus.

    Attributes:
        documents: how many were counted.
    """

    def __init__(self) -> None:
        self.documents = 0
        self._counts: Counter[str] = Counter()
        self._postings: Counter[str] = Counter()
        self._words: dict[str, str] = {}

    def add(self, terms: Sequence[str], words: Sequence[str] | None = None) -> None:
        """Counts a document.

        Args:
            terms: of it, with repeats.
            words: that the terms are stems of, in the same order; None where terms are words.
        """
        self.documents += 1
        self._counts.update(terms)
        self._postings.update(set(terms))
        if words is not None:
            for term, word in zip(terms, words, strict=True):
                self._words.setdefault(term, word)

    def divided(self, buckets: int) -> Iterator[tuple[int, pa.Table]]:
        """Yields (bucket, its terms as rows of `TERM_COUNTS`)."""
        return divide_rows(self._rows(), list(self._counts), buckets)

    def _rows(self) -> pa.Table:
        terms = list(self._counts)
        words = [self._words.get(term) for term in terms] if self._words else [None] * len(terms)
        documents = map(self._postings.__getitem__, terms)
        columns = (terms, words, list(self._counts.values()), list(documents))
        arrays = [pa.array(column, field.type) for column, field in zip(columns, TERM_COUNTS, strict=True)]
        return pa.table(arrays, schema=TERM_COUNTS)


def divide_rows(rows: pa.Table, terms: Sequence[str], buckets: int) -> Iterator[tuple[int, pa.Table]]:
    """Yields (bucket, its rows), of the buckets that have any.

    Args:
        rows: of terms.
        terms: of each row.
        buckets: how many.
    """
    hashes = (zlib.crc32(term.encode()) for term in terms)
    of_row = np.fromiter(hashes, np.uint32, len(terms)) % np.uint32(buckets)  # [terms]
    order = np.argsort(of_row, kind="stable")  # [terms]
    starts = np.searchsorted(of_row[order], np.arange(buckets + 1))  # [buckets + 1]
    for bucket in np.flatnonzero(np.diff(starts)).tolist():
        yield bucket, rows.take(order[starts[bucket] : starts[bucket + 1]])


def add_counts(parts: Sequence[pa.Table]) -> pa.Table:
    """Adds up the counts of parts of a corpus.

    Args:
        parts: rows of `TERM_COUNTS` each, in the order of the corpus: a stem keeps the first of its words.

    Returns:
        The same of all parts, the most frequent term first, equal ones by their letters.
    """
    together = pa.concat_tables(parts).combine_chunks()
    summed = together.group_by("term", use_threads=False).aggregate(
        [("word", "first"), ("occurrences", "sum"), ("documents", "sum")]
    )
    named = summed.rename_columns(
        [name.removesuffix("_sum").removesuffix("_first") for name in summed.column_names]
    )
    ordered = named.sort_by([("occurrences", "descending"), ("term", "ascending")])
    return ordered.select(TERM_COUNTS.names).cast(TERM_COUNTS)


def totals_of(rows: pa.Table) -> CorpusTotals:
    """The sums over rows of `TERM_COUNTS`."""
    counts, documents = (rows[name].to_numpy() for name in ("occurrences", "documents"))
    return CorpusTotals(int(counts.sum()), int(documents.sum()), rows.num_rows)


def with_corpus(rows: pa.Table, documents: int, words: int) -> pa.Table:
    """Adds the size of the corpus to counts of its terms.

    Args:
        rows: of `TERM_COUNTS`.
        documents: of the corpus, at least one.
        words: occurrences of all its terms.

    Returns:
        Rows of `TERM_STATISTICS`.
    """
    size = (pa.repeat(documents, rows.num_rows), pa.repeat(words / documents, rows.num_rows))
    return pa.table([*rows.columns, *size], schema=TERM_STATISTICS)
