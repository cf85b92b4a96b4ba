"""Adds up the shares that terms have of the documents they stand in, part by part of a corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from anchormine.sampling.contrast import SHARE_UNIT
from anchormine.sampling.term_counts import divide_rows
from anchormine.schemas.terms import TERM_SHARES

_SUMS = pa.schema([("term", pa.string()), ("units", pa.int64()), ("documents", pa.int64())])


class ShareCounter:
    """Adds up the shares of a part of a corpus."""

    def __init__(self) -> None:
        self._sums: dict[str, list[int]] = {}

    def add(self, terms: Sequence[str], units: np.ndarray) -> None:
        """Takes the terms of a document, each once, and their shares [T] in `SHARE_UNIT`."""
        for term, share in zip(terms, units.tolist(), strict=True):
            found = self._sums.setdefault(term, [0, 0])
            found[0] += share
            found[1] += 1

    def divided(self, buckets: int) -> Iterator[tuple[int, pa.Table]]:
        """Yields (bucket, sums of its terms), to be given to `add_shares`."""
        terms = list(self._sums)
        units, documents = zip(*self._sums.values(), strict=True) if terms else ((), ())
        rows = pa.table([terms, list(units), list(documents)], schema=_SUMS)
        return divide_rows(rows, terms, buckets)


def add_shares(parts: Sequence[pa.Table]) -> pa.Table:
    """Adds up the sums of parts, the terms with the greatest shares first, equal ones by their letters."""
    summed = pa.concat_tables(parts).group_by("term").aggregate([("units", "sum"), ("documents", "sum")])
    named = summed.rename_columns([name.removesuffix("_sum") for name in summed.column_names])
    return named.sort_by([("units", "descending"), ("term", "ascending")]).select(_SUMS.names)


def mean_shares(sums: pa.Table, documents: int) -> pa.Table:
    """The sums as rows of `TERM_SHARES`: p_rand of each term in so many documents."""
    means = sums["units"].to_numpy() * (SHARE_UNIT / documents)  # [terms]
    return pa.table([sums["term"], pa.array(means), sums["documents"]], schema=TERM_SHARES)
