"""sentence-transformers: columns anchor, positive[, negative or negative_1, negative_2, ...]; nothing else.

Its losses with negatives, such as MultipleNegativesRankingLoss, take them as they are. "anchor" is its word
for the query.
"""

from __future__ import annotations

from collections.abc import Sequence

from anchormine.datasets.folder import DatasetFolder
from anchormine.export.job import ExportJob
from anchormine.export.options import ExportOptions
from anchormine.export.task_tables import TaskTable
from anchormine.export.text_tuples import check_negatives, default_columns, write_tuples


def check_sentence_transformers(
    folder: DatasetFolder, tables: Sequence[TaskTable], options: ExportOptions
) -> None:
    """See `check_negatives`."""
    check_negatives(folder, tables, options, turn=True)


def write_sentence_transformers(job: ExportJob) -> None:
    """Writes `TASK/SPLIT-*.parquet` for each task.

    Where a task compares two queries for one document, the document is the anchor, and the queries are the
    positive and the negative.
    """
    for table in job.tasks:
        columns = default_columns(job, table, turn=True)
        names = ["negative"] if columns == 1 else [f"negative_{n}" for n in range(1, columns + 1)]
        write_tuples(job, table, ["anchor", "positive", *names], columns, turn=True)
        if table.prefers_queries:
            job.notes.append(
                f"{table.task} compares two queries for one document: anchor is the document, positive and "
                "negative are the queries."
            )
