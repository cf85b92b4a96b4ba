"""Queries with the documents they are to find, and others: the rows of `contrastive/` or of `pairs/`."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from anchormine.datasets import DatasetFolder
from anchormine.sampling.draws import hash64
from anchormine.sampling.splits import TRAIN, VALIDATION, split_of
from anchormine.training.contrastive_options import ContrastiveOptions
from anchormine.training.contrastive_tables import Table, choose_tables, pair_table
from anchormine.training.examples import chunks, shuffle_window
from anchormine.training.known_positives import KnownPositives

# Rows hold whole pages, and several of them.
ROWS_AT_A_TIME = 256
# Characters per token, at least, of what is kept of a document while it waits: English has 4 to 5.
CHARACTERS_PER_TOKEN = 16


class Passage(NamedTuple):
    """A document, or a part of it: its page_id, and the text."""

    id: str
    text: str


class ContrastiveExample(NamedTuple):
    """A query, and what it is to find.

    Attributes:
        task: what it was mined for; its loss is logged by this name.
        query_id: of the query.
        query: its text.
        positive: to be found.
        negatives: mined ones; there may be none.
    """

    task: str
    query_id: str
    query: str
    positive: Passage
    negatives: tuple[Passage, ...]


class ContrastiveRows:
    """The rows of tables; in memory are a few, the window, and 16 bytes a pair.

    Attributes:
        tables: that are read.
        known: all positives of the queries that have several, of both splits.
        counts: training rows, by task.
        left_out: how many rows of the first epoch read are of no use, by reason.
    """

    def __init__(self, folder: DatasetFolder, options: ContrastiveOptions, seed: int) -> None:
        """Looks at every row's ids and query, not at its texts.

        Args:
            folder: that holds the tables.
            options: of the training.
            seed: of the order, and of the negatives that are drawn.

        Raises:
            UsageError: a table is missing.
        """
        self._folder, self._options, self._seed = folder, options, seed
        self.tables = choose_tables(folder, options.tasks, options.source)
        self._searched = [pair_table(folder, table) for table in self.tables]
        self.known = KnownPositives()
        self.counts: dict[str, int] = {}
        self.left_out: Counter[str] = Counter()
        self._counted_epoch: int | None = None
        self._held_out = self._look()

    def _look(self) -> set[tuple[str, str]]:
        """Counts, and picks the held-out rows that are validated on: those of the smallest hashes."""
        for table in self.tables:
            self.counts[table.task] = 0
            for split, row in self._rows(table, (TRAIN, VALIDATION), texts=False):
                self.known.add(row["query"], row["positive_id"])
                self.counts[table.task] += split == TRAIN
        hashes = sorted(
            (hash64(0, "held out", table.task, row["query_id"]), table.task, row["query_id"])
            for table in self._searched
            for _, row in self._rows(table, (VALIDATION,), texts=False)
        )
        return {(task, query_id) for _, task, query_id in hashes[: self._options.held_out]}

    def held_out(self) -> list[ContrastiveExample]:
        """The rows of held-out destinations, with negatives, whole, in an order of their own."""
        return self._held_out_rows(self.tables)

    def searched(self) -> list[ContrastiveExample]:
        """The same as the pairs that they were made of, where the folder has these.

        A pair for which no negative was found is among them, so that they are the same whatever has mined.
        """
        return self._held_out_rows(self._searched)

    def _held_out_rows(self, tables: Sequence[Table]) -> list[ContrastiveExample]:
        found = [
            self._example(table.task, row, epoch=0)
            for table in tables
            for _, row in self._rows(table, (VALIDATION,))
            if (table.task, row["query_id"]) in self._held_out and not _problem(row)
        ]
        return sorted(found, key=lambda example: hash64(0, "held out", example.task, example.query_id))

    def batches(self, epoch: int, batch_size: int) -> Iterator[Sequence[ContrastiveExample]]:
        """Yields an epoch's batches, shuffled; the same ones in the same order each time.

        Args:
            epoch: its number.
            batch_size: rows of a batch; the last one may be smaller.
        """
        rng = random.Random(f"{self._seed} {epoch}")
        if self._counted_epoch is None:  # a training that is resumed may begin with any
            self._counted_epoch = epoch
        waiting = shuffle_window(self._mixed(epoch, rng), self._options.window, rng)
        return chunks(waiting, batch_size)

    def _mixed(self, epoch: int, rng: random.Random) -> Iterator[ContrastiveExample]:
        """Draws from the tasks so that none comes in one lump."""
        left = {task: count for task, count in self.counts.items() if count}
        sources = {table.task: self._rows(table, (TRAIN,)) for table in self.tables}
        while left:
            task = rng.choices(list(left), weights=list(left.values()))[0]
            _, row = next(sources[task])
            left[task] -= 1
            if left[task] == 0:
                del left[task]
            problem = _problem(row)
            if problem is None:
                yield self._shortened(self._example(task, row, epoch))
            elif epoch == self._counted_epoch:
                self.left_out[problem] += 1

    def _example(self, task: str, row: dict[str, Any], epoch: int) -> ContrastiveExample:
        mined = [
            Passage(*pair) for pair in zip(row["negative_ids"], row["negatives"], strict=True) if pair[1]
        ]
        if len(mined) > self._options.negatives:
            parts = ("negatives", str(epoch), row["query_id"])
            mined = sorted(mined, key=lambda passage: hash64(self._seed, *parts, passage.id))
        return ContrastiveExample(
            task,
            row["query_id"],
            row["query"],
            Passage(row["positive_id"], row["positive"]),
            tuple(mined[: self._options.negatives]),
        )

    def _shortened(self, example: ContrastiveExample) -> ContrastiveExample:
        """An example without what will not be read anyway, so that many can wait."""
        room = self._options.document_length * CHARACTERS_PER_TOKEN
        return example._replace(
            positive=example.positive._replace(text=example.positive.text[:room]),
            negatives=tuple(passage._replace(text=passage.text[:room]) for passage in example.negatives),
        )

    def _rows(
        self, table: Table, splits: Sequence[str], texts: bool = True
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yields (split, row) under the names of `contrastive/`."""
        if table.split:
            yield from self._split_rows(table, splits, texts)
        else:
            yield from self._pair_rows(table, splits, texts)

    def _split_rows(
        self, table: Table, splits: Sequence[str], texts: bool
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        columns = ["query_id", "query", "positive_id"]
        columns += ["positive", "negative_ids", "negatives"] if texts else []
        for split in splits:
            if split in self._folder.splits(table.config):
                for batch in self._folder.iter_batches(table.config, columns, split, ROWS_AT_A_TIME):
                    yield from ((split, row) for row in batch.to_pylist())

    def _pair_rows(
        self, table: Table, splits: Sequence[str], texts: bool
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        columns = ["pair_id", "query", "document_id", *(["document"] if texts else [])]
        for batch in self._folder.iter_batches(table.config, columns, TRAIN, ROWS_AT_A_TIME):
            for row in batch.to_pylist():
                split = split_of(row["document_id"])
                if split in splits:
                    yield (
                        split,
                        {
                            "query_id": row["pair_id"],
                            "query": row["query"],
                            "positive_id": row["document_id"],
                            "positive": row.get("document"),
                            "negative_ids": (),
                            "negatives": (),
                        },
                    )


def _problem(row: dict[str, Any]) -> str | None:
    """Why a row is left out, or None."""
    if not row["query"].strip():
        return "empty query"
    return None if row["positive"].strip() else "empty document"
