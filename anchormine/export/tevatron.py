"""Tevatron: examples that name documents by id, and the corpus that has these.

Its loader reads `text` of a line of the corpus, its documentation names `document_text`: both are written. A
row without negatives trains with `--train_group_size 1`.
"""

from __future__ import annotations

from contextlib import ExitStack

import pyarrow as pa

from anchormine.export.catalogue import Entry
from anchormine.export.collections import catalogued, note_left_out_queries
from anchormine.export.job import ExportJob
from anchormine.export.task_tables import TaskTable
from anchormine.export.text_files import text_file

_EXAMPLE = pa.schema(
    {
        "query_id": pa.string(),
        "query_text": pa.string(),
        "positive_document_ids": pa.list_(pa.string()),
        "negative_document_ids": pa.list_(pa.string()),
    }
)
_DOCUMENT = pa.schema(dict.fromkeys(("docid", "title", "text", "document_text"), pa.string()))


def write_tevatron(job: ExportJob) -> None:
    """Writes `TASK/SPLIT.jsonl` and `TASK/corpus.jsonl` for each task."""
    for table in job.tasks:
        _write_task(job, table)
    note_left_out_queries(job, job.tasks)


def _write_task(job: ExportJob, table: TaskTable) -> None:
    with ExitStack() as opened:
        catalogue = opened.enter_context(job.catalogue())
        corpus = opened.enter_context(text_file(job.output, f"{table.task}/corpus.jsonl"))
        splits = {
            split: opened.enter_context(text_file(job.output, f"{table.task}/{split}.jsonl"))
            for split in table.splits
        }

        def write_document(entry: Entry, title: str, text: str) -> None:
            corpus.json({"docid": entry.id, "title": title, "text": text, "document_text": text})

        for split, example, _, positive, negatives in catalogued(job, table, catalogue, write_document):
            splits[split].json(
                {
                    "query_id": example.query_id,
                    "query_text": example.query,
                    "positive_document_ids": [positive.id],
                    "negative_document_ids": [entry.id for entry in negatives],
                }
            )
            job.count(table.config, None)
    job.add_lines(table.task, _EXAMPLE, {split: f"{table.task}/{split}.jsonl" for split in table.splits})
    job.add_lines(f"{table.task}-corpus", _DOCUMENT, {"train": f"{table.task}/corpus.jsonl"})
