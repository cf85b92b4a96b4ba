"""The files of a step of a run file: which it is given, what they were then, and what it has written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from anchormine.datasets.manifest import EXTRACTIONS, MANIFEST, MINING_STEPS, parse_manifest
from anchormine.errors import CommandError
from anchormine.export.job import STEP as EXPORT
from anchormine.filters.keyword_files import SUGGESTIONS
from anchormine.pipelines.run_file import FileStep

_EXPORTS = "exports"  # where in a dataset folder they are, if nothing else is said


def given_files(step: FileStep) -> dict[str, list[int]]:
    """The files that a step is given, by the argument: bytes, and nanoseconds of the last change.

    And the folders that dumps and crawls are read from, but for those that steps write into.
    """
    outputs = _outputs(step)
    given = [word for word in step.arguments[1:] if word not in outputs]
    folders = [word for word in given if step.arguments[0] in EXTRACTIONS and _is_of_others(word, outputs)]
    return {word: _state(word) for word in given if word in folders or Path(word).is_file()}


def changed_file(files: Mapping[str, list[int]]) -> str | None:
    """The first of a step's files that is another now, or None; a done step misses none that is gone.

    Args:
        files: as `given_files` told them before the step.
    """
    for path, state in files.items():
        if Path(path).exists() and _state(path) != state:
            return f"{path} has changed since"
    return None


def missing_output(step: FileStep) -> str | None:
    """What a step has written and is there no more, as far as its arguments tell."""
    for output in _outputs(step):
        if "://" not in output and not Path(output).exists():
            return f"{output} is gone"
    command = step.arguments[0]
    if command not in MINING_STEPS:
        return None
    folder = step.args.output if command in EXTRACTIONS else step.args.folder
    return _missing_table(folder, command) if "://" not in folder else None


def _missing_table(folder: str, command: str) -> str | None:
    """The first file of a dataset folder that its manifest names for a command, and that is gone or another.

    Output that a later step has taken away, as one that made a table anew, is not in the manifest any more.
    """
    manifest = Path(folder, MANIFEST)
    if not manifest.is_file():
        return f"{manifest} is gone"
    try:
        section = parse_manifest(manifest.read_bytes(), str(manifest))["steps"].get(command, {"outputs": []})
    except CommandError:
        return f"{manifest} is damaged"
    for output in section["outputs"]:
        path = Path(folder, output["path"])
        if not path.is_file():
            return f"{path} is gone"
        if path.stat().st_size != output["bytes"]:
            return f"{path} is another file"
    return None


def _outputs(step: FileStep) -> list[str]:
    """The files and folders that a step writes, but for tables of the dataset that it reads."""
    args = step.args
    if getattr(args, "suggest_keywords", None) is not None:
        return [args.suggestions or str(Path(args.folder, SUGGESTIONS))]
    output = getattr(args, "output", None)
    if output is None and step.arguments[0] == EXPORT:
        return [str(Path(args.folder, _EXPORTS, args.to))]
    return [output] if output else []


def _is_of_others(word: str, outputs: Sequence[str]) -> bool:
    """Tells whether an argument is a folder that neither outputs nor the run file itself are in."""
    if word.startswith("-") or not Path(word).is_dir():
        return False
    folder = Path(word).resolve()
    return not any(path.resolve().is_relative_to(folder) for path in (Path(), *map(Path, outputs)))


def _state(path: str) -> list[int]:
    """The bytes and the last change of a file, or of all in a folder."""
    files = [Path(path)] if Path(path).is_file() else [*Path(path).rglob("*")]
    found = [file.stat() for file in files if file.is_file()]
    changes = [each.st_mtime_ns for each in (*found, Path(path).stat())]
    return [sum(each.st_size for each in found), max(changes)]
