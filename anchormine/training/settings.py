"""The options that every training has."""

from __future__ import annotations

import math
from dataclasses import dataclass

from anchormine.errors import UsageError

DEVICES = ("auto", "cpu", "cuda")
TRAINING_DTYPES = ("float32", "bfloat16")
_MAX_NUMBER = 10**9  # steps, epochs or examples: no training comes near


@dataclass(frozen=True)
class Settings:
    """How long to train, with what steps, and where the model goes.

    Attributes:
        output: the model folder to make.
        epochs: passes over the data, if max_steps does not say when to stop.
        max_steps: steps of the optimiser, or None.
        batch_size: examples of one forward pass.
        gradient_accumulation: forward passes of one step.
        lr: learning rate at its highest; None for what suits the model (`learning_rate.chosen_rate`).
        warmup: part of the steps in which the rate rises from 0; it falls to 0 in the rest.
        weight_decay: of AdamW, on matrices only.
        seed: of everything that is drawn.
        device: one of `DEVICES`.
        dtype: one of `TRAINING_DTYPES`; weights stay in float32, bfloat16 is for the products.
        log_every: steps between lines of train_log.jsonl, which the first and the last step always have.
        save_every: steps between checkpoints.
        resume: whether to go on from the last checkpoint.
        overwrite: whether a model that is there is replaced.
    """

    output: str
    epochs: int = 1
    max_steps: int | None = None
    batch_size: int = 32
    gradient_accumulation: int = 1
    lr: float | None = None
    warmup: float = 0.1
    weight_decay: float = 0.01
    seed: int = 0
    device: str = "auto"
    dtype: str = "float32"
    log_every: int = 10
    save_every: int = 1000
    resume: bool = False
    overwrite: bool = False

    def __post_init__(self) -> None:
        for name in ("epochs", "max_steps", "batch_size", "gradient_accumulation", "log_every", "save_every"):
            check_range(name, getattr(self, name), 1, _MAX_NUMBER)
        check_range("seed", self.seed, 0, 2**32 - 1)
        check_range("lr", self.lr, 0.0, 1.0)
        check_range("warmup", self.warmup, 0.0, 1.0)
        check_range("weight_decay", self.weight_decay, 0.0)
        check_choice("device", self.device, DEVICES)
        check_choice("dtype", self.dtype, TRAINING_DTYPES)
        if self.resume and self.overwrite:
            raise UsageError(
                "--resume and --overwrite: one goes on from what is there, the other discards it"
            )

    def total_steps(self, examples: int) -> int:
        """Steps of the whole training.

        Args:
            examples: of one epoch.
        """
        if self.max_steps is not None:
            return self.max_steps
        return max(1, math.ceil(self.epochs * examples / (self.batch_size * self.gradient_accumulation)))

    def epoch_steps(self, examples: int) -> int:
        """Steps after which an epoch's examples have been seen.

        Args:
            examples: of one epoch.
        """
        return max(1, math.ceil(examples / (self.batch_size * self.gradient_accumulation)))


def check_range(name: str, value: float | None, low: float, high: float = math.inf) -> None:
    """Refuses a number out of its range, which no infinite one is in; None is any.

    Raises:
        UsageError: it names the option, the value and the range.
    """
    if value is not None and not (low <= value <= high and math.isfinite(value)):
        allowed = f"from {low} to {high}"
        if math.isinf(high):
            allowed = f"{low} or more" if math.isfinite(value) else "a finite number"
        raise UsageError(f"--{name.replace('_', '-')} {value}: must be {allowed}")


def check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    """Refuses a word that is no choice.

    Raises:
        UsageError: it names the option, the value and the choices.
    """
    if value not in choices:
        raise UsageError(f"--{name.replace('_', '-')} {value}: must be one of {', '.join(choices)}")
