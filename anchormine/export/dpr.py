"""DPR (Karpukhin et al., EMNLP 2020): one JSON list of questions with their passages.

Its biencoder takes hard_negative_ctxs before negative_ctxs, which is empty: what was mined, and the other
page of a preference, are hard negatives. Its passages have the ids that they have in collections.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pyarrow as pa

from anchormine.export.catalogue import Catalogue, Entry
from anchormine.export.collections import Judged, catalogued, note_left_out_queries
from anchormine.export.job import ExportJob
from anchormine.export.task_tables import TaskTable
from anchormine.export.text_files import json_list
from anchormine.negatives.documents import page_of

# What DPR's own files score a passage with that is right without having been searched for.
GOLD_SCORE = 1000
_PASSAGES = pa.list_(
    pa.struct({"title": pa.string(), "text": pa.string(), "score": pa.float64(), "passage_id": pa.string()})
)
_ROW = pa.schema(
    {
        "question": pa.string(),
        "answers": pa.list_(pa.string()),
        **dict.fromkeys(("positive_ctxs", "negative_ctxs", "hard_negative_ctxs"), _PASSAGES),
    }
)


def write_dpr(job: ExportJob) -> None:
    """Writes `TASK/SPLIT.json` for each task."""
    for table in job.tasks:
        with job.catalogue() as catalogue:
            _write_task(job, table, catalogue)
    note_left_out_queries(job, job.tasks)


def _write_task(job: ExportJob, table: TaskTable, catalogue: Catalogue) -> None:
    with ExitStack() as opened:
        questions = {
            split: opened.enter_context(json_list(job.output, f"{table.task}/{split}.json"))
            for split in table.splits
        }
        for judged in catalogued(job, table, catalogue):
            questions[judged.split].json(_question(judged, catalogue))
            job.count(table.config, None)
    job.add_lines(table.task, _ROW, {split: f"{table.task}/{split}.json" for split in table.splits})


def _question(judged: Judged, catalogue: Catalogue) -> dict[str, Any]:
    example = judged.example

    def passage(document_id: str, text: str, entry: Entry, score: float) -> dict[str, Any]:
        title = catalogue.title(page_of(document_id))
        return {"title": title, "text": text, "score": score, "passage_id": entry.id}

    scores = example.scores or [0.0] * len(example.negatives)
    others = zip(example.negative_ids, example.negatives, judged.negatives, scores, strict=True)
    return {
        "question": example.query,
        "answers": [],
        "positive_ctxs": [passage(example.document_id, example.document, judged.positive, GOLD_SCORE)],
        "negative_ctxs": [],
        "hard_negative_ctxs": [passage(*other) for other in others],
    }
