"""Files that a training leaves behind, read again: its log and its options, and what is said of damage."""

import json
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from anchormine.errors import UsageError

LOG = "train_log.jsonl"
OPTIONS = "train_options.json"
_CONFIG = "config.json"
_WEIGHTS = (
    "model.safetensors",
    "model.safetensors.index.json",
    "pytorch_model.bin",
    "pytorch_model.bin.index.json",
)
# What reading JSON, torch's archives, and states of a module or optimiser raises where they are damaged
_DAMAGE = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    IndexError,
    RuntimeError,
    EOFError,
    pickle.UnpicklingError,
)


def is_model(folder: Path) -> bool:
    """Tells whether a folder holds a model: our log, or a configuration and weights."""
    if (folder / LOG).is_file():
        return True
    return (folder / _CONFIG).is_file() and any((folder / name).is_file() for name in _WEIGHTS)


def read_log(folder: Path) -> list[dict[str, Any]]:
    """The lines of the log in a folder.

    Raises:
        UsageError: it is damaged.
    """
    path = folder / LOG
    with told_damage(path):
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        if not all(isinstance(line, dict) and isinstance(line["step"], int) for line in lines):
            raise ValueError(path)
    return lines


def read_options(path: Path) -> dict[str, Any]:
    """The options in a file.

    Raises:
        UsageError: it is damaged.
    """
    with told_damage(path):
        options = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(options, dict):
            raise ValueError(path)
    return options


@contextmanager
def told_damage(path: Path) -> Iterator[None]:
    """Gives what reading a file of a training raises as an error of ours.

    Raises:
        UsageError: the file is damaged.
    """
    try:
        yield
    except torch.OutOfMemoryError:
        raise
    except _DAMAGE:
        raise damaged(path) from None


def damaged(path: Path) -> UsageError:
    """The error for a file of a training that is not as it was written."""
    return UsageError(f"{path}: damaged; begin anew with --overwrite")
