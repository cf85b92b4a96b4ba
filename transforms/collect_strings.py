"""Collects the texts that the query classifier is to score: those that the rules keep, in small letters."""

from collections.abc import Iterator

import apache_beam as beam

from anchormine.filters.cleaning import as_typed
from anchormine.sampling.draws import hash64
from anchormine.transforms.judge_slices import JUDGED_COLUMNS, Judging, RuledPages, judge_rows, unit_of
from anchormine.transforms.options import transform_options
from anchormine.transforms.progress import Heartbeat
from anchormine.transforms.table_slices import TableSlice, read_slice

_ROWS_PER_BUCKET = 8_192
_MAX_BUCKETS = 1_024


def string_buckets(rows: int) -> int:
    """Among how many buckets the texts of a table are divided: the same on any runner."""
    return min(_MAX_BUCKETS, 1 + rows // _ROWS_PER_BUCKET)


def string_hash(text: str) -> int:
    """What stands for a text where its score is looked up, 64 bits."""
    return hash64(0, text)


@transform_options
class CollectStrings(beam.PTransform):
    """Takes (slices, one tuple of `RuledPages`), and gives (bucket, (unit, distinct texts of a slice)).

    Attributes:
        judging: how anchors are judged.
        buckets: among how many the texts are divided.
        progress: folder for heartbeats.
    """

    judging: Judging
    buckets: int
    progress: str | None = None

    def expand(self, inputs: tuple[beam.PCollection, beam.PCollection]) -> beam.PCollection:
        slices, facts = inputs
        return slices | "Collect" >> beam.ParDo(_Collect(self), beam.pvalue.AsSingleton(facts))


class _Collect(beam.DoFn):
    def __init__(self, options: CollectStrings) -> None:
        self._judging, self._buckets = options.judging, options.buckets
        self._progress = options.progress

    def setup(self) -> None:
        self._heartbeat = Heartbeat(self._progress)

    def process(self, part: TableSlice, facts: tuple) -> Iterator[tuple[int, tuple[int, list[str]]]]:
        texts: dict[str, None] = {}
        for rows in read_slice(part, JUDGED_COLUMNS):
            decisions = judge_rows(rows, self._judging, RuledPages(*facts))
            texts.update(
                (as_typed(decision.clean), None) for decision in decisions if decision.reason is None
            )
            self._heartbeat.beat(anchors=rows.num_rows)
        divided: dict[int, list[str]] = {}
        for text in texts:
            divided.setdefault(string_hash(text) % self._buckets, []).append(text)
        for bucket, some in divided.items():
            yield bucket, (unit_of(part), some)
        self._heartbeat.beat(flush=True)
