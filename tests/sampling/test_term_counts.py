"""Sums of terms are the same whatever the order and the grouping in which parts are added up."""

from __future__ import annotations

import itertools

import pyarrow as pa

from anchormine.sampling.term_counts import TermCounter, add_counts, ordered_counts
from anchormine.schemas.terms import TERM_COUNTS

# (stems, their words), by part; None where the language of the document has no stemmer.
PARTS = (
    [(["reef", "build"], None), (["sea"], None)],
    [(["build", "build", "coral"], ["builds", "building", "corals"])],
    [(["coral", "coral"], ["coral", "coral"])],
    [(["build"], ["built"])],
)
SUMS = pa.table(
    [
        ["build", "coral", "reef", "sea"],
        ["builds", "corals", None, None],
        [4, 3, 1, 1],
        [3, 2, 1, 1],
    ],
    schema=TERM_COUNTS,
)


def counted(number: int) -> pa.Table:
    counter = TermCounter(number)
    for terms, words in PARTS[number]:
        counter.add(terms, words)
    ((bucket, rows),) = counter.divided(1)
    assert bucket == 0
    return rows


def test_any_order_and_grouping() -> None:
    for order in itertools.permutations(map(counted, range(len(PARTS)))):
        for cut in range(1, len(PARTS)):
            grouped = [add_counts(order[:cut]), add_counts(order[cut:])]
            assert ordered_counts(add_counts(grouped)) == SUMS
        assert ordered_counts(add_counts(order)) == SUMS


def test_terms_are_divided_among_buckets() -> None:
    counter = TermCounter()
    counter.add(["a", "b", "c", "d", "a"])
    divided = dict(counter.divided(3))
    assert sorted(term for rows in divided.values() for term in rows["term"].to_pylist()) == list("abcd")
    assert ordered_counts(add_counts(list(divided.values())))["occurrences"].to_pylist() == [2, 1, 1, 1]
