"""The files of a step of a run file: which it is given, what they were then, and what it has written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from anchormine.datasets.manifest import EXTRACTIONS, MANIFEST, MINING_STEPS, parse_manifest
from anchormine.errors import CommandError
from anchormine.export.job import STEP as EXPORT
from anchormine.filters.keyword_files import SUGGESTIONS
from anchormine.filters.rule_file import named_files
from anchormine.pipelines.run_file import FileStep

_REJECTS = "rejects/"
_EXPORTS = "exports"  # where in a dataset folder they are, if nothing else is said


def given_files(step: FileStep) -> dict[str, list[int]]:
    """The files that a step is given, by the argument: bytes, and nanoseconds of the last change.

    And the folders and patterns that dumps and crawls are read from, but for folders that steps write into;
    and the files that an options file and a rule file name.
    """
    outputs = _outputs(step)
    given = [word for word in step.arguments[1:] if word not in outputs]
    files = [word for word in (*given, *_named_files(step)) if word not in outputs and Path(word).is_file()]
    inputs = [
        word
        for word in (given if step.arguments[0] in EXTRACTIONS else ())
        if (_is_of_others(word, outputs) or _is_pattern(word)) and _files(word)
    ]
    return {word: _state(word) for word in (*files, *inputs)}


def changed_file(files: Mapping[str, list[int]]) -> str | None:
    """The first of a step's files that is another now, or None; a done step misses none that is gone.

    Args:
        files: as `given_files` told them before the step.
    """
    for path, state in files.items():
        if (Path(path).exists() or _files(path)) and _state(path) != state:
            return f"{path} has changed since"
    return None


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
    for output in _outputs(step):
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


def _named_files(step: FileStep) -> list[str]:
    """The files that a file of options and one of rules name, which look like paths."""
    values = [value if isinstance(value, list) else [value] for value in vars(step.args).values()]
    words = [word for words in values for word in words if isinstance(word, str)]
    rules = getattr(step.args, "rules", None)
    return [*(word for word in words if set(word) & {"/", "."}), *(named_files(rules) if rules else [])]


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


def _is_pattern(word: str) -> bool:
    return not word.startswith("-") and "://" not in word and any(sign in word for sign in "*?[")


def _files(path: str) -> list[Path]:
    """A file itself, all in a folder, or all that a pattern names and that are in folders which it names."""
    found = {file for match in _matches(path) for file in (match, *match.rglob("*"))}
    return [file for file in found if file.is_file()]


def _matches(path: str) -> list[Path]:
    """What there is of a name or a pattern, in which "**" stands for folders, too, as it does for Beam."""
    place = Path(path)
    if place.exists() or not _is_pattern(path):
        return [place]
    root = Path(place.anchor)
    parts = place.relative_to(root).parts
    # Within a name it stands for any characters, those between folders among them.
    patterns = [
        "/".join(part.replace("**", any_) if part != "**" else part for part in parts)
        for any_ in ("*", "*/**/*")
    ]
    try:
        return [match for pattern in dict.fromkeys(patterns) for match in root.glob(pattern)]
    except (ValueError, OSError):  # the step itself says what is wrong with it
        return []


def _state(path: str) -> list[int]:
    """The bytes and the last change of a file, of all in a folder, or of all that a pattern names."""
    found = [file.stat() for file in _files(path)]
    folder = [Path(path).stat()] if Path(path).is_dir() else []
    return [sum(each.st_size for each in found), max(each.st_mtime_ns for each in (*found, *folder))]
