"""Draws word sets for each page from its model: the pairs of rop."""

from collections.abc import Iterator

import apache_beam as beam
import pyarrow as pa
from apache_beam.utils.shared import Shared

from anchormine.sampling.collection_model import CollectionModel
from anchormine.sampling.document_profiles import DocumentProfile
from anchormine.sampling.term_counts import CorpusTotals
from anchormine.schemas.arrow_rows import from_ipc
from anchormine.schemas.terms import TERM_COUNTS
from anchormine.tasks.rop import ROP, rop_sets
from anchormine.text.term_rules import TermRules
from anchormine.transforms.count_terms import CountedTerms, add_totals
from anchormine.transforms.document_texts import DocumentColumn, TermReaders, read_texts
from anchormine.transforms.options import transform_options
from anchormine.transforms.page_sets import SetsOfPages
from anchormine.transforms.pair_buckets import PairBuckets
from anchormine.transforms.progress import Heartbeat
from anchormine.transforms.table_slices import TableSlice

DrawableTerms = list[tuple[bytes, tuple[int, int, int]]]


@transform_options
class DrawWordSets(beam.PTransform):
    """Takes `CountedTerms`, and gives ((task, group), (bucket of pages, kind, blob)).

    The kinds are "documents" (blobs of `Document`) and "word_sets" (of `PageSets`). Under "rejects" there are
    (bucket, blob of `Reject`), under "counts" dictionaries of counts.

    Attributes:
        slices: of the table of pages.
        column: of the documents.
        rules: what their terms are.
        profile: how sets are drawn.
        seed: of the run.
        buckets: how the pages are divided.
        progress: folder for heartbeats.
    """

    slices: tuple[TableSlice, ...]
    column: DocumentColumn
    rules: TermRules
    profile: DocumentProfile
    seed: int
    buckets: PairBuckets
    progress: str | None = None

    def expand(self, counted: CountedTerms) -> beam.pvalue.DoOutputsTuple:
        return (
            counted.drawable.pipeline
            | "Slices" >> beam.Create(self.slices, reshuffle=False)
            | "Spread" >> beam.Reshuffle()
            | "Draw"
            >> beam.ParDo(
                _DrawSlice(self),
                beam.pvalue.AsList(counted.drawable),
                beam.pvalue.AsSingleton(counted.documents),
            ).with_outputs("rejects", "counts", main="drawn")
        )


class _DrawSlice(beam.DoFn):
    def __init__(self, options: DrawWordSets) -> None:
        self._options = (options.column, options.rules, options.profile, options.seed, options.buckets)
        self._progress = options.progress
        self._shared = Shared()

    def setup(self) -> None:
        self._heartbeat = Heartbeat(self._progress)
        self._readers = TermReaders(self._options[1])

    def process(self, part: TableSlice, drawable: DrawableTerms, documents: int) -> Iterator:
        column, _, profile, seed, buckets = self._options
        # One for all threads of a process: a vocabulary can be a million words.
        model = self._shared.acquire(lambda: _collection_model(drawable, documents, profile))
        found = SetsOfPages(ROP, buckets)
        for document in read_texts(part, column):
            if document.reason:
                found.refuse(document, profile.sets)
            else:
                reader = self._readers.of(document.language)
                words = reader.words(document.text)
                found.add(document, rop_sets(document.page_id, words, reader.terms(words), model, seed))
            self._heartbeat.beat(pages=1)
        yield from found.emit()
        self._heartbeat.beat(flush=True, rejects=len(found.refusals))


def _collection_model(drawable: DrawableTerms, documents: int, profile: DocumentProfile) -> CollectionModel:
    tables = [from_ipc(data) for data, _ in drawable] or [TERM_COUNTS.empty_table()]
    totals = add_totals(CorpusTotals(*totals) for _, totals in drawable)
    return CollectionModel(pa.concat_tables(tables), totals, documents, profile)
