"""TREC's files: topics, qrels "qid 0 docno 1", and the run "qid Q0 docno rank score tag" of what was mined.

The documents are pages, by their ids: TREC's programs have them from their own index. No index has passages:
docno and text of each are in a collection.
"""

from __future__ import annotations

from contextlib import ExitStack
from itertools import groupby
from operator import itemgetter

from anchormine.export.catalogue import Catalogue, Entry
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
    """Writes topics, qrels, runs of mined negatives and collections of passages, in `TASK/` each."""
    for table in job.tasks:
        with job.catalogue(titles=False) as catalogue:
            _write_task(job, table, catalogue)
    note_left_out_queries(job, job.tasks)


def _write_task(job: ExportJob, table: TaskTable, catalogue: Catalogue) -> None:
    single = SingleLine()
    tags: dict[str, str] = {}
    with ExitStack() as opened:
        topics, collection = (
            opened.enter_context(text_file(job.output, f"{table.task}/{name}.tsv", if_empty=name == "topics"))
            for name in ("topics", "collection")
        )

        def write_document(entry: Entry, title: str, text: str) -> None:
            if not entry.is_page:
                collection.columns(plain_id(entry.id), single(text))

        for example in catalogued(job, table, catalogue, write_document):
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
