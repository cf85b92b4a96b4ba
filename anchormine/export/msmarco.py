"""MS MARCO's tab-separated files: collection, queries, qrels "qid 0 pid 1", and triples.

Its programs take pid and qid for numbers from 0, pid for the line of the collection too (ColBERT does). So
they are, and `collection.ids.tsv` and `queries.ids.tsv` say which document and which query each number is.
No triple has a negative that the qrels call relevant.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack

from anchormine.export.catalogue import Catalogue, Entry
from anchormine.export.collections import (
    DUPLICATE,
    Judged,
    catalogued,
    judge,
    note_changes,
    note_left_out_queries,
    plain_id,
)
from anchormine.export.job import ExportJob
from anchormine.export.task_tables import TaskTable
from anchormine.export.text_files import SingleLine, TextFile, text_file
from anchormine.export.triples import TriplesOfRow, WaitingTriples, waiting_triples

_TRIPLES = {"ids": "qidpidtriples", "text": "triples"}


def write_msmarco(job: ExportJob) -> None:
    """Writes a collection `TASK/` for each task."""
    for table in job.tasks:
        _write_collection(job, table)
    note_left_out_queries(job, job.tasks)


def _write_collection(job: ExportJob, table: TaskTable) -> None:
    single = SingleLine()
    kind = job.options.triples or "ids"
    with ExitStack() as opened:

        def open_file(name: str, if_empty: bool = True) -> TextFile:
            file = text_file(job.output, f"{table.task}/{name}.tsv", if_empty=if_empty)
            return opened.enter_context(file)

        catalogue = opened.enter_context(job.catalogue(titles=False))
        waiting = opened.enter_context(waiting_triples(job.output.scratch))
        collection, collection_ids = open_file("collection"), open_file("collection.ids")
        queries, query_ids = open_file("queries"), open_file("queries.ids")
        triples = {split: open_file(f"{_TRIPLES[kind]}.{split}", if_empty=False) for split in table.splits}

        def write_document(entry: Entry, title: str, text: str) -> None:
            collection.columns(entry.number, single(text))
            collection_ids.columns(entry.number, plain_id(entry.id))

        for example in catalogued(job, table, catalogue, write_document):
            if example.query.is_new:
                queries.columns(example.query.number, single(example.example.query))
                query_ids.columns(example.query.number, plain_id(example.query.id))
            if example.negatives:
                _judge_with_triples(job, table, catalogue, example, waiting, kind)
            else:
                judge(job, table, catalogue, example)
        _write_triples(job, table, catalogue, waiting, triples)
        for split in table.splits:
            qrels = open_file(f"qrels.{split}")
            for query, _, document, _ in catalogue.judgements(split):
                qrels.columns(query, 0, document, 1)
        if not waiting.triples:
            job.notes.append(
                f"{table.task}: its pairs have no negatives, so there are no triples; "
                f"`anchormine negatives DIR --task {table.task} --from bm25` mines some."
            )
        note_changes(job, table, catalogue, single.changed)


def _judge_with_triples(
    job: ExportJob,
    table: TaskTable,
    catalogue: Catalogue,
    example: Judged,
    waiting: WaitingTriples,
    kind: str,
) -> None:
    """Notes a judgement and the triples of its row, which is counted later if only these are new."""
    is_new = catalogue.judge(example.split, example.query, example.positive)
    if is_new:
        job.count(table.config, None)
    numbers = [entry.number for entry in example.negatives]
    waiting.add(
        TriplesOfRow(example.split, example.query.number, numbers, _triple_lines(example, kind), is_new)
    )


def _triple_lines(example: Judged, kind: str) -> list[str]:
    """A line for each negative: query, positive and negative, as numbers or as texts."""
    if kind == "ids":
        query, positive = example.query.number, example.positive.number
        return [f"{query}\t{positive}\t{entry.number}" for entry in example.negatives]
    single, row = SingleLine(), example.example
    return ["\t".join(map(single, (row.query, row.document, negative))) for negative in row.negatives]


def _write_triples(
    job: ExportJob,
    table: TaskTable,
    catalogue: Catalogue,
    waiting: WaitingTriples,
    files: Mapping[str, TextFile],
) -> None:
    """Writes the triples whose negative is not relevant to the query, and counts what is left out."""
    left_out = 0
    for row in waiting.rows():
        triples = zip(row.negatives, row.lines, strict=True)
        kept = [line for negative, line in triples if not catalogue.is_relevant(row.query, negative)]
        for line in kept:
            files[row.split].line(line)
        left_out += len(row.lines) - len(kept)
        if not row.is_counted:
            job.count(table.config, None if kept else DUPLICATE)
    if left_out:
        job.notes.append(
            f"{table.task}: triples left out as their negative is relevant to the query by another row: "
            f"{left_out:,}."
        )
