"""How often each term occurs, in how many documents, and how many documents there are.

A part of the corpus is counted into a dictionary of its own. The parts are divided by a hash of the term, and
added up bucket by bucket, in any order and any grouping, so that a vocabulary of any size fits.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from anchormine.schemas.terms import TERM_COUNTS, TERM_STATISTICS

# "part" is that of the word, None without one: a stem keeps the first of its words.
_SUMS = TERM_COUNTS.append(pa.field("part", pa.int64()))


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

    def __init__(self, part: int = 0) -> None:
        """Starts with no documents.

        Args:
            part: its place in the corpus.
        """
        self.documents = 0
        self._part = part
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
        """Yields (bucket, sums of its terms), to be given to `add_counts`."""
        return divide_rows(self._rows(), list(self._counts), buckets)

    def _rows(self) -> pa.Table:
        terms = list(self._counts)
        words = [self._words.get(term) for term in terms] if self._words else [None] * len(terms)
        documents = list(map(self._postings.__getitem__, terms))
        parts = [None if word is None else self._part for word in words]
        columns = (terms, words, list(self._counts.values()), documents, parts)
        arrays = [pa.array(column, field.type) for column, field in zip(columns, _SUMS, strict=True)]
        return pa.table(arrays, schema=_SUMS)


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
    """Adds up sums of parts of a corpus, each from `TermCounter.divided` or from here, in any order."""
    together = pa.concat_tables(parts).combine_chunks()
    if together["word"].null_count < together.num_rows:
        together = together.sort_by("part")
    sums = [("word", "first"), ("occurrences", "sum"), ("documents", "sum"), ("part", "min")]
    summed = together.group_by("term", use_threads=False).aggregate(sums)
    return summed.rename_columns(_SUMS.names).cast(_SUMS)


def ordered_counts(sums: pa.Table) -> pa.Table:
    """Sums of `add_counts` as rows of `TERM_COUNTS`: the most frequent first, equal ones by their letters."""
    ordered = sums.sort_by([("occurrences", "descending"), ("term", "ascending")])
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
