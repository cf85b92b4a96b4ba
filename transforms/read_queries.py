"""Reads the pairs of a task as the queries that negatives are mined for, and what else answers these."""

import uuid
from collections.abc import Iterable, Iterator

import apache_beam as beam
import pyarrow.compute as pc

from anchormine.negatives.answers import SAME_QUERY
from anchormine.negatives.mined_queries import MinedQuery, mined_queries
from anchormine.negatives.provenance import PairRow
from anchormine.negatives.query_keys import page_key, query_key
from anchormine.transforms.array_files import write_texts
from anchormine.transforms.blobs import pack_placed
from anchormine.transforms.join_answers import Keyed, asks
from anchormine.transforms.key_pairs import pack_keys
from anchormine.transforms.mining_buckets import AnswerBuckets, MiningBuckets
from anchormine.transforms.options import transform_options
from anchormine.transforms.progress import Heartbeat
from anchormine.transforms.table_slices import TableSlice, read_slice

_QUERIES, _ANSWERS = "queries", "answers"
_TERMS = "query_terms"
_COLUMNS = (*PairRow._fields[:-1], _TERMS)
_ANSWER_COLUMNS = ("query", "document_id")


@transform_options
class ReadQueries(beam.PTransform):
    """Gives ((task, group), (bucket, kind, data)), and under "asks" what `JoinAnswers` takes.

    Of the kind "queries" are blobs of `MinedQuery`, of "same_query" pairs of keys (query, document's page).

    Attributes:
        slices: of the table of pairs.
        rest: of the same table, slices for which no negatives are wanted: they answer queries all the same.
        task: whose pairs they are.
        buckets: how the work is divided.
        answers: how the answers are divided.
        folder: for the texts of the documents.
        progress: folder for heartbeats.
    """

    slices: tuple[TableSlice, ...]
    rest: tuple[TableSlice, ...]
    task: str
    buckets: MiningBuckets
    answers: AnswerBuckets
    folder: str
    progress: str | None = None

    def expand(self, pipeline: beam.Pipeline) -> beam.pvalue.DoOutputsTuple:
        slices = [(_QUERIES, part) for part in self.slices] + [(_ANSWERS, part) for part in self.rest]
        return (
            pipeline
            | "Slices" >> beam.Create(slices, reshuffle=False)
            | "Spread" >> beam.Reshuffle()
            | "Read" >> beam.ParDo(_read, self).with_outputs("asks", main="queries")
        )


def _read(use_and_part: tuple[str, TableSlice], options: ReadQueries) -> Iterator:
    use, part = use_and_part
    yield from (_read_queries if use == _QUERIES else _read_answers)(part, options)


def _read_queries(part: TableSlice, options: ReadQueries) -> Iterator:
    path = f"{options.folder}/{options.task}-{part.number:06d}-{uuid.uuid4().hex}.texts"
    queries, texts = mined_queries(options.task, _pair_rows(part), path)
    write_texts(path, texts)
    yield from pack_placed(_QUERIES, queries, lambda query: _place(query, options))
    asked = ((key, _place(query, options)[1]) for query in queries for key in query.asked)
    for ask in asks(options.task, asked, options.answers):
        yield beam.pvalue.TaggedOutput("asks", ask)
    Heartbeat(options.progress).beat(flush=True, pairs=len(queries))


def _pair_rows(part: TableSlice) -> Iterator[PairRow]:
    for table in read_slice(part, _COLUMNS):
        terms = pc.list_value_length(table[_TERMS])
        columns = (*(table[name] for name in _COLUMNS[:-1]), terms)
        yield from map(PairRow._make, zip(*(column.to_pylist() for column in columns), strict=True))


def _read_answers(part: TableSlice, options: ReadQueries) -> Iterator[Keyed]:
    divided: dict[tuple[tuple[str, int], int], list[tuple[int, int]]] = {}
    for query, page in _answer_rows(part):
        key = query_key(query)
        divided.setdefault(options.buckets.of_query(options.task, key), []).append((key, page_key(page)))
    for (group, bucket), pairs in divided.items():
        yield group, (bucket, SAME_QUERY, pack_keys(pairs))


def _answer_rows(part: TableSlice) -> Iterable[tuple[str, str]]:
    for table in read_slice(part, _ANSWER_COLUMNS):
        yield from zip(*(table[name].to_pylist() for name in _ANSWER_COLUMNS), strict=True)


def _place(query: MinedQuery, options: ReadQueries) -> tuple[tuple[str, int], int]:
    return options.buckets.of_query(options.task, query.key)
