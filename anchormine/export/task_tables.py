"""The tables of pairs that are exported."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import NamedTuple

from anchormine.datasets.folder import DatasetFolder
from anchormine.datasets.remedies import pairs_remedy
from anchormine.errors import UsageError
from anchormine.export.options import TRAINING_SOURCES

# Of two queries for one document, one is preferred: there is no other document.
QUERY_PREFERENCES = ("rqp", "rop", "bprop")
# Documents are passages, of which a page has many.
PASSAGE_TASKS = ("codoc", "ict", "bfs", "wlp")


class TaskTable(NamedTuple):
    """Where the pairs of a task are.

    Attributes:
        task: such as "anchor_document".
        kind: "pairs" or "contrastive".
        splits: "train", and in contrastive/ "validation", where it has rows.
    """

    task: str
    kind: str
    splits: tuple[str, ...]

    @property
    def config(self) -> str:
        """The table's name, such as "pairs-rqp"."""
        return f"{self.kind}-{self.task}"

    @property
    def prefers_queries(self) -> bool:
        """Whether its rows prefer one query to another, and not one document to another."""
        return self.kind == "pairs" and self.task in QUERY_PREFERENCES


def task_tables(folder: DatasetFolder, tasks: Sequence[str], source: str | None) -> list[TaskTable]:
    """Finds the tables of tasks.

    Args:
        folder: with pairs.
        tasks: which; all that there are if there is none.
        source: "pairs" or "contrastive"; by default the pairs with negatives where a task has such.

    Raises:
        UsageError: there is no such table; it names the command that makes it.
    """
    kinds = (source,) if source else TRAINING_SOURCES
    there = {
        (kind, config.removeprefix(f"{kind}-"))
        for kind in kinds
        for config in folder.configs()
        if config.startswith(f"{kind}-")
    }
    wanted = list(dict.fromkeys(tasks)) or sorted({task for _, task in there})
    if not wanted:
        raise _missing(folder, kinds[-1], "")
    found = []
    for task in wanted:
        kind = next((kind for kind in kinds if (kind, task) in there), None)
        if kind is None:
            raise _missing(folder, kinds[-1], task)
        found.append(TaskTable(task, kind, tuple(folder.splits(f"{kind}-{task}"))))
    return found


def other_tasks(tables: Sequence[TaskTable], unfit: Sequence[TaskTable]) -> str:
    """Returns the end of a message: that the other tasks of an export can be named; "" if there are none."""
    fit = [table.task for table in tables if table not in unfit]
    return f", or name only others with --task: {', '.join(fit)}" if fit else ""


def _missing(folder: DatasetFolder, kind: str, task: str) -> UsageError:
    of = f" of {task}" if task else ""
    if kind == "pairs":
        return UsageError(
            f"{folder.path}: holds no pairs{of}; {pairs_remedy(folder, [task] if task else [])}"
        )
    return UsageError(
        f"{folder.path}: holds no pairs with negatives{of}; make them with "
        f"`anchormine negatives {quote(folder.path)} --task {task or 'anchor_document'} --from bm25`"
    )
