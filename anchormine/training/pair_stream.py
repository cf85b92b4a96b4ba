"""The mined pairs of a dataset folder, in the order in which a ranker sees them."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice

from anchormine.datasets import DatasetFolder
from anchormine.datasets.remedies import pairs_remedy
from anchormine.errors import UsageError
from anchormine.schemas.pairs import PREFERENCE_TASKS
from anchormine.training.examples import Example, cut_batches, shuffle_window
from anchormine.training.options import MixOptions

COLUMNS = ("query", "document", "negative_query", "negative_document")
# Characters per token, at most, when texts are compared by length: English has 4 to 5.
CHARACTERS_PER_TOKEN = 6


def choose_tasks(folder: DatasetFolder, wanted: Sequence[str] | None) -> dict[str, int]:
    """The tasks to train on.

    Args:
        folder: that holds pairs.
        wanted: names such as "rqp"; if None, all tasks of the folder that have a negative side.

    Returns:
        Number of pairs of each task.

    Raises:
        UsageError: the folder has no pairs, or none of a task.
    """
    made = {
        name.removeprefix("pairs-"): folder.rows(name)
        for name in folder.configs()
        if name.startswith("pairs-")
    }
    if not made:
        raise UsageError(f"{folder.path}: holds no pairs; {pairs_remedy(folder, wanted or ['rqp'])}")
    tasks = list(dict.fromkeys(wanted or [task for task in made if task in PREFERENCE_TASKS] or made))
    for task in tasks:
        if task not in made:
            has = ", ".join(f"{name} ({rows})" for name, rows in made.items())
            raise UsageError(
                f"{folder.path}: has no pair of task {task}, only of {has}; {pairs_remedy(folder, [task])}"
            )
    return {task: made[task] for task in tasks}


class PairStream:
    """Reads pairs shard by shard; in memory is the window alone.

    Attributes:
        tasks: number of pairs of each task.
        left_out: how many pairs of the first epoch read were of no use, by reason.
    """

    def __init__(
        self,
        folder: DatasetFolder,
        tasks: dict[str, int],
        options: MixOptions,
        seed: int,
        query_problem: Callable[[str], str | None],
    ) -> None:
        """Looks at the first pair of each task.

        Args:
            folder: that holds the pairs.
            tasks: number of pairs of each task.
            options: how to mix them.
            seed: of the order.
            query_problem: says why a query cannot be used.

        Raises:
            UsageError: a task has no negative side.
        """
        self._folder, self.tasks, self._options, self._seed = folder, tasks, options, seed
        self._query_problem = query_problem
        self.left_out: Counter[str] = Counter()
        self._counted_epoch: int | None = None
        for task in tasks:
            first = next(self._rows(task, 0))
            if first.negative_query is None or first.negative_document is None:
                raise UsageError(
                    f"{folder.path}: pairs of task {task} have no negative side, so nothing to rank above; "
                    f"a cross-encoder trains on {', '.join(PREFERENCE_TASKS)}"
                )

    def examples(self, epoch: int) -> Iterator[Example]:
        """Yields an epoch's pairs, shuffled; the same ones in the same order each time."""
        rng = random.Random(f"{self._seed} {epoch}")
        if self._counted_epoch is None:
            self._counted_epoch = epoch
        useful = (example for example in self._mixed(epoch, rng) if self._is_useful(example, epoch))
        return shuffle_window(useful, self._options.window, rng)

    def batches(self, epoch: int, batch_size: int, length: int) -> Iterator[Sequence[Example]]:
        """Yields an epoch's batches.

        Args:
            epoch: its number.
            batch_size: pairs of a batch.
            length: tokens of a sequence.
        """
        rng = random.Random(f"{self._seed} {epoch} batches")
        return cut_batches(self.examples(epoch), batch_size, rng, length * CHARACTERS_PER_TOKEN)

    def _is_useful(self, example: Example, epoch: int) -> bool:
        reason = self._reason(example)
        if reason is not None and epoch == self._counted_epoch:
            self.left_out[reason] += 1
        return reason is None

    def _reason(self, example: Example) -> str | None:
        """Why a pair is left out, or None."""
        if example.negative_query is None or example.negative_document is None:
            return "no negative side"
        return self._query_problem(example.query) or self._query_problem(example.negative_query)

    def _mixed(self, epoch: int, rng: random.Random) -> Iterator[Example]:
        """Draws from the tasks so that none comes in one lump."""
        left = self._shares()
        sources = {task: self._rows(task, epoch * share) for task, share in left.items()}
        while left:
            task = rng.choices(list(left), weights=list(left.values()))[0]
            yield next(sources[task])
            left[task] -= 1
            if left[task] == 0:
                del left[task]

    def _shares(self) -> dict[str, int]:
        """Pairs of each task in an epoch."""
        if self._options.mix == "proportional":
            return dict(self.tasks)
        each = max(1, sum(self.tasks.values()) // len(self.tasks))
        return dict.fromkeys(self.tasks, each)

    def _rows(self, task: str, start: int) -> Iterator[Example]:
        """Yields a task's pairs from a place on, round and round."""
        start %= self.tasks[task]
        yield from islice(self._pass(task), start, None)
        yield from chain.from_iterable(self._pass(task) for _ in iter(int, 1))

    def _pass(self, task: str) -> Iterator[Example]:
        for batch in self._folder.iter_batches(f"pairs-{task}", COLUMNS, batch_rows=1024):
            for row in batch.to_pylist():
                yield Example(
                    task, row["query"], row["document"], row["negative_query"], row["negative_document"]
                )
