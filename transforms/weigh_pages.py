"""Weighs the terms of pages by an encoder's attention, each page once."""

from collections.abc import Iterator
from typing import NamedTuple

import apache_beam as beam

from anchormine.sampling.contrast import share_units, term_shares
from anchormine.sampling.term_shares import ShareCounter
from anchormine.sampling.weighers import WeighingOptions
from anchormine.sampling.weights import SpanText, TermWeights
from anchormine.schemas.arrow_rows import to_ipc
from anchormine.tasks.bprop import BPROP
from anchormine.tasks.word_set_pairs import NO_WORDS
from anchormine.transforms.blobs import pack
from anchormine.transforms.document_texts import DocumentColumn, DocumentText, read_texts
from anchormine.transforms.load_weigher import load_weigher
from anchormine.transforms.options import transform_options
from anchormine.transforms.page_sets import SetsOfPages
from anchormine.transforms.pair_buckets import PairBuckets
from anchormine.transforms.progress import Heartbeat
from anchormine.transforms.table_slices import TableSlice


class WeighedPage(NamedTuple):
    """A page, its distinct terms, and p_D of each."""

    page_id: str
    text: str
    terms: tuple[str, ...]
    shares: list[float]


class WeighedPages(NamedTuple):
    """What `WeighPages` gives.

    Attributes:
        pages: blobs of `WeighedPage`.
        sums: (bucket, (number of the slice, sums of shares as IPC bytes)).
        documents: how many were weighed, a number.
        rejects: (bucket, blob of `Reject`).
        counts: dictionaries of counts.
    """

    pages: beam.PCollection
    sums: beam.PCollection
    documents: beam.PCollection
    rejects: beam.PCollection
    counts: beam.PCollection


@transform_options
class WeighPages(beam.PTransform):
    """Gives `WeighedPages`.

    Attributes:
        slices: of the table of pages; each is encoded by itself, as weights move with what shares a batch.
        column: of the documents.
        weighing: how terms are weighed.
        sets: pairs of a page.
        buckets: how the pages are divided.
        term_buckets: among how many buckets the terms are divided.
        progress: folder for heartbeats.
    """

    slices: tuple[TableSlice, ...]
    column: DocumentColumn
    weighing: WeighingOptions
    sets: int
    buckets: PairBuckets
    term_buckets: int
    progress: str | None = None

    def expand(self, pipeline: beam.Pipeline) -> WeighedPages:
        weighed = (
            pipeline
            | "Slices" >> beam.Create(self.slices, reshuffle=False)
            | "Spread" >> beam.Reshuffle()
            | "Weigh"
            >> beam.ParDo(_WeighSlice(self)).with_outputs(
                "sums", "documents", "rejects", "counts", main="pages"
            )
        )
        documents = weighed["documents"] | "Sum documents" >> beam.CombineGlobally(sum)
        # Kept where they are, so that no runner encodes them again for the second look.
        pages = weighed["pages"] | "Keep" >> beam.Reshuffle()
        return WeighedPages(pages, weighed["sums"], documents, weighed["rejects"], weighed["counts"])


class _WeighSlice(beam.DoFn):
    def __init__(self, options: WeighPages) -> None:
        self._column, self._weighing, self._sets = options.column, options.weighing, options.sets
        self._buckets, self._term_buckets = options.buckets, options.term_buckets
        self._progress = options.progress

    def setup(self) -> None:
        self._heartbeat = Heartbeat(self._progress)

    def process(self, part: TableSlice) -> Iterator:
        refused = SetsOfPages(BPROP, self._buckets)
        pages, sums = [], ShareCounter()
        for document, weights in self._weighed(part, refused):
            if not weights.terms:
                refused.refuse(document._replace(reason=NO_WORDS), self._sets)
                continue
            shares = term_shares(weights)  # [T]
            sums.add(weights.terms, share_units(shares))
            pages.append(WeighedPage(document.page_id, document.text, weights.terms, shares.tolist()))
        yield pack(pages)
        for bucket, rows in sums.divided(self._term_buckets):
            yield beam.pvalue.TaggedOutput("sums", (bucket, (part.number, to_ipc(rows))))
        yield beam.pvalue.TaggedOutput("documents", len(pages))
        yield from refused.emit()
        self._heartbeat.beat(flush=True, pages=part.end - part.start, rejects=len(refused.refusals))

    def _weighed(self, part: TableSlice, refused: SetsOfPages) -> Iterator[tuple[DocumentText, TermWeights]]:
        documents = []
        for document in read_texts(part, self._column):
            if document.reason:
                refused.refuse(document, self._sets)
            else:
                documents.append(document)
        texts = [SpanText(document.text, (), document.language) for document in documents]
        weigher = load_weigher(self._weighing, None)
        for document, weights in zip(documents, weigher.weigh(texts), strict=True):
            yield document, weights.cls
