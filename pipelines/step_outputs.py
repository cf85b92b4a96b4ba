"""What a step of a run file has written: its files and folders, and its tables in a dataset."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anchormine.datasets.manifest import EXTRACTIONS, MANIFEST, MINING_STEPS, parse_manifest
from anchormine.errors import CommandError
from anchormine.export.job import STEP as EXPORT
from anchormine.filters.keyword_files import SUGGESTIONS
from anchormine.pipelines.run_file import FileStep
from anchormine.pipelines.train_arguments import IN_FOLDER, model_folder

_REJECTS = "rejects/"
_EXPORTS = "exports"  # where in a dataset folder they are, if nothing else is said


def outputs_of(step: FileStep) -> list[str]:
    """The files and folders that a step writes, but for tables of the dataset that it reads."""
    args, command = step.args, step.arguments[0]
    if getattr(args, "suggest_keywords", None) is not None:
        return [args.suggestions or str(Path(_suggested_from(args), SUGGESTIONS))]
    output = getattr(args, "output", None)
    if output is None and command == EXPORT:
        return [str(Path(args.folder, _EXPORTS, args.to))]
    if not output and command == "train" and args.kind in IN_FOLDER:
        return [model_folder(args.folder, args.kind)]
    return [output] if output else []


def _suggested_from(args: Namespace) -> str:
    """The folder that keywords are suggested of; it may stand behind the option (see `take_folder`)."""
    return args.suggest_keywords if isinstance(args.suggest_keywords, str) else args.folder


def made_files(step: FileStep) -> dict[str, str]:
    """The tables that a done step has in the manifest of its dataset now: path below the folder, and SHA-256.

    Those of a later step of its command are among them, and none are there where a later step took them away.
    What was rejected is not among them: another task of its command changes that.
    """
    folder = _dataset(step)
    if folder is None or not Path(folder, MANIFEST).is_file():
        return {}
    try:
        outputs = _listed_outputs(folder, step.arguments[0])
    except CommandError:
        return {}
    tables = [output for output in outputs if not output["path"].startswith(_REJECTS)]
    return {output["path"]: output["sha256"] for output in tables}


def missing_output(step: FileStep, made: Mapping[str, str]) -> str | None:
    """What a step has written and is there no more, as far as its arguments tell.

    Args:
        step: it is done.
        made: as `made_files` told it after the last step that was done.
    """
    for output in outputs_of(step):
        if "://" not in output and not Path(output).exists():
            return f"{output} is gone"
    folder = _dataset(step)
    return None if folder is None else _missing_table(folder, step.arguments[0], made)


def _dataset(step: FileStep) -> str | None:
    """The dataset folder of this machine in which a step has made tables."""
    command, args = step.arguments[0], step.args
    makes_none = getattr(args, "suggest_keywords", None) is not None or getattr(args, "dry_run", False)
    if command not in MINING_STEPS or makes_none:
        return None
    folder: str = args.output if command in EXTRACTIONS else args.folder
    return None if "://" in folder else folder


def _missing_table(folder: str, command: str, made: Mapping[str, str]) -> str | None:
    """The first file of a dataset folder that its manifest names for a command, and that is gone or another.

    Or that it does not name any more, since another command was run there.
    """
    manifest = Path(folder, MANIFEST)
    if not manifest.is_file():
        return f"{manifest} is gone"
    try:
        outputs = _listed_outputs(folder, command)
    except CommandError:
        return f"{manifest} is damaged"
    for output in outputs:
        path = Path(folder, output["path"])
        if not path.is_file():
            return f"{path} is gone"
        if path.stat().st_size != output["bytes"]:
            return f"{path} is another file"
    listed = {output["path"]: output["sha256"] for output in outputs}
    other = next((path for path, sha256 in made.items() if listed.get(path) != sha256), None)
    if other is None:
        return None
    return f"{Path(folder, other)} was {'made anew' if other in listed else 'taken away'} by another run"


def _listed_outputs(folder: str, command: str) -> list[dict[str, Any]]:
    """The outputs that a dataset's manifest names for a command; none of what a later one took away.

    Raises:
        CommandError: the manifest is damaged.
    """
    manifest = Path(folder, MANIFEST)
    section = parse_manifest(manifest.read_bytes(), str(manifest))["steps"].get(command, {"outputs": []})
    outputs: list[dict[str, Any]] = section["outputs"]
    return outputs
