"""Whether what a folder holds was made as a run asks for it."""

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from anchormine.errors import UsageError
from anchormine.option_change import UNCOMPARED, told_change
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.transforms.checksum_files import checksum


def check_same(
    folder: OutputFolder, step: str, asked: Mapping[str, Any], inputs: Sequence[tuple[str, int]]
) -> None:
    """Compares a step that `--resume` finds done with what is asked for.

    Args:
        folder: holds the step.
        step: the command.
        asked: options and seed.
        inputs: (path, bytes) of each file, relative to the folder or absolute; where others stand does not
            count.

    Raises:
        UsageError: other options, seed or input.
    """
    section = folder.manifest["steps"][step] if folder.manifest else {}
    # The tables of a folder are named as they stand in it, wherever the command is run.
    paths = [os.path.join(folder.path, path) for path, _ in inputs]  # noqa: PTH118 - it may be a URL
    other = difference(section, asked, inputs) or rewritten(section, paths)
    if other:
        raise UsageError(
            f"--resume: {folder.path} has `anchormine {step}` with {other}; give --overwrite, or another "
            "folder"
        )


def difference(
    section: Mapping[str, Any], asked: Mapping[str, Any], inputs: Sequence[tuple[str, int]]
) -> str | None:
    """Names the first thing in which a section of the manifest is not what is asked for.

    Args:
        section: of a step.
        asked: options, and "seed" and "versions" where these count.
        inputs: (path, bytes) of each file; where they stand does not count.
    """
    found = {"seed": section["seed"], "versions": section["versions"], **section["options"]}
    for name, value in asked.items():
        if found.get(name) != value and name not in UNCOMPARED:
            return told_change(name, found.get(name), value)
    known = [(entry["path"].rpartition("/")[2], entry["bytes"]) for entry in section["inputs"]]
    if sorted(known) != sorted((path.rpartition("/")[2], size) for path, size in inputs):
        return "other input"
    return None


def rewritten(section: Mapping[str, Any], paths: Sequence[str]) -> str | None:
    """Names the first file of this machine that was written since a step began, and holds something else.

    Others are not read again: that may take as long as the step.

    Args:
        section: of the step, in the manifest.
        paths: of the input.
    """
    began = datetime.fromisoformat(section["started"]).timestamp()
    known: dict[str, set[str | None]] = {}
    for entry in section["inputs"]:
        known.setdefault(entry["path"].rpartition("/")[2], set()).add(entry.get("sha256"))
    for path in paths:
        file = Path(path)
        if "://" in path or not file.is_file() or file.stat().st_mtime < began:
            continue
        sums = known.get(file.name, {None})
        if None not in sums and checksum(path) not in sums:
            return f"other input: {path} was written anew"
    return None
