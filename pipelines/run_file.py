"""The file of `anchormine run`: steps in order, each a command with its options."""

from __future__ import annotations

import difflib
import os
import re
import shlex
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

from anchormine.errors import UsageError
from anchormine.hidden_secrets import HIDDEN, is_secret_name, without_secrets
from anchormine.pipelines.options import StepParser, as_flags
from anchormine.toml_file import read_toml

# A file that ran itself would never end, and the demo is a run of its own.
NOT_IN_FILES = ("run", "demo")
_TOP = ("variables", "steps")
_NO_NAME = re.compile(r"[.\[\]]|^[0-9]*$")  # an attribute, an index, a place, or nothing
_ASKS_FOR_HELP = frozenset(("-h", "--help"))


class FileStep(NamedTuple):
    """A step of a file.

    Attributes:
        name: that it is called by.
        arguments: as a user would type them behind `anchormine`, the command first.
        shown: the same with `***` in place of credentials.
        args: the same, read.
        resumes: whether it is told `--resume`: it can be, and says nothing else on what is there.
        replaces: whether it can be told `--overwrite`, which rules out a `--resume` that it says itself.
    """

    name: str
    arguments: tuple[str, ...]
    shown: tuple[str, ...]
    args: Namespace
    resumes: bool
    replaces: bool

    def typed(self) -> str:
        """The command line, without credentials."""
        return shlex.join(("anchormine", *self.shown))


def read_run_file(path: str, variables: Mapping[str, str]) -> list[FileStep]:
    """Reads the steps of a file, and checks all their options; touches nothing else.

    Args:
        path: of a TOML file.
        variables: values over those of the file, by name.

    Raises:
        UsageError: it names the file, the step, and what is unknown with the nearest known name.
    """
    content = read_toml(path)
    _refuse_unknown(content, _TOP, path)
    values = _variables(content.get("variables", {}), variables, path)
    steps = content.get("steps")
    if not isinstance(steps, list) or not steps or not all(isinstance(step, dict) for step in steps):
        raise UsageError(f'{path}: no steps; each is a table [[steps]] with run = "COMMAND ARGUMENTS"')
    with standing_in(work_folder(path)):  # where files of options are, too
        read = [
            _read_step(step, values, f"{path}: step {number}") for number, step in enumerate(steps, start=1)
        ]
    names = [step.name for step in read]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated:
        raise UsageError(f"{path}: two steps are named {repeated}; give one of them another name")
    return read


@contextmanager
def standing_in(folder: Path) -> Iterator[None]:
    """Makes a folder the one that paths are relative to."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _variables(stated: Any, given: Mapping[str, str], path: str) -> dict[str, str]:
    if not isinstance(stated, dict) or not all(isinstance(value, str) for value in stated.values()):
        raise UsageError(f'{path}: [variables] holds lines of name = "text"')
    _refuse_unknown(given, stated, f"{path}: --set")
    return {**stated, **given}


def _read_step(step: dict[str, Any], values: Mapping[str, str], place: str) -> FileStep:
    options = dict(step)
    run = options.pop("run", None)
    if not isinstance(run, str) or not run.strip():
        raise UsageError(f'{place}: no run = "COMMAND ARGUMENTS", such as run = "pairs data"')
    try:
        words = shlex.split(run)
    except ValueError as error:
        raise UsageError(
            f"{place}: run: {error} in {run!r}; quotation marks stand in pairs, or behind a backslash"
        ) from None
    command, *positional = [_filled(word, values, place) for word in words]
    name = _filled(str(options.pop("name", command)), values, place)
    filled = _filled_options(options, values, place)
    secrets = [value for variable, value in values.items() if is_secret_name(variable)]
    try:
        return _checked_step(name, command, positional, filled, secrets)
    except UsageError as error:
        raise UsageError(f"{place} ({name}): {error}") from None


def _checked_step(
    name: str, command: str, positional: list[str], options: dict[str, Any], secrets: list[str]
) -> FileStep:
    from anchormine.pipelines.cli import STEPS, read_arguments, step_parser

    known = [step for step in STEPS if step not in NOT_IN_FILES]
    if command not in known:
        raise UsageError(f"unknown command {command}{_hint(command, known)}")
    parser = step_parser(command)
    arguments = [*positional, *_flags(parser, options)]
    if asked := _ASKS_FOR_HELP.intersection(arguments):
        raise UsageError(f"{min(asked)}: a step runs, and prints no help; leave it out")
    args = read_arguments(parser, command, arguments)
    decided = any(getattr(args, flag, False) for flag in ("overwrite", "refresh", "dry_run"))
    resumes = hasattr(args, "resume") and not args.resume and not decided
    replaces = hasattr(args, "overwrite") and not decided
    shown = (command, *without_secrets(arguments, secrets))
    return FileStep(name, (command, *arguments), shown, args, resumes, replaces)


def _flags(parser: StepParser, options: dict[str, Any]) -> list[str]:
    """What a user would have typed for a step's options; those that no parser knows are Beam's."""
    flags: list[str] = []
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if flag not in parser.option_names():
            flags += as_flags(name, value)
        elif isinstance(value, bool):
            flags += [flag] if value else []
        else:
            flags += [flag, *(str(item) for item in (value if isinstance(value, list) else [value]))]
    return flags


def _filled_options(options: dict[str, Any], values: Mapping[str, str], place: str) -> dict[str, Any]:
    def fill(name: str, value: Any) -> Any:
        if isinstance(value, list):
            return [fill(name, item) for item in value]
        if not isinstance(value, str | int | float):
            raise UsageError(f"{place}: {name} is a value or a list of values, not {value!r}")
        return _filled(value, values, place) if isinstance(value, str) else value

    return {name: fill(name, value) for name, value in options.items()}


def _filled(text: str, values: Mapping[str, str], place: str) -> str:
    """A text with its {variables}; "{{" stands for a brace. Of Python's formats no more is taken: they could
    ask for gigabytes, as "{name:>3000000000}".
    """
    filled = []
    try:
        for literal, name, form, conversion in Formatter().parse(text):
            filled.append(literal)
            if name is None:
                continue
            if form or conversion or _NO_NAME.search(name):
                raise ValueError(name)
            if name not in values:
                raise UsageError(f"{place}: unknown variable {name} in {text!r}{_hint(name, values)}")
            filled.append(values[name])
    except ValueError:
        raise UsageError(
            f"{place}: {text!r}: {{name}} is a variable, and {{{{ a brace; write no more than a name in it"
        ) from None
    return "".join(filled)


def _refuse_unknown(found: Iterable[str], known: Iterable[str], place: str) -> None:
    for name in found:
        if name not in known:
            raise UsageError(f"{place}: unknown name {name}{_hint(name, known)}")


def _hint(name: str, known: Iterable[str]) -> str:
    nearest = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {nearest[0]}?" if nearest else ""


def typed_run(path: str, variables: Sequence[str], *more: str) -> str:
    """The command that runs a file, as it is typed, in backticks; what stands for credentials is told.

    Args:
        path: of the file.
        variables: as they were set over those of the file.
        more: options behind them.
    """
    given = [word for variable in variables for word in ("--set", variable)]
    shown = without_secrets(given)
    typed = shlex.join(["anchormine", "run", path, *shown, *more])
    return f"`{typed}`" if shown == given else f"`{typed}` (with what {HIDDEN} stands for)"


def work_folder(path: str) -> Path:
    """Where a file's steps are run: relative paths in it are relative to its own place."""
    return Path(os.path.normpath(Path(path).absolute())).parent
