"""PyLate: columns query, positive, negative_1, negative_2, ...

It encodes the columns whose name has "query" or "anchor" in it as queries, and all others as documents.
"""

from __future__ import annotations

from collections.abc import Sequence

from anchormine.datasets.folder import DatasetFolder
from anchormine.export.collections import note_left_out_queries
from anchormine.export.job import ExportJob
from anchormine.export.options import ExportOptions
from anchormine.export.task_tables import TaskTable
from anchormine.export.text_tuples import check_negatives, default_columns, write_tuples


def check_pylate(folder: DatasetFolder, tables: Sequence[TaskTable], options: ExportOptions) -> None:
    """See `check_negatives`."""
    check_negatives(folder, tables, options, turn=False)


def write_pylate(job: ExportJob) -> None:
    """Writes `TASK/SPLIT-*.parquet` for each task.

    Of a task that compares two queries only the better query is written: a negative of PyLate is a document.
    """
    for table in job.tasks:
        columns = default_columns(job, table, turn=False)
        names = [f"negative_{n}" for n in range(1, columns + 1)]
        write_tuples(job, table, ["query", "positive", *names], columns, turn=False)
    note_left_out_queries(job, job.tasks)
