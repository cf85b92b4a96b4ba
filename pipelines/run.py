"""`anchormine run`: the steps that a TOML file names, each as its command would run."""

import argparse
import shlex
from collections.abc import Sequence

from anchormine.errors import UsageError
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.run_file import FileStep, read_run_file, standing_in, typed_run, work_folder
from anchormine.pipelines.run_journal import RunJournal
from anchormine.pipelines.standard_streams import tell
from anchormine.pipelines.step_inputs import given_files

_UNREADABLE = 3  # the status of a step with --strict, some of whose input is damaged or unreadable
_SIGNAL = 128  # above it a status is that of a run that was interrupted


def add_arguments(parser: StepParser) -> None:
    """Adds the options of the command."""
    parser.add_argument("file", metavar="FILE.toml", help="the steps; paths in it are relative to its place")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=TEXT",
        help="a variable of the file, over the value there; may be given several times",
    )
    parser.add_argument(
        "--from", dest="start", metavar="STEP", help="run this step and what follows anew, done or not"
    )
    parser.add_argument("--overwrite", action="store_true", help="run all steps anew")
    parser.add_argument("--dry-run", action="store_true", help="print the commands; touch nothing")


def run(args: argparse.Namespace) -> int:
    """Runs the steps that are not done, one after the other."""
    variables = _variables(args.set)
    steps = read_run_file(args.file, variables)
    journal = RunJournal(args.file)
    first_anew = _first_anew(args, steps)
    with standing_in(work_folder(args.file)):
        done = journal.count_done(steps[:first_anew], args.file, args.set)
        _check_steps(args.file, steps, done)
        if args.dry_run:
            _print_plan(args.file, steps, done)
            return 0
        journal.keep(done, steps[first_anew:])
        return _run_steps(args, steps, done, first_anew, journal)


def _check_steps(path: str, steps: list[FileStep], done: int) -> None:
    """Makes sure, as far as it can be told, that those which are not done can run."""
    from anchormine.pipelines.cli import check_arguments

    for number, step in enumerate(steps[done:], start=done + 1):
        try:
            check_arguments(step.arguments[0], step.args)
        except UsageError as error:
            raise UsageError(f"{path}: step {number} ({step.name}): {error}") from None


def _run_steps(
    args: argparse.Namespace, steps: list[FileStep], done: int, first_anew: int, journal: RunJournal
) -> int:
    from anchormine.pipelines.cli import main

    for number, step in enumerate(steps):
        place = f"step {number + 1} of {len(steps)} ({step.name})"
        if number < done:
            tell(f"{place} is done already")
            continue
        told = _as_it_is_there(step, number >= first_anew or step.name in journal.anew)
        print(f"\n$ {shlex.join(['anchormine', *_with(step.shown, told)])}\n", flush=True)
        files = given_files(step)
        if status := main(_with(step.arguments, told)):
            mended = "" if status > _SIGNAL else " once that is mended"
            # What --strict refuses is published, of input that is to be another then.
            anew = ("--from", step.name) if status == _UNREADABLE and step.replaces else ()
            tell(
                f"anchormine: {args.file}: {place} ended with status {status}; those before it are done, and "
                f"{typed_run(args.file, args.set, *anew)} goes on here{mended}"
            )
            return status
        journal.add(steps[: number + 1], files)
    return 0


def _as_it_is_there(step: FileStep, anew: bool) -> list[str]:
    """What a step is told of output that an earlier run has left: to go on with it, or to replace it."""
    if anew:
        return ["--overwrite"] if step.replaces else []
    return ["--resume"] if step.resumes else []


def _with(words: Sequence[str], told: list[str]) -> list[str]:
    """The words of a step with what it is told, which rules out what it says itself."""
    return [*(word for word in words if word != "--resume" or not told), *told]


def _first_anew(args: argparse.Namespace, steps: list[FileStep]) -> int:
    """The number of the first step that is run whether it is done or not; that after the last if none is."""
    if args.overwrite:
        return 0
    if args.start is None:
        return len(steps)
    names = [step.name for step in steps]
    if args.start not in names:
        raise UsageError(f"--from {args.start}: no step of {args.file}; they are {', '.join(names)}")
    return names.index(args.start)


def _print_plan(path: str, steps: list[FileStep], done: int) -> None:
    print(shlex.join(["cd", str(work_folder(path))]))
    for number, step in enumerate(steps):
        print(step.typed() + ("  # done" if number < done else ""))


def _variables(given: list[str]) -> dict[str, str]:
    for text in given:
        if not text.partition("=")[0] or "=" not in text:
            raise UsageError(f"--set {text}: give NAME=TEXT")
    return dict(text.split("=", 1) for text in given)
