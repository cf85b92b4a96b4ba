"""Reads the pairs of a task as the queries that negatives are mined for, and who else answers these."""

import uuid
from collections.abc import Iterable, Iterator

import apache_beam as beam
import numpy as np
from apache_beam.coders import registry

from anchormine.negatives.mined_queries import PairRow, mined_queries
from anchormine.negatives.query_keys import page_key, query_key
from anchormine.transforms.array_files import write_texts
from anchormine.transforms.blobs import pack_divided
from anchormine.transforms.coders import NestedRecordCoder
from anchormine.transforms.mining_buckets import MiningBuckets
from anchormine.transforms.options import transform_options
from anchormine.transforms.progress import Heartbeat
from anchormine.transforms.table_slices import TableSlice, read_slice

registry.register_coder(TableSlice, NestedRecordCoder)
_LINK_COLUMNS = ("anchor", "destination_page_id")
_TITLE_COLUMNS = ("page_id", "title", "redirects_from")
Keyed = tuple[tuple[str, int], tuple[int, str, bytes]]  # (task, group), (bucket, kind, blob)


@transform_options
class ReadQueries(beam.PTransform):
    """Gives ((task, group), (bucket, "queries", blob of `MinedQuery`)).

    Attributes:
        slices: of the table of pairs.
        task: whose pairs they are.
        buckets: how the work is divided.
        folder: for the texts of the documents.
        progress: folder for heartbeats.
    """

    slices: tuple[TableSlice, ...]
    task: str
    buckets: MiningBuckets
    folder: str
    progress: str | None = None

    def expand(self, pipeline: beam.Pipeline) -> beam.PCollection:
        return (
            pipeline
            | "Slices" >> beam.Create(self.slices, reshuffle=False).with_output_types(TableSlice)
            | "Spread" >> beam.Reshuffle()
            | "Read" >> beam.FlatMap(_read_queries, self)
        )


def _read_queries(part: TableSlice, options: ReadQueries) -> Iterator[Keyed]:
    rows = (
        PairRow(*row)
        for table in read_slice(part, PairRow._fields)
        for row in zip(*(table[name].to_pylist() for name in PairRow._fields), strict=True)
    )
    path = f"{options.folder}/{options.task}-{part.number:06d}-{uuid.uuid4().hex}.texts"
    queries, texts = mined_queries(rows, path)
    write_texts(path, texts)
    for (key, bucket), data in pack_divided(
        queries, lambda query: options.buckets.of_query(options.task, query.key)
    ):
        yield key, (bucket, "queries", data)
    Heartbeat(options.progress).beat(flush=True, pairs=len(queries))


@transform_options
class ReadAnswers(beam.PTransform):
    """Gives ((task, group), (bucket, kind, bytes of pairs of keys)): pages that are known to answer a query.

    Of the kind "same_query" are pages by the texts of the anchors that lead to them, of "alias" by their
    titles and those of the redirects to them.

    Attributes:
        anchors: slices of the table of anchors.
        pages: slices of the table of pages.
        tasks: for whose queries they are wanted, and how these are divided.
    """

    anchors: tuple[TableSlice, ...]
    pages: tuple[TableSlice, ...]
    tasks: tuple[tuple[str, MiningBuckets], ...]

    def expand(self, pipeline: beam.Pipeline) -> beam.PCollection:
        slices = [("same_query", part) for part in self.anchors] + [("alias", part) for part in self.pages]
        return (
            pipeline
            | "Slices" >> beam.Create(slices, reshuffle=False)
            | "Spread" >> beam.Reshuffle()
            | "Read" >> beam.FlatMap(_read_answers, self.tasks)
        )


def _read_answers(
    kind_and_part: tuple[str, TableSlice], tasks: tuple[tuple[str, MiningBuckets], ...]
) -> Iterator[Keyed]:
    kind, part = kind_and_part
    texts = set(_links(part) if kind == "same_query" else _titles(part))
    keys = {text: query_key(text) for text in {text for text, _ in texts}}
    pages = {page: page_key(page) for page in {page for _, page in texts}}
    found = sorted({(keys[text], pages[page]) for text, page in texts})
    for task, buckets in tasks:
        divided: dict[tuple[tuple[str, int], int], list[tuple[int, int]]] = {}
        for pair in found:
            divided.setdefault(buckets.of_query(task, pair[0]), []).append(pair)
        for (key, bucket), pairs in divided.items():
            yield key, (bucket, kind, pack_keys(pairs))


def pack_keys(pairs: Iterable[tuple[int, int]]) -> bytes:
    """Returns pairs of keys as bytes."""
    return np.array(list(pairs), np.uint64).reshape(-1, 2).tobytes()


def unpack_keys(parts: Iterable[bytes]) -> np.ndarray:
    """Returns the pairs that `pack_keys` was given, [n, 2] uint64."""
    return np.frombuffer(b"".join(parts), np.uint64).reshape(-1, 2)


def _links(part: TableSlice) -> Iterator[tuple[str, str]]:
    for table in read_slice(part, _LINK_COLUMNS):
        for anchor, page in zip(*(table[name].to_pylist() for name in _LINK_COLUMNS), strict=True):
            if page is not None and anchor:
                yield anchor, page


def _titles(part: TableSlice) -> Iterator[tuple[str, str]]:
    for table in read_slice(part, _TITLE_COLUMNS):
        for page, title, redirects in zip(*(table[name].to_pylist() for name in _TITLE_COLUMNS), strict=True):
            yield from ((name, page) for name in (title, *(redirects or ())) if name)
