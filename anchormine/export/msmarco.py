"""MS MARCO's tab-separated files: collection, queries, qrels "qid 0 pid 1", and triples.

Its programs take pid and qid for numbers from 0, pid for the line of the collection too (ColBERT does). So
they are, and `collection.ids.tsv` and `queries.ids.tsv` say which document and which query each number is.
"""

from __future__ import annotations

from contextlib import ExitStack

from anchormine.export.catalogue import Entry
from anchormine.export.collections import (
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
            _write_triples(triples[example.split], example, kind)
            judge(job, table, catalogue, example, bool(example.negatives))
        for split in table.splits:
            qrels = open_file(f"qrels.{split}")
            for query, _, document, _ in catalogue.judgements(split):
                qrels.columns(query, 0, document, 1)
        if not any(file.rows for file in triples.values()):
            job.notes.append(
                f"{table.task}: its pairs have no negatives, so there are no triples; "
                f"`anchormine negatives DIR --task {table.task} --from bm25` mines some."
            )
        note_changes(job, table, catalogue, single.changed)


def _write_triples(file: TextFile, example: Judged, kind: str) -> None:
    """A line for each negative: query, positive and negative, as numbers or as texts."""
    row = example.example
    if kind == "ids":
        for entry in example.negatives:
            file.columns(example.query.number, example.positive.number, entry.number)
        return
    single = SingleLine()
    for negative in row.negatives:
        file.columns(single(row.query), single(row.document), single(negative))
