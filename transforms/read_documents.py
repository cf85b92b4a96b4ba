"""Reads a folder's pages as the documents of anchors: their main texts, or their leads."""

from collections.abc import Iterator

import apache_beam as beam

from anchormine.tasks.anchor_document import ANCHOR_DOCUMENT
from anchormine.tasks.documents import Document, document_problem
from anchormine.transforms.blobs import pack_placed
from anchormine.transforms.options import transform_options
from anchormine.transforms.pair_buckets import PairBuckets
from anchormine.transforms.table_slices import TableSlice, read_slice


@transform_options
class ReadDocuments(beam.PTransform):
    """Gives ((task, group), (bucket of pages, "documents", blob of `Document`)).

    Attributes:
        slices: of the table of pages.
        column: "text" or "lead".
        buckets: how the pages are divided.
        min_words: pages whose text has fewer words are no documents.
    """

    slices: tuple[TableSlice, ...]
    column: str
    buckets: PairBuckets
    min_words: int = 0

    def expand(self, pipeline: beam.Pipeline) -> beam.PCollection:
        return (
            pipeline
            | "Slices" >> beam.Create(self.slices, reshuffle=False)
            | "Spread" >> beam.Reshuffle()
            | "Read" >> beam.FlatMap(_read, self)
        )


def _read(part: TableSlice, options: ReadDocuments) -> Iterator[tuple]:
    for table in read_slice(part, ["page_id", options.column, *(["text"] if options.min_words else [])]):
        texts = table[options.column].to_pylist()
        counted = table["text"].to_pylist() if options.min_words else texts
        rows = (
            _document(page_id, text, whole, options.min_words)
            for page_id, text, whole in zip(table["page_id"].to_pylist(), texts, counted, strict=True)
        )
        yield from pack_placed(
            "documents", rows, lambda row: options.buckets.of_document(ANCHOR_DOCUMENT, row.page_id)
        )


def _document(page_id: str, text: str, whole: str, min_words: int) -> Document:
    reason = document_problem(text, whole, min_words)
    return Document(page_id, "" if reason else text, reason)
