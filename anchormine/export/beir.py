"""BEIR (Thakur et al., NeurIPS 2021): corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv, with its header.

Without the header, BEIR's loader and others lose the first judgement.
"""

from __future__ import annotations

from contextlib import ExitStack

import pyarrow as pa

from anchormine.export.catalogue import Entry
from anchormine.export.collections import (
    catalogued,
    judge,
    note_changes,
    note_left_out_queries,
    plain_id,
)
from anchormine.export.job import ExportJob
from anchormine.export.task_tables import TaskTable
from anchormine.export.text_files import text_file

QRELS_HEAD = "query-id\tcorpus-id\tscore"
_ROWS = {
    "corpus": pa.schema(dict.fromkeys(("_id", "title", "text"), pa.string())),
    "queries": pa.schema(dict.fromkeys(("_id", "text"), pa.string())),
}


def write_beir(job: ExportJob) -> None:
    """Writes a collection `TASK/` for each task; `anchormine evaluate --collection` reads it too."""
    for table in job.tasks:
        _write_collection(job, table)
    note_left_out_queries(job, job.tasks)


def _write_collection(job: ExportJob, table: TaskTable) -> None:
    with ExitStack() as opened:
        catalogue = opened.enter_context(job.catalogue())
        corpus = opened.enter_context(text_file(job.output, f"{table.task}/corpus.jsonl"))
        queries = opened.enter_context(text_file(job.output, f"{table.task}/queries.jsonl"))

        def write_document(entry: Entry, title: str, text: str) -> None:
            corpus.json({"_id": plain_id(entry.id), "title": title, "text": text})

        for example in catalogued(job, table, catalogue, write_document):
            if example.query.is_new:
                queries.json({"_id": plain_id(example.query.id), "text": example.example.query})
            judge(job, table, catalogue, example)
        for split in table.splits:
            name = f"{table.task}/qrels/{split}.tsv"
            with text_file(job.output, name, QRELS_HEAD) as qrels:
                for _, query_id, _, doc_id in catalogue.judgements(split):
                    qrels.columns(plain_id(query_id), plain_id(doc_id), 1)
        note_changes(job, table, catalogue)
    for name, schema in _ROWS.items():
        job.add_lines(f"{table.task}-{name}", schema, {name: f"{table.task}/{name}.jsonl"})
