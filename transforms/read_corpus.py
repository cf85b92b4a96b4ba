"""Reads a folder's pages as documents: their leads, how many there are, and how frequent their words are."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import apache_beam as beam
import numpy as np

from anchormine.sampling.tfidf import SLOTS, DocumentFrequencies, count_documents, merge_frequencies
from anchormine.tasks.documents import document_problem
from anchormine.tasks.page_answers import LeadPage
from anchormine.transforms.blobs import pack
from anchormine.transforms.options import transform_options
from anchormine.transforms.pair_buckets import PairBuckets
from anchormine.transforms.table_slices import TableSlice, read_slice


class Corpus(NamedTuple):
    """What `ReadCorpus` gives.

    Attributes:
        pages: (bucket, ("pages", blob of `LeadPage`)).
        usable: (bucket, how many of its pages can be documents).
        frequencies: one `DocumentFrequencies` of all leads.
    """

    pages: beam.PCollection
    usable: beam.PCollection
    frequencies: beam.PCollection


@transform_options
class ReadCorpus(beam.PTransform):
    """Gives a `Corpus`.

    Attributes:
        slices: of the table of pages.
        buckets: how the pages are divided.
        min_words: pages whose text has fewer words are no documents.
        language: of all pages, over what the table says.
    """

    slices: tuple[TableSlice, ...]
    buckets: PairBuckets
    min_words: int = 0
    language: str | None = None

    def expand(self, pipeline: beam.Pipeline) -> Corpus:
        read = (
            pipeline
            | "Page slices" >> beam.Create(self.slices, reshuffle=False)
            | "Spread pages" >> beam.Reshuffle()
            | "Read pages" >> beam.ParDo(_ReadPages(self)).with_outputs("usable", "frequencies", main="pages")
        )
        usable = read["usable"] | "Sum usable" >> beam.CombinePerKey(sum)
        frequencies = read["frequencies"] | "Sum frequencies" >> beam.CombineGlobally(_SumFrequencies())
        return Corpus(read["pages"], usable, frequencies)


class _ReadPages(beam.DoFn):
    def __init__(self, options: ReadCorpus) -> None:
        self._buckets, self._min_words = options.buckets, options.min_words
        self._language = options.language

    def process(self, part: TableSlice) -> Iterator:
        columns = ["page_id", "lead", "language", *(["text"] if self._min_words else [])]
        divided: dict[int, list[LeadPage]] = {}
        leads: list[str] = []
        for table in read_slice(part, columns):
            for page_id, lead, language, *text in zip(
                *(table[name].to_pylist() for name in columns), strict=True
            ):
                reason = document_problem(lead, "".join(text), self._min_words)
                page = LeadPage(page_id, lead, self._language or language, reason)
                divided.setdefault(self._buckets.of_page(page_id), []).append(page)
                leads.append(lead)
        for bucket, pages in divided.items():
            yield bucket, ("pages", pack(pages))
            usable = sum(not page.reason for page in pages)
            yield beam.pvalue.TaggedOutput("usable", (bucket, usable))
        yield beam.pvalue.TaggedOutput("frequencies", count_documents(leads))


class _SumFrequencies(beam.CombineFn):
    def create_accumulator(self) -> DocumentFrequencies:
        return DocumentFrequencies(np.zeros(SLOTS, np.uint32), 0)

    def add_input(self, total: DocumentFrequencies, part: DocumentFrequencies) -> DocumentFrequencies:
        return merge_frequencies([total, part])

    def merge_accumulators(self, totals: Iterable[DocumentFrequencies]) -> DocumentFrequencies:
        return merge_frequencies([self.create_accumulator(), *totals])

    def extract_output(self, total: DocumentFrequencies) -> DocumentFrequencies:
        return total
