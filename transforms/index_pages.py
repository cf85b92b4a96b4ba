"""Makes of a folder's pages the parts of the corpus that negatives are mined from."""

import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import apache_beam as beam
import numpy as np

from anchormine.negatives.documents import EMPTY_DOCUMENT, MinedDocument, document_maker, source_column
from anchormine.negatives.fingerprints import signatures, text_hash
from anchormine.negatives.options import NegativeOptions
from anchormine.negatives.postings import CorpusLengths, count_terms
from anchormine.negatives.query_keys import page_key
from anchormine.negatives.terms import mining_splitter
from anchormine.sampling.splits import TRAIN, split_of
from anchormine.schemas.rejects import EXCERPT_CHARACTERS, Reject
from anchormine.transforms.load_miner import embed_documents
from anchormine.transforms.mined_shards import (
    Marks,
    Shard,
    write_documents,
    write_frequencies,
    write_marks,
    write_postings,
    write_vectors,
)
from anchormine.transforms.options import transform_options
from anchormine.transforms.pair_buckets import PairBuckets
from anchormine.transforms.progress import Heartbeat
from anchormine.transforms.table_slices import TableSlice, read_slice

_SHARDS_PER_BUCKET = 4  # of terms: a bucket holds about the vocabulary of a part


class Indexed(NamedTuple):
    """What `IndexPages` gives.

    Attributes:
        shards: `Shard`.
        weighed: paths of the parts whose terms are counted in the whole corpus; none for a model.
        lengths: one `CorpusLengths`.
        rejects: (bucket, blob of `Reject`).
        counts: dictionaries of counts.
    """

    shards: beam.PCollection
    weighed: beam.PCollection
    lengths: beam.PCollection
    rejects: beam.PCollection
    counts: beam.PCollection


@transform_options
class IndexPages(beam.PTransform):
    """Gives `Indexed`. Each slice is a part.

    Attributes:
        slices: of the table of pages.
        options: of the run.
        buckets: how rejects are divided.
        folder: for the parts' files.
        language: of all pages, over what the table says: where sentences end.
        progress: folder for heartbeats.
    """

    slices: tuple[TableSlice, ...]
    options: NegativeOptions
    buckets: PairBuckets
    folder: str
    language: str | None = None
    progress: str | None = None

    def expand(self, pipeline: beam.Pipeline) -> Indexed:
        read = (
            pipeline
            | "Slices" >> beam.Create(self.slices, reshuffle=False).with_output_types(TableSlice)
            | "Spread" >> beam.Reshuffle()
            | "Index"
            >> beam.ParDo(_Index(self)).with_outputs("terms", "lengths", "rejects", "counts", main="shards")
        )
        weighed = (
            read["terms"]
            | "Group by term" >> beam.GroupByKey()
            | "Sum frequencies" >> beam.FlatMap(_sum_frequencies)
            | "Group by part" >> beam.GroupByKey()
            | "Write frequencies" >> beam.Map(_write_frequencies)
        )
        lengths = read["lengths"] | "Sum lengths" >> beam.CombineGlobally(_sum_lengths)
        return Indexed(read["shards"], weighed, lengths, read["rejects"], read["counts"])


class _Index(beam.DoFn):
    def __init__(self, transform: IndexPages) -> None:
        self._options, self._buckets, self._folder = transform.options, transform.buckets, transform.folder
        self._language, self._progress = transform.language, transform.progress
        self._term_buckets = 1 + len(transform.slices) // _SHARDS_PER_BUCKET

    def setup(self) -> None:
        self._heartbeat = Heartbeat(self._progress)
        self._make = document_maker(self._options)

    def process(self, part: TableSlice) -> Iterator:
        rejects: list[Reject] = []
        documents = list(self._documents(part, rejects))
        splits = [split_of(document.page_id) for document in documents]
        train = [document for document, split in zip(documents, splits, strict=True) if split == TRAIN]
        documents = train + [one for one, split in zip(documents, splits, strict=True) if split != TRAIN]
        path = f"{self._folder}/{part.number:06d}-{uuid.uuid4().hex}"
        texts = [document.text for document in documents]
        write_documents(path, [document.document_id for document in documents], texts)
        write_marks(path, _marks(documents))
        if self._options.model is None:
            yield from self._count_terms(path, texts)
        else:
            write_vectors(path, embed_documents(self._options.model, texts))
        for blob in self._buckets.pack_rejects(rejects):
            yield beam.pvalue.TaggedOutput("rejects", blob)
        yield beam.pvalue.TaggedOutput("counts", self._counts(part, rejects))
        yield Shard(part.number, path, len(train), len(documents))
        self._heartbeat.beat(flush=True, rejects=len(rejects))

    def _documents(self, part: TableSlice, rejects: list[Reject]) -> Iterator[MinedDocument]:
        """Yields the documents of a slice; adds the pages that have none to the rejects."""
        for page_id, text, language in _rows(part, source_column(self._options.form)):
            empty = True
            for document in self._make(page_id, text, self._language or language or ""):
                empty = False
                yield document
            if empty:
                unit, excerpt = self._unit, text[:EXCERPT_CHARACTERS]
                rejects.append(Reject("negatives", EMPTY_DOCUMENT, unit, page_id, page_id, excerpt))
            self._heartbeat.beat(pages=1)

    def _count_terms(self, path: str, texts: list[str]) -> Iterator[beam.pvalue.TaggedOutput]:
        postings = count_terms(texts, mining_splitter(self._options.language))
        write_postings(path, postings)
        lengths = CorpusLengths(len(texts), int(postings.lengths.sum()))
        yield beam.pvalue.TaggedOutput("lengths", tuple(lengths))
        held = postings.document_frequencies
        buckets = postings.terms % np.uint64(self._term_buckets)
        for bucket in range(self._term_buckets):
            own = buckets == bucket
            # A part without terms of a bucket is told of it too: its file is to be written.
            yield beam.pvalue.TaggedOutput("terms", (bucket, (path, postings.terms[own], held[own])))

    @property
    def _unit(self) -> str:
        return f"pages-{self._options.form}"

    def _counts(self, part: TableSlice, rejects: list[Reject]) -> dict[str, int]:
        read, unit = part.end - part.start, self._unit
        return {
            f"{unit}.read": read,
            f"{unit}.written": read - len(rejects),
            f"{unit}.rejected.{EMPTY_DOCUMENT}": len(rejects),
        }


def _rows(part: TableSlice, column: str) -> Iterator[tuple[str, str, str | None]]:
    for table in read_slice(part, ("page_id", column, "language")):
        yield from zip(*(table[name].to_pylist() for name in ("page_id", column, "language")), strict=True)


def _marks(documents: list[MinedDocument]) -> Marks:
    return Marks(
        _keys(page_key, (document.document_id for document in documents), len(documents)),
        _keys(page_key, (document.page_id for document in documents), len(documents)),
        _keys(text_hash, (document.text for document in documents), len(documents)),
        signatures([document.text for document in documents]),
    )


def _keys(key: Callable[[str], int], texts: Iterable[str], count: int) -> np.ndarray:
    return np.fromiter(map(key, texts), np.uint64, count)


Terms = tuple[str, np.ndarray, np.ndarray]  # of a part: its path, keys of terms, in how many documents


def _sum_frequencies(
    group: tuple[int, Iterable[Terms]],
) -> Iterator[tuple[str, tuple[np.ndarray, np.ndarray]]]:
    """Yields (path, (terms of the part in this bucket, in how many documents of the corpus they are))."""
    parts = list(group[1])
    distinct, places = np.unique(np.concatenate([terms for _, terms, _ in parts]), return_inverse=True)
    held = np.concatenate([counts for _, _, counts in parts])
    totals = np.bincount(places.reshape(-1), held, len(distinct)).astype(np.int64)
    for path, terms, _ in parts:
        yield path, (terms, totals[np.searchsorted(distinct, terms)])


def _write_frequencies(group: tuple[str, Iterable[tuple[np.ndarray, np.ndarray]]]) -> str:
    path, parts = group
    found = list(parts)
    terms = np.concatenate([terms for terms, _ in found])
    totals = np.concatenate([totals for _, totals in found])
    write_frequencies(path, totals[np.argsort(terms)])
    return path


def _sum_lengths(parts: Iterable[tuple[int, int]]) -> tuple[int, int]:
    found = list(parts)
    return sum(documents for documents, _ in found), sum(terms for _, terms in found)
