"""Rows of a query, its document and a fixed number of negatives: a column of text each, and nothing else.

Trainers of this kind take every column for a text to train on, in the columns' order, and cannot do without a
value: there is no id, no score and no null.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from anchormine.datasets.folder import DatasetFolder
from anchormine.errors import UsageError
from anchormine.export.examples import Example, numbers_of_negatives
from anchormine.export.job import ExportConfig, ExportJob
from anchormine.export.options import ExportOptions
from anchormine.export.parquet_files import parquet_shards
from anchormine.export.task_tables import TaskTable, other_tasks

TOO_FEW = "few_negatives"
_ROWS_AT_ONCE = 256


def write_tuples(job: ExportJob, table: TaskTable, names: Sequence[str], columns: int, turn: bool) -> None:
    """Writes a task's rows to `TASK/SPLIT-*.parquet`.

    A split without rows has no file, and is told of; so are negatives for which there is no column.

    Args:
        job: the export.
        table: of the task.
        names: of the first two columns, and of each one of negatives; there are at least so many.
        columns: how many columns of negatives there are; a row with fewer negatives is left out and counted.
        turn: whether a preference between two queries is written with the document in front: the document,
            the better query, the worse one.
    """
    schema = pa.schema([pa.field(name, pa.string(), nullable=False) for name in names[: 2 + columns]])
    splits = {}
    for split in table.splits:
        negatives = 0
        with parquet_shards(job.output, table.task, split, schema) as shards:
            waiting: list[list[str]] = []
            for example in job.examples(table, split):
                texts = _texts(example, turn)
                negatives += len(texts) - 2
                enough = len(texts) >= len(schema)
                job.count(table.config, None if enough else TOO_FEW)
                if enough:
                    waiting.append(texts[: len(schema)])
                if len(waiting) >= _ROWS_AT_ONCE:
                    shards.write(_batch(waiting, schema))
                    waiting = []
            shards.write(_batch(waiting, schema))
        written = columns * shards.rows
        if shards.rows:
            splits[split] = f"{table.task}/{split}-*.parquet"
        else:
            job.notes.append(
                f"{table.task}: no row of {split} has enough negatives, so this split is left out; "
                "a smaller --negatives keeps some."
            )
        if 0 < written < negatives:
            job.notes.append(
                f"{table.task}: {written:,} of the {negatives:,} negatives of {split} are written, "
                f"{columns:,} a row; another --negatives keeps others."
            )
    if splits:
        job.configs.append(ExportConfig(table.task, splits))


def check_negatives(
    folder: DatasetFolder, tables: Sequence[TaskTable], options: ExportOptions, turn: bool
) -> None:
    """Refuses a number of negatives that no row of a task has: nothing of the task would be written.

    Args:
        folder: the dataset.
        tables: of the tasks.
        options: of the export.
        turn: see `write_tuples`.

    Raises:
        UsageError: there is such a task; it names all of them.
    """
    wanted = options.negatives
    if not wanted:
        return
    most = {table: _max_negatives(folder, table, options.limit, turn) for table in tables}
    short = [table for table in tables if most[table] < wanted]
    if short:
        named = ", ".join(f"{table.task} (most: {most[table]:,})" for table in short)
        raise UsageError(
            f"--negatives {wanted}: no row of {named} has that many; give a smaller --negatives"
            f"{other_tasks(tables, short)}"
        )


def _max_negatives(folder: DatasetFolder, table: TaskTable, limit: int | None, turn: bool) -> int:
    """How many negatives a task's row has at most."""
    if table.prefers_queries:
        return int(turn)
    splits = (numbers_of_negatives(folder, table, split, limit) for split in table.splits)
    return max((number for counts in splits for number in counts), default=0)


def default_columns(job: ExportJob, table: TaskTable, turn: bool) -> int:
    """Returns how many columns of negatives keep the most of them.

    Rows with fewer are left out, and of rows with more some negatives are: it is the number by which the
    largest share of a split's negatives is kept, in the split where that is least.

    Args:
        job: the export.
        table: of the task.
        turn: see `write_tuples`.
    """
    if job.options.negatives is not None:
        return job.options.negatives
    if table.prefers_queries:
        return 1 if turn else 0
    splits = [numbers_of_negatives(job.folder, table, split, job.options.limit) for split in table.splits]
    numbers = sorted({n for counts in splits for n in counts})
    return max(numbers, key=lambda n: min(_share(counts, n) for counts in splits), default=0)


def _share(counts: dict[int, int], columns: int) -> float:
    """The share of negatives that so many columns keep.

    Args:
        counts: rows by how many negatives they have.
        columns: of negatives.
    """
    kept = columns * sum(rows for number, rows in counts.items() if number >= columns)
    return kept / max(1, sum(number * rows for number, rows in counts.items()))


def _texts(example: Example, turn: bool) -> list[str]:
    if turn and example.other_query is not None:
        return [example.document, example.query, example.other_query]
    return [example.query, example.document, *example.negatives]


def _batch(rows: Sequence[Sequence[str]], schema: pa.Schema) -> pa.RecordBatch:
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
    return pa.record_batch([pa.array(column, pa.string()) for column in columns], schema=schema)
