"""Reads which pages ask robots not to use their links."""

from collections.abc import Iterable

import apache_beam as beam
import numpy as np
from apache_beam.coders import registry

from anchormine.filters.permission import robots
from anchormine.transforms.coders import NestedRecordCoder
from anchormine.transforms.judge_slices import page_hash
from anchormine.transforms.options import transform_options
from anchormine.transforms.table_slices import TableSlice, read_slice

registry.register_coder(TableSlice, NestedRecordCoder)


@transform_options
class RefusingPages(beam.PTransform):
    """Gives one sorted array [pages] uint64, of `page_hash` of the pages that the rule `robots` is about.

    8 bytes a page: all workers hold it.

    Attributes:
        slices: of the table of pages; none where the rule is not applied.
        directives: for which a page is one of them.
    """

    slices: tuple[TableSlice, ...]
    directives: tuple[str, ...]

    def expand(self, pipeline: beam.Pipeline) -> beam.PCollection:
        return (
            pipeline
            | "Page slices" >> beam.Create(self.slices, reshuffle=False).with_output_types(TableSlice)
            | "Spread pages" >> beam.Reshuffle()
            | "Read robots" >> beam.Map(_read, self.directives)
            | "Join" >> beam.CombineGlobally(_join)
        )


def _read(part: TableSlice, directives: tuple[str, ...]) -> np.ndarray:
    found = []
    for table in read_slice(part, ("page_id", "robots")):
        pages = zip(table["page_id"].to_pylist(), table["robots"].to_pylist(), strict=True)
        found += [page_hash(page_id) for page_id, said in pages if robots(said, directives)]
    return np.array(found, np.uint64)


def _join(parts: Iterable[np.ndarray]) -> np.ndarray:
    return np.unique(np.concatenate([np.empty(0, np.uint64), *parts]))
