"""TREC's files: topics, qrels "qid 0 docno 1", and the run "qid Q0 docno rank score tag" of what was mined.

The documents are pages, or passages of pages, by their ids: TREC's programs have them from their own index.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from anchormine.export.catalogue import Catalogue
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
from anchormine.export.text_files import SingleLine, text_file


def write_trec(job: ExportJob) -> None:
    """Writes `TASK/topics.tsv`, `TASK/qrels.SPLIT.txt` and, of mined negatives, `TASK/run.SPLIT.txt`."""
    for table in job.tasks:
        with job.catalogue(titles=False) as catalogue:
            _write_task(job, table, catalogue)
    note_left_out_queries(job, job.tasks)


def _write_task(job: ExportJob, table: TaskTable, catalogue: Catalogue) -> None:
    single = SingleLine()
    tags: dict[str, str] = {}
    with text_file(job.output, f"{table.task}/topics.tsv") as topics:
        for example in catalogued(job, table, catalogue):
            if example.query.is_new:
                topics.columns(plain_id(example.query.id), single(example.example.query))
            _note_ranking(catalogue, example)
            if example.example.mined_from is not None:
                tags.setdefault(example.split, example.example.mined_from)
            judge(job, table, catalogue, example)
    for split in table.splits:
        with text_file(job.output, f"{table.task}/qrels.{split}.txt") as qrels:
            for _, query_id, _, doc_id in catalogue.judgements(split):
                qrels.columns(plain_id(query_id), 0, plain_id(doc_id), 1, separator=" ")
        if split in tags:
            _write_run(job, table, split, catalogue, plain_id("_".join(tags[split].split())))
    note_changes(job, table, catalogue, single.changed)


def _note_ranking(catalogue: Catalogue, example: Judged) -> None:
    scores = example.example.scores
    for entry, score in zip(example.negatives, scores, strict=True) if scores is not None else ():
        catalogue.retrieve(example.split, example.query, entry, score)


def _write_run(job: ExportJob, table: TaskTable, split: str, catalogue: Catalogue, tag: str) -> None:
    with text_file(job.output, f"{table.task}/run.{split}.txt") as run:
        for query_id, found in groupby(catalogue.ranking(split), itemgetter(0)):
            for rank, (_, doc_id, score) in enumerate(found, start=1):
                run.columns(
                    plain_id(query_id), "Q0", plain_id(doc_id), rank, f"{score:.9g}", tag, separator=" "
                )
