"""Counts the terms of a corpus, and writes how often each of them occurs."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

import apache_beam as beam
import pyarrow as pa
import pyarrow.compute as pc

from anchormine.sampling.term_counts import (
    CorpusTotals,
    TermCounter,
    add_counts,
    ordered_counts,
    totals_of,
    with_corpus,
)
from anchormine.schemas.arrow_rows import from_ipc, to_ipc
from anchormine.schemas.terms import TERM_STATISTICS
from anchormine.text.term_rules import TermRules
from anchormine.transforms.document_texts import DocumentColumn, TermReaders, read_texts
from anchormine.transforms.options import transform_options
from anchormine.transforms.parquet_shards import ShardWriter
from anchormine.transforms.table_slices import TableSlice

_BYTES_PER_BUCKET = 64 << 20
_PARTS_HELD = 16  # adding up a few at once costs less than one by one


def term_buckets(page_bytes: int) -> int:
    """Among how many buckets the terms of pages are divided whose files have so many bytes."""
    return 1 + page_bytes // _BYTES_PER_BUCKET


class CountedTerms(NamedTuple):
    """What `CountTerms` gives.

    Attributes:
        drawable: for each bucket (its terms that can be drawn, as IPC bytes; its `CorpusTotals`).
        documents: how many were counted, a number.
        reports: {"parts", "counts"}.
    """

    drawable: beam.PCollection
    documents: beam.PCollection
    reports: beam.PCollection


@transform_options
class CountTerms(beam.PTransform):
    """Gives `CountedTerms`, and writes `terms/<task>/`.

    Attributes:
        slices: of the table of pages.
        column: of the documents.
        rules: what their terms are.
        task: that they are counted for.
        min_count: terms that occur less often cannot be drawn.
        buckets: among how many the terms are divided.
        folder: for the files, until they are published.
    """

    slices: tuple[TableSlice, ...]
    column: DocumentColumn
    rules: TermRules
    task: str
    min_count: int
    buckets: int
    folder: str

    def expand(self, pipeline: beam.Pipeline) -> CountedTerms:
        counted = (
            pipeline
            | "Slices" >> beam.Create(self.slices, reshuffle=False)
            | "Spread" >> beam.Reshuffle()
            | "Count" >> beam.ParDo(_CountSlice(self)).with_outputs("documents", main="terms")
        )
        added = (
            counted["terms"]
            | "Add up" >> beam.CombinePerKey(_AddCounts())
            | "Sum up" >> beam.ParDo(_SumUp(self)).with_outputs("drawable", "words", main="rows")
        )
        documents = counted["documents"] | "Sum documents" >> beam.CombineGlobally(sum)
        words = added["words"] | "Sum words" >> beam.CombineGlobally(sum)
        written = added["rows"] | "Write terms" >> beam.ParDo(
            _WriteTerms(self), beam.pvalue.AsSingleton(documents), beam.pvalue.AsSingleton(words)
        )
        counts = documents | "Documents" >> beam.Map(
            lambda number, task: {"counts": {f"terms.{task}.documents": number}}, self.task
        )
        reports = (written, counts) | "All reports" >> beam.Flatten()
        return CountedTerms(added["drawable"], documents, reports)


class _CountSlice(beam.DoFn):
    def __init__(self, options: CountTerms) -> None:
        self._column, self._rules, self._buckets = options.column, options.rules, options.buckets

    def setup(self) -> None:
        self._readers = TermReaders(self._rules)

    def process(self, part: TableSlice) -> Iterator:
        counter = TermCounter(part.number)
        for document in read_texts(part, self._column):
            if not document.reason:
                reader = self._readers.of(document.language)
                words = reader.words(document.text)
                counter.add(reader.terms(words), words if reader.stemmed else None)
        for bucket, rows in counter.divided(self._buckets):
            yield bucket, to_ipc(rows)
        yield beam.pvalue.TaggedOutput("documents", counter.documents)


class _AddCounts(beam.CombineFn):
    """Takes and holds sums of terms as IPC bytes; gives rows of `TERM_COUNTS` in that form."""

    def create_accumulator(self) -> list[bytes]:
        return []

    def add_input(self, held: list[bytes], part: bytes) -> list[bytes]:
        return self.merge_accumulators([held, [part]])

    def merge_accumulators(self, accumulators: Iterable[list[bytes]]) -> list[bytes]:
        parts = list(chain.from_iterable(accumulators))
        return self.compact(parts) if len(parts) > _PARTS_HELD else parts

    def compact(self, held: list[bytes]) -> list[bytes]:
        return [to_ipc(_add_up(held))] if len(held) > 1 else held

    def extract_output(self, held: list[bytes]) -> bytes:
        return to_ipc(ordered_counts(_add_up(held)))


def _add_up(parts: Iterable[bytes]) -> pa.Table:
    return add_counts([from_ipc(part) for part in parts])


class _SumUp(beam.DoFn):
    def __init__(self, options: CountTerms) -> None:
        self._min_count = options.min_count

    def process(self, counted: tuple[int, bytes]) -> Iterator:
        bucket, data = counted
        rows = from_ipc(data)
        drawable: pa.Table = rows.filter(pc.greater_equal(rows["occurrences"], self._min_count))
        totals = totals_of(rows)
        yield beam.pvalue.TaggedOutput("drawable", (to_ipc(drawable), tuple(totals)))
        yield beam.pvalue.TaggedOutput("words", totals.words)
        yield bucket, data, {**totals._asdict(), "drawable": drawable.num_rows}


class _WriteTerms(beam.DoFn):
    def __init__(self, options: CountTerms) -> None:
        self._task, self._folder = options.task, options.folder

    def process(self, counted: tuple[int, bytes, dict[str, int]], documents: int, words: int) -> Iterator:
        bucket, data, counts = counted
        writer = ShardWriter(self._folder, f"terms/{self._task}", TERM_STATISTICS, bucket)
        writer.write(with_corpus(from_ipc(data), documents, words))
        yield {
            "parts": [tuple(part) for part in writer.close()],
            "counts": {f"terms.{self._task}.{name}": count for name, count in counts.items()},
        }


def add_totals(totals: Iterable[CorpusTotals]) -> CorpusTotals:
    """The sums over all buckets."""
    return CorpusTotals(*map(sum, zip(*totals, strict=True)))
