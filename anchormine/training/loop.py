"""The training loop: AdamW, a rate that rises and falls in straight lines, a log, and checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from anchormine.compute import Compute
from anchormine.errors import CommandError
from anchormine.training.learning_rate import rate
from anchormine.training.progress import Progress
from anchormine.training.run_files import told_damage
from anchormine.training.run_folder import RunFolder
from anchormine.training.settings import Settings
from anchormine.training.training_state import BatchCursor, Batches, TrainingState, check_values

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
        lr: learning rate at its highest.
        validate: measures the module on what it does not learn from; None does not.
    """

    module: nn.Module
    examples: int
    batches: Batches
    collate: Callable[[Sequence[Any], np.random.Generator], dict[str, Any]]
    lr: float
    validate: Callable[[Progress], dict[str, float]] | None = None


class Fitted(NamedTuple):
    """What a training came to: steps, seconds, its highest rate, and the last line of its log."""

    steps: int
    seconds: float
    lr: float
    last_log: dict[str, Any]


def fit(task: Task, settings: Settings, compute: Compute, run: RunFolder, progress: Progress) -> Fitted:
    """Trains a module in place.

    What a step draws (masks, dropout) depends on the seed and the step's number alone, so that a run that
    was killed goes on from its checkpoint as if nothing had been: to the bit on a CPU in float32.

    The log has a line for the first step, the last, and every `log_every` steps; each holds the means since
    the line before. The first line so is the loss before anything was learnt (the weights move after it is
    taken), and a run of any length shows how far it has come by its first and last lines.

    Args:
        task: what to train; its module is moved to the device.
        settings: for how long.
        compute: where.
        run: keeps log and checkpoints.
        progress: for a person.

    Raises:
        CommandError: no example is left, or the loss is no number any more.
    """
    task.module.to(compute.device).train()
    optimizer = _optimizer(task.module, settings.weight_decay)
    state = _restore(run, task, optimizer)
    total, of_epoch = settings.total_steps(task.examples), settings.epoch_steps(task.examples)
    before = _validate(task, progress, state.step == 0, "validation_before")
    with progress.count("training", total) as counter:
        while state.step < total:
            state.step += 1
            lr = task.lr * rate(state.step, total, settings.warmup)
            _step(task, settings, compute, optimizer, state, lr)
            due = state.step == total or state.step % of_epoch == 0
            measured = {**before, **_validate(task, progress, due, "validation")}
            if state.step in (1, total) or state.step % settings.log_every == 0 or measured:
                seen = state.step * settings.gradient_accumulation * settings.batch_size
                state.last_log = {**log_line(state, seen / task.examples, lr), **measured}
                run.append_log(state.last_log)
                before = {}
            counter.reach(state.step, f"loss {state.last_log['loss']:.4f}")
            if state.step % settings.save_every == 0 and state.step < total:
                _save(run, task.module, optimizer, state)
    return Fitted(total, state.seconds, task.lr, state.last_log)


def _validate(task: Task, progress: Progress, due: bool, name: str) -> dict[str, Any]:
    """What a line of the log has beside the losses: under a name what was measured, if it was."""
    return {name: task.validate(progress)} if task.validate and due else {}


def _step(
    task: Task,
    settings: Settings,
    compute: Compute,
    optimizer: torch.optim.Optimizer,
    state: TrainingState,
    lr: float,
) -> None:
    """Moves the weights once, by the gradient of as many batches as are accumulated."""
    torch.manual_seed(settings.seed * 2**31 + state.step)
    for part in range(settings.gradient_accumulation):
        rng = np.random.default_rng([settings.seed, state.step, part])
        arguments = to_device(task.collate(state.cursor.next(), rng), compute.device)
        with compute.autocast():
            losses = task.module(**arguments)
        (losses.total / settings.gradient_accumulation).backward()
        state.meter.add("loss", losses.total.detach(), 1)
        for name, (loss, count) in losses.parts.items():
            state.meter.add(f"losses.{name}", loss, count)
    nn.utils.clip_grad_norm_(task.module.parameters(), MAX_GRADIENT_NORM)
    for group in optimizer.param_groups:
        group["lr"] = lr
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


def log_line(state: TrainingState, epoch: float, lr: float) -> dict[str, Any]:
    """A line of train_log.jsonl, with the means since the line before, which are taken from the meter.

    Args:
        state: of the training, after the step.
        epoch: passes over the data so far.
        lr: learning rate of the step.

    Raises:
        CommandError: the loss is infinite or no number.
    """
    means = state.meter.take()
    if not np.isfinite(means["loss"]):
        raise CommandError(
            f"step {state.step}: the loss is {means['loss']}; try a lower --lr, or --dtype float32"
        )
    losses = {name.removeprefix("losses."): round(mean, 6) for name, mean in means.items() if name != "loss"}
    return {
        "step": state.step,
        "epoch": round(epoch, 4),
        "loss": round(means["loss"], 6),
        "losses": dict(sorted(losses.items())),
        "lr": lr,
        "seconds": round(state.seconds, 3),
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


def _optimizer(module: nn.Module, weight_decay: float) -> torch.optim.Optimizer:
    """AdamW; biases and normalisation are not pulled towards 0, as in BERT."""
    trained = [parameter for parameter in module.parameters() if parameter.requires_grad]
    matrices = [parameter for parameter in trained if parameter.ndim > 1]
    vectors = [parameter for parameter in trained if parameter.ndim <= 1]
    groups: list[dict[str, Any]] = [
        {"params": matrices, "weight_decay": weight_decay},
        {"params": vectors, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, betas=ADAM_BETAS, fused=True)


def _save(run: RunFolder, module: nn.Module, optimizer: torch.optim.Optimizer, state: TrainingState) -> None:
    weights = {"module": module.state_dict(), "optimizer": optimizer.state_dict()}
    run.save_checkpoint({**weights, **state.checkpoint()})


def _restore(run: RunFolder, task: Task, optimizer: torch.optim.Optimizer) -> TrainingState:
    checkpoint = run.load_checkpoint()
    if checkpoint is None:
        return TrainingState(BatchCursor(task.batches))
    with told_damage(run.checkpoint_path):
        task.module.load_state_dict(checkpoint["module"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        check_values(checkpoint)
    return TrainingState.of_checkpoint(checkpoint, task.batches)
