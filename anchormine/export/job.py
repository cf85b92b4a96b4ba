"""One export on its way: what it reads, where it writes, and what became of every row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import pyarrow as pa

from anchormine.datasets.folder import DatasetFolder
from anchormine.datasets.funnel import FunnelRow, check_balance
from anchormine.errors import UsageError
from anchormine.export.catalogue import Catalogue
from anchormine.export.examples import Example, first_rows, iter_examples
from anchormine.export.export_folder import ExportFolder
from anchormine.export.options import ExportOptions
from anchormine.export.task_tables import TaskTable

STEP = "export"


class ExportTable(NamedTuple):
    """A table that an export is made of.

    Attributes:
        config: such as "pairs-rqp".
        rows: how many are read of it.
    """

    config: str
    rows: int


class ExportConfig(NamedTuple):
    """What `datasets` loads by one name.

    Attributes:
        name: of the config.
        splits: for each split the path of its file, or the glob of its files.
        schema: of a row of JSON; None of Parquet, which says it itself.
    """

    name: str
    splits: Mapping[str, str]
    schema: pa.Schema | None = None


class ExportJob:
    """What the formats are handed.

    Attributes:
        folder: the dataset.
        options: of the export.
        output: where it is written.
        tasks: tables of pairs, for the formats that are made of these.
        notes: what a user should know of this export, a sentence each.
        configs: for the card's head.
    """

    def __init__(
        self,
        folder: DatasetFolder,
        options: ExportOptions,
        output: ExportFolder,
        tasks: Sequence[TaskTable],
        advance: Callable[[int], None] = lambda rows: None,
    ) -> None:
        """Takes what is exported.

        Args:
            folder: the dataset.
            options: of the export.
            output: where it is written.
            tasks: tables of pairs.
            advance: is told of every number of rows that were read.
        """
        self.folder, self.options, self.output, self.tasks = folder, options, output, tuple(tasks)
        self.notes: list[str] = []
        self.configs: list[ExportConfig] = []
        self._advance = advance
        self._funnel: dict[str, Counter[str]] = {}

    def add_lines(self, config: str, schema: pa.Schema, splits: Mapping[str, str]) -> None:
        """Names files of JSON for `datasets` to load, but those without a row, of which it makes no split.

        Args:
            config: its name.
            schema: of a row.
            splits: for each split the path of its file, which is complete.
        """
        rows = {file.path: file.rows for file in self.output.files}
        filled = {split: path for split, path in splits.items() if rows[path]}
        if filled:
            self.configs.append(ExportConfig(config, filled, schema))

    def count(self, unit: str, reason: str | None, rows: int = 1) -> None:
        """Counts rows of a unit as read, and as written, or as left out for a reason."""
        counts = self._funnel.setdefault(unit, Counter())
        counts["read"] += rows
        counts["written" if reason is None else f"rejected.{reason}"] += rows
        self._advance(rows)

    def examples(self, table: TaskTable, split: str) -> Iterator[Example]:
        """Yields the rows of a split that are to be exported."""
        return iter_examples(self.folder, table, split, self.options.limit)

    def rows(self, config: str, columns: Sequence[str], limit: int | None = None) -> Iterator[dict[str, Any]]:
        """Yields rows of a table."""
        for batch in first_rows(self.folder, config, tuple(columns), "train", limit):
            yield from batch.to_pylist()

    @contextmanager
    def catalogue(self, titles: bool = True) -> Iterator[Catalogue]:
        """Opens a catalogue for one collection.

        Args:
            titles: whether it is to know the titles of the folder's pages.
        """
        path = self.output.scratch / "catalogue.sqlite"
        catalogue = Catalogue(path)
        try:
            if titles:
                pages = self.rows("pages", ("page_id", "title"))
                catalogue.add_titles((page["page_id"], page["title"]) for page in pages)
            yield catalogue
        finally:
            catalogue.close()
            path.unlink()

    def funnel(self) -> list[FunnelRow]:
        """What was read, and what became of it.

        Raises:
            CommandError: it does not add up.
        """
        rows = [
            FunnelRow(
                STEP,
                unit,
                counts["read"],
                counts["written"],
                {
                    name.partition(".")[2]: count
                    for name, count in sorted(counts.items())
                    if name.startswith("rejected.") and count
                },
                0,
            )
            for unit, counts in self._funnel.items()
        ]
        check_balance(rows)
        return rows


def require_table(folder: DatasetFolder, config: str, remedy: str) -> None:
    """Makes sure that a table is there.

    Args:
        folder: the dataset.
        config: of the table.
        remedy: what to do where it is missing, as a user is told.

    Raises:
        UsageError: it is not.
    """
    if config not in folder.configs():
        raise UsageError(f"{folder.path}: holds no {config}; {remedy}")
