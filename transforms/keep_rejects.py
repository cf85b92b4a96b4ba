"""Reads what earlier runs of a step have set aside and still holds."""

from collections.abc import Iterator

import apache_beam as beam

from anchormine.schemas.arrow_rows import to_rows
from anchormine.schemas.rejects import REJECTS, Reject
from anchormine.transforms.options import transform_options
from anchormine.transforms.pair_buckets import PairBuckets
from anchormine.transforms.table_slices import TableSlice, read_slice


@transform_options
class KeepRejects(beam.PTransform):
    """Gives (bucket, blob of `Reject`) for the rows of some units.

    Attributes:
        slices: of the table of rejects.
        units: whose rows are kept.
        buckets: how the work is divided.
    """

    slices: tuple[TableSlice, ...]
    units: tuple[str, ...]
    buckets: PairBuckets

    def expand(self, pipeline: beam.Pipeline) -> beam.PCollection:
        slices = self.slices if self.units else ()
        return (
            pipeline
            | "Slices" >> beam.Create(slices, reshuffle=False).with_output_types(TableSlice)
            | "Spread" >> beam.Reshuffle()
            | "Keep" >> beam.FlatMap(_read, self)
        )


def _read(part: TableSlice, options: KeepRejects) -> Iterator[tuple[int, bytes]]:
    for table in read_slice(part, REJECTS.names):
        kept = (row for row in to_rows(table, Reject) if row.unit in options.units)
        yield from options.buckets.pack_rejects(kept)
