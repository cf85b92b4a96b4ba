"""What a step of a run file is given: files, folders that no step writes into, and patterns of input."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from anchormine.datasets.manifest import EXTRACTIONS, MANIFEST
from anchormine.filters.rule_file import named_files
from anchormine.pipelines.run_file import FileStep
from anchormine.pipelines.step_outputs import outputs_of


def given_files(step: FileStep) -> dict[str, list[int]]:
    """The files and folders that a step is given, by the argument: bytes, and nanoseconds of the last change.

    And the patterns that dumps and crawls are named by, and the files that a rule file names. Of folders
    those are left out that steps write into: datasets, whose manifest tells more, and what outputs are in.
    """
    outputs = outputs_of(step)
    given = [word for word in (*step.arguments[1:], *_named_paths(step)) if word not in outputs]
    files = [word for word in given if _is(Path.is_file, word)]
    folders = [word for word in given if _is_of_others(word, outputs) and _files(word)]
    is_extraction = step.arguments[0] in EXTRACTIONS
    patterns = [word for word in given if is_extraction and _is_pattern(word) and _files(word)]
    return {word: _state(word) for word in (*files, *folders, *patterns)}


def with_outputs(files: Mapping[str, list[int]], step: FileStep) -> dict[str, list[int]]:
    """What a step was given, when another is done: what that one has written there is no change.

    Args:
        files: as `given_files` told them.
        step: the other one.
    """
    outputs = [Path(output).resolve() for output in outputs_of(step) if "://" not in output]
    return {path: _state(path) if _holds(path, outputs) else state for path, state in files.items()}


def changed_file(files: Mapping[str, list[int]]) -> str | None:
    """The first of a step's files that is another now, or None; a done step misses none that is gone.

    Args:
        files: as `given_files` told them before the step.
    """
    for path, state in files.items():
        if (_is(Path.exists, path) or _files(path)) and _state(path) != state:
            return f"{path} has changed since"
    return None


def _is(asked: Callable[[Path], bool], word: str) -> bool:
    """Tells what a path is, of any text: one that is too long for a name is none."""
    try:
        return asked(Path(word))
    except OSError:
        return False


def _named_paths(step: FileStep) -> list[str]:
    """What a file of options and one of rules name, and looks like a path."""
    values = [value if isinstance(value, list) else [value] for value in vars(step.args).values()]
    words = [word for words in values for word in words if isinstance(word, str)]
    rules = getattr(step.args, "rules", None)
    return [*(word for word in words if set(word) & {"/", "."}), *(named_files(rules) if rules else [])]


def _is_of_others(word: str, outputs: Sequence[str]) -> bool:
    """Tells whether an argument is a folder, no dataset, that neither outputs nor the run file are in."""
    if word.startswith("-") or not _is(Path.is_dir, word) or Path(word, MANIFEST).is_file():
        return False
    return not _holds(word, [path.resolve() for path in (Path(), *map(Path, outputs))])


def _holds(word: str, places: Sequence[Path]) -> bool:
    folder = Path(word).resolve()
    return any(place.is_relative_to(folder) for place in places)


def _is_pattern(word: str) -> bool:
    return not word.startswith("-") and "://" not in word and any(sign in word for sign in "*?[")


def _files(path: str) -> list[Path]:
    """A file itself, all in a folder, or all that a pattern names and that are in folders which it names."""
    found = {file for match in _matches(path) for file in (match, *match.rglob("*"))}
    return [file for file in found if file.is_file()]


def _matches(path: str) -> list[Path]:
    """What there is of a name or a pattern, in which "**" stands for folders, too, as it does for Beam."""
    place = Path(path)
    if _is(Path.exists, path) or not _is_pattern(path):
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
