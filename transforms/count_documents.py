"""Counts the pages that anchors lead to, after each filter."""

from collections.abc import Iterable, Iterator, Sequence

import apache_beam as beam
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from anchormine.sampling.draws import hash64
from anchormine.transforms.options import transform_options

_ROWS_PER_BUCKET = 2_000_000


def document_buckets(rows: int) -> int:
    """Among how many buckets the pages are divided that the anchors of a table lead to."""
    return 1 + rows // _ROWS_PER_BUCKET


class Survival:
    """For each page linked to, the most filters that any anchor to it has passed.

    A page is its id where it is in the input, else what the link says it is: its address, or its title. It is
    kept as a hash of 64 bits, by which two of a hundred million pages are taken for one with a probability of
    0.0003.
    """

    def __init__(self) -> None:
        self._passed: dict[str, int] = {}

    def add(self, rows: pa.Table, passed: Sequence[int]) -> None:
        """Takes anchors.

        Args:
            rows: with "destination_page_id" and "target".
            passed: how many filters each of them has passed.
        """
        pages = pc.coalesce(rows["destination_page_id"], rows["target"]).to_pylist()
        for page, filters in zip(pages, passed, strict=True):
            if filters > self._passed.get(page, -1):
                self._passed[page] = filters

    def divided(self, buckets: int) -> Iterator[tuple[int, tuple[np.ndarray, np.ndarray]]]:
        """Yields (bucket, (hashes of pages [P] uint64, filters passed [P] uint8))."""
        hashes = np.fromiter((hash64(0, page) for page in self._passed), np.uint64, len(self._passed))
        passed = np.fromiter(self._passed.values(), np.uint8, len(self._passed))
        for bucket in range(buckets):
            own = hashes % np.uint64(buckets) == bucket
            if own.any():
                yield bucket, (hashes[own], passed[own])


@transform_options
class CountDocuments(beam.PTransform):
    """Takes what `Survival.divided` yields, and gives reports {"counts"}.

    Attributes:
        filters: their names in order, that of all anchors before any filter first; the counts are
            "documents.<name>".
    """

    filters: tuple[str, ...]

    def expand(self, found: beam.PCollection) -> beam.PCollection:
        return found | "Group pages" >> beam.GroupByKey() | "Count" >> beam.Map(_count, self.filters)


def _count(group: tuple[int, Iterable[tuple[np.ndarray, np.ndarray]]], filters: tuple[str, ...]) -> dict:
    parts = list(group[1])
    hashes, places = np.unique(np.concatenate([hashes for hashes, _ in parts]), return_inverse=True)
    furthest = np.zeros(len(hashes), np.uint8)
    np.maximum.at(furthest, places, np.concatenate([passed for _, passed in parts]))
    counts = {f"documents.{name}": int((furthest >= number).sum()) for number, name in enumerate(filters)}
    return {"counts": counts}
