"""DPR (Karpukhin et al., EMNLP 2020): one JSON list of questions with their passages.

Its biencoder takes hard_negative_ctxs before negative_ctxs, which is empty: what was mined, and the other
page of a preference, are hard negatives.
"""

from __future__ import annotations

from typing import Any

from anchormine.export.catalogue import Catalogue
from anchormine.export.collections import note_left_out_queries
from anchormine.export.examples import Example
from anchormine.export.job import ExportJob
from anchormine.export.task_tables import TaskTable
from anchormine.export.text_files import json_list
from anchormine.negatives.documents import page_of

# What DPR's own files score a passage with that is right without having been searched for.
GOLD_SCORE = 1000


def write_dpr(job: ExportJob) -> None:
    """Writes `TASK/SPLIT.json` for each task."""
    for table in job.tasks:
        with job.catalogue() as titles:
            for split in table.splits:
                _write_split(job, table, split, titles)
    note_left_out_queries(job, job.tasks)


def _write_split(job: ExportJob, table: TaskTable, split: str, titles: Catalogue) -> None:
    with json_list(job.output, f"{table.task}/{split}.json") as questions:
        for example in job.examples(table, split):
            questions.json(_question(example, titles))
            job.count(table.config, None)


def _question(example: Example, titles: Catalogue) -> dict[str, Any]:
    scores = example.scores or [0.0] * len(example.negatives)
    others = zip(example.negative_ids, example.negatives, scores, strict=True)
    return {
        "question": example.query,
        "answers": [],
        "positive_ctxs": [_passage(titles, example.document_id, example.document, GOLD_SCORE)],
        "negative_ctxs": [],
        "hard_negative_ctxs": [_passage(titles, *other) for other in others],
    }


def _passage(titles: Catalogue, document_id: str, text: str, score: float) -> dict[str, Any]:
    title = titles.title(page_of(document_id))
    return {"title": title, "text": text, "score": score, "passage_id": document_id}
