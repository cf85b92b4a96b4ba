"""The training loop: AdamW, a rate that rises and falls in straight lines, a log, and checkpoints."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from anchormine.errors import CommandError
from anchormine.training.compute import Compute
from anchormine.training.progress import Progress
from anchormine.training.run_folder import RunFolder
from anchormine.training.settings import Settings

# Longest gradient, BERT's
MAX_GRADIENT_NORM = 1.0
ADAM_BETAS = (0.9, 0.999)


class Task(NamedTuple):
    """What is trained, and on what.

    Attributes:
        module: gives `Losses` for what `collate` makes.
        examples: of one epoch.
        batches: of an epoch, by its number; the same ones each time it is asked.
        collate: makes a batch the module's arguments; draws from the generator.
    """

    module: nn.Module
    examples: int
    batches: Callable[[int], Iterator[Sequence[Any]]]
    collate: Callable[[Sequence[Any], np.random.Generator], dict[str, Any]]


class Fitted(NamedTuple):
    """What a training came to: steps, seconds, and the last line of its log."""

    steps: int
    seconds: float
    last_log: dict[str, Any]


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

    def __init__(self, task: Task, epoch: int = 0, batch: int = 0) -> None:
        self._task, self.epoch, self.batch = task, epoch, batch
        self._source = task.batches(epoch)
        for _ in range(batch):
            next(self._source)

    def next(self) -> Sequence[Any]:
        batch = next(self._source, None)
        if batch is None:
            if self.batch == 0:
                raise CommandError("no example was left to train on; the reasons are counted above")
            self.epoch, self.batch = self.epoch + 1, 0
            self._source = self._task.batches(self.epoch)
            return self.next()
        self.batch += 1
        return batch


def fit(task: Task, settings: Settings, compute: Compute, run: RunFolder, progress: Progress) -> Fitted:
    """Trains a module in place.

    What a step draws (masks, dropout) depends on the seed and the step's number alone, so that a run that
    was killed goes on from its checkpoint as if nothing had been: to the bit on a CPU in float32.

    Args:
        task: what to train; its module is moved to the device.
        settings: for how long.
        compute: where.
        run: keeps log and checkpoints.
        progress: for a person.

    Raises:
        CommandError: no example is left, or the loss is no number any more.
    """
    module = task.module.to(compute.device).train()
    groups = _parameter_groups(module, settings.weight_decay)
    optimizer = torch.optim.AdamW(groups, betas=ADAM_BETAS, fused=True)
    state = _restore(run, module, optimizer)
    cursor, meter = BatchCursor(task, state["epoch"], state["batch"]), Meter(state["sums"], state["counts"])
    total, began, line = (
        settings.total_steps(task.examples),
        time.monotonic() - state["seconds"],
        state["last_log"],
    )
    with progress.count("training", total) as counter:
        for step in range(state["step"] + 1, total + 1):
            torch.manual_seed(settings.seed * 2**31 + step)
            for group in optimizer.param_groups:
                group["lr"] = lr = settings.lr * rate(step, total, settings.warmup)
            for part in range(settings.gradient_accumulation):
                rng = np.random.default_rng([settings.seed, step, part])
                arguments = to_device(task.collate(cursor.next(), rng), compute.device)
                with compute.autocast():
                    losses = module(**arguments)
                (losses.total / settings.gradient_accumulation).backward()
                meter.add("loss", losses.total.detach(), 1)
                for name, (loss, count) in losses.parts.items():
                    meter.add(f"losses.{name}", loss, count)
            nn.utils.clip_grad_norm_(module.parameters(), MAX_GRADIENT_NORM)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            if step % settings.log_every == 0 or step == total:
                seen = step * settings.gradient_accumulation * settings.batch_size
                line = log_line(step, seen / task.examples, meter.take(), lr, time.monotonic() - began)
                run.append_log(line)
            counter.reach(step, f"loss {line['loss']:.4f}" if line else "")
            if step % settings.save_every == 0 and step < total:
                run.save_checkpoint(
                    _state(module, optimizer, step, cursor, meter, time.monotonic() - began, line)
                )
    return Fitted(total, time.monotonic() - began, line)


def rate(step: int, total: int, warmup: float) -> float:
    """The learning rate as a part of its highest: up from 0 while warming up, then down to 0 after the last
    step.

    Args:
        step: 1 to total.
        total: number of steps.
        warmup: part of them that is warming up.
    """
    rising = round(total * warmup)
    return step / rising if step <= rising else (total - step + 1) / (total - rising + 1)


def log_line(step: int, epoch: float, means: dict[str, float], lr: float, seconds: float) -> dict[str, Any]:
    """A line of train_log.jsonl: means since the line before.

    Raises:
        CommandError: the loss is infinite or no number.
    """
    if not np.isfinite(means["loss"]):
        raise CommandError(f"step {step}: the loss is {means['loss']}; try a lower --lr, or --dtype float32")
    losses = {name.removeprefix("losses."): round(mean, 6) for name, mean in means.items() if name != "loss"}
    return {
        "step": step,
        "epoch": round(epoch, 4),
        "loss": round(means["loss"], 6),
        "losses": dict(sorted(losses.items())),
        "lr": lr,
        "seconds": round(seconds, 3),
    }


def to_device(value: Any, device: torch.device) -> Any:
    """Moves the tensors in dictionaries and named tuples."""
    if isinstance(value, torch.Tensor):
        return value.to(device, non_blocking=True)
    if isinstance(value, dict):
        return {name: to_device(item, device) for name, item in value.items()}
    if hasattr(value, "_fields"):
        return type(value)(*(to_device(item, device) for item in value))
    return value


def _parameter_groups(module: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Biases and normalisation are not pulled towards 0, as in BERT."""
    trained = [parameter for parameter in module.parameters() if parameter.requires_grad]
    matrices = [parameter for parameter in trained if parameter.ndim > 1]
    vectors = [parameter for parameter in trained if parameter.ndim <= 1]
    return [{"params": matrices, "weight_decay": weight_decay}, {"params": vectors, "weight_decay": 0.0}]


def _state(
    module: nn.Module,
    optimizer: torch.optim.Optimizer,
    step: int,
    cursor: BatchCursor,
    meter: Meter,
    seconds: float,
    line: dict[str, Any],
) -> dict[str, Any]:
    return {
        "module": module.state_dict(),
        "optimizer": optimizer.state_dict(),
        "step": step,
        "epoch": cursor.epoch,
        "batch": cursor.batch,
        "sums": meter.sums,
        "counts": meter.counts,
        "seconds": seconds,
        "last_log": line,
    }


def _restore(run: RunFolder, module: nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    state = run.load_checkpoint()
    if state is None:
        return {"step": 0, "epoch": 0, "batch": 0, "sums": {}, "counts": {}, "seconds": 0.0, "last_log": {}}
    module.load_state_dict(state["module"])
    optimizer.load_state_dict(state["optimizer"])
    return state
