"""Averages the shares of terms over all pages: what each page's are contrasted with."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import apache_beam as beam
import pyarrow.compute as pc

from anchormine.sampling.term_shares import add_shares, mean_shares
from anchormine.schemas.arrow_rows import from_ipc, to_ipc
from anchormine.schemas.terms import TERM_SHARES
from anchormine.tasks.bprop import BPROP
from anchormine.transforms.options import transform_options
from anchormine.transforms.parquet_shards import ShardWriter
from anchormine.transforms.weigh_pages import WeighedPages


class AveragedTerms(NamedTuple):
    """What `AverageTerms` gives: sums of shares as IPC bytes, and reports {"parts", "counts"}."""

    sums: beam.PCollection
    reports: beam.PCollection


@transform_options
class AverageTerms(beam.PTransform):
    """Takes `WeighedPages`, gives `AveragedTerms`, and writes `terms/bprop/`.

    Attributes:
        folder: for the files, until they are published.
    """

    folder: str

    def expand(self, weighed: WeighedPages) -> AveragedTerms:
        added = (
            weighed.sums
            | "Group terms" >> beam.GroupByKey()
            | "Add up"
            >> beam.ParDo(_AddUp(self.folder), beam.pvalue.AsSingleton(weighed.documents)).with_outputs(
                "sums", main="reports"
            )
        )
        return AveragedTerms(added["sums"], added["reports"])


class _AddUp(beam.DoFn):
    def __init__(self, folder: str) -> None:
        self._folder = folder

    def process(self, group: tuple[int, Iterable[tuple[int, bytes]]], documents: int) -> Iterator:
        bucket, parts = group
        sums = add_shares([from_ipc(data) for _, data in sorted(parts)])
        writer = ShardWriter(self._folder, f"terms/{BPROP}", TERM_SHARES, bucket)
        writer.write(mean_shares(sums, documents))
        # A term of one document has there the mean that follows from that document.
        yield beam.pvalue.TaggedOutput("sums", to_ipc(sums.filter(pc.greater(sums["documents"], 1))))
        counts = {f"terms.{BPROP}.terms": sums.num_rows}
        yield {"parts": [tuple(part) for part in writer.close()], "counts": counts}
