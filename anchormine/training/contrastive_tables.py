"""The tables that a dual encoder is trained on: pairs with mined negatives, or pairs as they are."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import NamedTuple

from anchormine.datasets import DatasetFolder
from anchormine.datasets.remedies import pairs_remedy
from anchormine.errors import UsageError


class Table(NamedTuple):
    """A task's table.

    Attributes:
        task: its name.
        config: such as "contrastive-ict" or "pairs-ict".
        split: whether its files are split; else the destinations' ids are.
    """

    task: str
    config: str
    split: bool


def choose_tables(folder: DatasetFolder, tasks: Sequence[str], source: str) -> list[Table]:
    """The tables to train on.

    Args:
        folder: that holds pairs.
        tasks: names.
        source: "contrastive", "pairs", or "auto" for the former where it is there.

    Raises:
        UsageError: a table is missing; it names the command that makes it.
    """
    return [_table(folder, task, source) for task in dict.fromkeys(tasks)]


def _table(folder: DatasetFolder, task: str, source: str) -> Table:
    there = folder.configs()
    if source != "pairs" and f"contrastive-{task}" in there:
        return Table(task, f"contrastive-{task}", True)
    if source != "contrastive" and f"pairs-{task}" in there:
        return Table(task, f"pairs-{task}", False)
    made = [name.partition("-")[2] for name in there if name.startswith(("pairs-", "contrastive-"))]
    has = f"only of {', '.join(dict.fromkeys(made))}" if made else "nor of any other"
    if source == "contrastive":
        command = f"anchormine negatives {quote(folder.path)} --task {task} --from bm25"
        raise UsageError(f"{folder.path}: has no contrastive/{task}; make it with `{command}`")
    raise UsageError(f"{folder.path}: has no pair of task {task}, {has}; {pairs_remedy(folder, [task])}")


def pair_table(folder: DatasetFolder, table: Table) -> Table:
    """The pairs that a table was made of, where the folder has them; else the table."""
    config = f"pairs-{table.task}"
    return Table(table.task, config, False) if config in folder.configs() else table
