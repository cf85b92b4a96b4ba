"""Training examples: rows of `pairs/` and of `contrastive/` in one form, read a bounded number at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from anchormine.datasets.folder import DatasetFolder
from anchormine.errors import CommandError
from anchormine.export.task_tables import TaskTable

# Long pages are read with their negatives: a batch of 8 documents of 10,000 characters a row is about 20 MB.
BATCH_ROWS = 256
_PAIR_COLUMNS = (
    "pair_id",
    "query",
    "document_id",
    "document",
    "negative_query",
    "negative_document_id",
    "negative_document",
)
_CONTRASTIVE_COLUMNS = (
    "query_id",
    "query",
    "positive_id",
    "positive",
    "negative_ids",
    "negatives",
    "negative_scores",
    "mined_from",
)


class Example(NamedTuple):
    """A query, the document to find, and others that are not to be found.

    Attributes:
        query_id: pair_id or query_id of the row.
        query: its text.
        document_id: page_id of the document to find.
        document: its text.
        negative_ids: page_ids of the others, of mined passages with their numbers.
        negatives: their texts.
        scores: of the others, by what mined them; None where they were not mined.
        mined_from: what mined them; None where they were not mined.
        other_query: a worse query for the document, in the tasks that compare queries; else None.
    """

    query_id: str
    query: str
    document_id: str
    document: str
    negative_ids: list[str]
    negatives: list[str]
    scores: list[float] | None = None
    mined_from: str | None = None
    other_query: str | None = None


def iter_examples(
    folder: DatasetFolder, table: TaskTable, split: str, limit: int | None = None
) -> Iterator[Example]:
    """Yields the rows of a split in order.

    Args:
        folder: with the table.
        table: of a task.
        split: one of the table's.
        limit: how many at most; None for all.

    Raises:
        CommandError: a file cannot be read, or a row has an empty id.
    """
    contrastive = table.kind == "contrastive"
    columns = _CONTRASTIVE_COLUMNS if contrastive else _PAIR_COLUMNS
    of_row = _contrastive_example if contrastive else _pair_example
    number = 0
    for batch in first_rows(folder, table.config, columns, split, limit):
        for row in batch.to_pylist():
            number += 1
            example = of_row(row)
            if not (example.query_id and example.document_id and all(example.negative_ids)):
                raise CommandError(
                    f"{folder.path}/{table.kind}/{table.task}, split {split}, row {number}: has an empty id; "
                    "run the step that wrote it again"
                )
            yield example


def first_rows(
    folder: DatasetFolder, config: str, columns: tuple[str, ...], split: str, limit: int | None
) -> Iterator[pa.RecordBatch]:
    """Yields the first rows of a table, a bounded number at a time; all of them where the limit is None."""
    left = limit
    for batch in folder.iter_batches(config, columns, split, BATCH_ROWS):
        if left is not None and batch.num_rows >= left:
            yield batch.slice(0, left)
            return
        if left is not None:
            left -= batch.num_rows
        yield batch


def numbers_of_negatives(
    folder: DatasetFolder, table: TaskTable, split: str, limit: int | None = None
) -> dict[int, int]:
    """Counts the rows of a split by how many negatives they have, without reading a text."""
    columns = ("negative_ids",) if table.kind == "contrastive" else ("negative_document_id",)
    counts: dict[int, int] = {}
    for batch in first_rows(folder, table.config, columns, split, limit):
        for entry in pc.value_counts(_negatives_a_row(batch.column(0), table)).to_pylist():
            counts[entry["values"]] = counts.get(entry["values"], 0) + entry["counts"]
    return counts


def _negatives_a_row(column: pa.Array, table: TaskTable) -> pa.Array:
    if table.kind == "contrastive":
        return pc.list_value_length(column)
    return pc.is_valid(column).cast(pa.int32())


def _contrastive_example(row: dict[str, Any]) -> Example:
    return Example(
        row["query_id"],
        row["query"],
        row["positive_id"],
        row["positive"],
        row["negative_ids"],
        row["negatives"],
        row["negative_scores"],
        row["mined_from"],
    )


def _pair_example(row: dict[str, Any]) -> Example:
    """A row of pairs; where it compares two queries, the document of both sides is the same."""
    negative_id, negative = row["negative_document_id"], row["negative_document"]
    compares_documents = negative is not None and negative_id != row["document_id"]
    compares_queries = negative is not None and not compares_documents
    return Example(
        row["pair_id"],
        row["query"],
        row["document_id"],
        row["document"],
        [negative_id] if compares_documents else [],
        [negative] if compares_documents else [],
        other_query=row["negative_query"] if compares_queries else None,
    )
