"""Whether a step that `--resume` finds done is the one that was asked for."""

from collections.abc import Mapping, Sequence
from typing import Any

from anchormine.errors import UsageError
from anchormine.pipelines.output_folder import OutputFolder

_REMEDY = "give --overwrite, or another folder"


def check_same(
    folder: OutputFolder, step: str, asked: Mapping[str, Any], inputs: Sequence[tuple[str, int]]
) -> None:
    """Compares a step with the manifest's section of it. Some of its tasks are enough.

    Args:
        folder: holds the step.
        step: the command.
        asked: options and seed.
        inputs: (path, bytes) of each file; where they stand does not count.

    Raises:
        UsageError: other options, seed or input.
    """
    section = folder.manifest["steps"][step] if folder.manifest else {}
    found = {"seed": section["seed"], **section["options"]}
    for name, value in asked.items():
        if name == "task" and set(value) <= set(found["task"]):
            continue
        if found.get(name) != value:
            has = f"{folder.path} has `anchormine {step}` with {name} {found.get(name)}"
            raise UsageError(f"--resume: {has}, not {value}; {_REMEDY}")
    known = {(entry["path"].rpartition("/")[2], entry["bytes"]) for entry in section["inputs"]}
    if known != {(path.rpartition("/")[2], size) for path, size in inputs}:
        raise UsageError(f"--resume: {folder.path} has `anchormine {step}` of other input; {_REMEDY}")
