"""How far a training is, in a form that a checkpoint can hold."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from anchormine.errors import CommandError

# Makes the batches of an epoch, by its number; the same ones each time it is asked.
Batches = Callable[[int], Iterator[Sequence[Any]]]

_VALUES = {
    "step": int,
    "epoch": int,
    "batch": int,
    "sums": dict,
    "counts": dict,
    "seconds": float,
    "last_log": dict,
}


@dataclass
class Meter:
    """Means since the last line of the log."""

    sums: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, total: torch.Tensor, count: int) -> None:
        self.sums[name] = self.sums.get(name, 0.0) + float(total)
        self.counts[name] = self.counts.get(name, 0) + count

    def take(self) -> dict[str, float]:
        """The means, and begins anew."""
        means = {name: self.sums[name] / max(1, self.counts[name]) for name in self.sums}
        self.sums, self.counts = {}, {}
        return means


class BatchCursor:
    """All epochs in a row, from a place that a checkpoint can hold.

    Attributes:
        epoch: of the batch that comes next.
        batch: its number in the epoch.
    """

    def __init__(self, batches: Batches, epoch: int = 0, batch: int = 0) -> None:
        self._batches, self.epoch, self.batch = batches, epoch, batch
        self._source = batches(epoch)
        for _ in range(batch):
            next(self._source, None)

    def next(self) -> Sequence[Any]:
        """The batch that comes next.

        Raises:
            CommandError: an epoch has none.
        """
        batch = next(self._source, None)
        if batch is None:
            if self.batch == 0:
                raise CommandError("no example was left to train on; the reasons are counted above")
            self.epoch, self.batch = self.epoch + 1, 0
            self._source = self._batches(self.epoch)
            return self.next()
        self.batch += 1
        return batch


@dataclass
class TrainingState:
    """Everything but the module and its optimiser that a run goes on from.

    Attributes:
        cursor: of the batches.
        meter: of the losses since the last line of the log.
        step: steps done.
        last_log: the last line of the log; empty before the first.
        began: when the training would have begun if nothing had cut it, on the clock of `time.monotonic`.
    """

    cursor: BatchCursor
    meter: Meter = field(default_factory=Meter)
    step: int = 0
    last_log: dict[str, Any] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)

    @classmethod
    def of_checkpoint(cls, checkpoint: dict[str, Any], batches: Batches) -> TrainingState:
        """What `checkpoint` has made."""
        return cls(
            BatchCursor(batches, checkpoint["epoch"], checkpoint["batch"]),
            Meter(checkpoint["sums"], checkpoint["counts"]),
            checkpoint["step"],
            checkpoint["last_log"],
            time.monotonic() - checkpoint["seconds"],
        )

    def checkpoint(self) -> dict[str, Any]:
        """Plain values, from which `of_checkpoint` makes the same state."""
        return {
            "step": self.step,
            "epoch": self.cursor.epoch,
            "batch": self.cursor.batch,
            "sums": self.meter.sums,
            "counts": self.meter.counts,
            "seconds": self.seconds,
            "last_log": self.last_log,
        }

    @property
    def seconds(self) -> float:
        """Of training so far, in all its parts."""
        return time.monotonic() - self.began


def check_values(checkpoint: dict[str, Any]) -> None:
    """Looks whether a checkpoint holds what `TrainingState.of_checkpoint` reads.

    Raises:
        TypeError, KeyError: it does not.
    """
    for name, kind in _VALUES.items():
        if not isinstance(checkpoint[name], kind):
            raise TypeError(name)
