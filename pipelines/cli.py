"""The console script: finds the step, and turns its errors into one line and an exit status."""

import argparse
import atexit
import importlib
import logging
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, NoReturn

from anchormine import __version__
from anchormine.errors import CommandError, MissingPackage, UsageError
from anchormine.paths import utf8_path
from anchormine.pipelines.garbage import kept_objects
from anchormine.pipelines.interruption import Interrupted, stoppable
from anchormine.pipelines.library_settings import set_up_libraries
from anchormine.pipelines.options import StepParser, refuse_unknown
from anchormine.pipelines.run_errors import told_refusals
from anchormine.pipelines.standard_streams import lasting_streams, tell


class Step(NamedTuple):
    """A command: the module that is imported only when it runs, and what `--help` says of it."""

    module: str
    help: str


STEPS = {
    "demo": Step(
        "anchormine.pipelines.demo", "everything, on the small wiki and the small crawl inside the package"
    ),
    "wiki": Step("anchormine.pipelines.wiki", "MediaWiki XML dumps to pages and anchors"),
    "web": Step("anchormine.pipelines.web", "WARC and ARC files of a crawl to pages and anchors"),
    "clueweb22": Step("anchormine.pipelines.clueweb22", "ClueWeb22's texts and links to pages and anchors"),
    "harp": Step("anchormine.pipelines.harp", "HARP's own JSON lines to pages and anchors"),
    "filter": Step("anchormine.pipelines.filter", "anchors without those that are no queries"),
    "pairs": Step("anchormine.pipelines.pairs", "pages and anchors to training pairs"),
    "negatives": Step("anchormine.pipelines.negatives", "pairs with hard negatives, by BM25 or a model"),
    "train": Step("anchormine.pipelines.train", "an encoder, rankers, a dual encoder, or a query classifier"),
    "evaluate": Step("anchormine.pipelines.evaluate", "rankers on a test collection"),
    "export": Step("anchormine.pipelines.export", "a dataset in the layout of another program"),
    "run": Step("anchormine.pipelines.run", "the steps that a TOML file names, one after the other"),
    "rejects": Step("anchormine.pipelines.rejects", "the records that steps have set aside"),
}


def console() -> NoReturn:
    """Runs the command that was typed, and ends the process with its exit status.

    Functions that libraries want called at the end are called. Their destructors are not, and Python does
    not take its objects apart: torch would read another 100 MB of its files for that, at the peak of memory.
    """
    status = main()
    atexit._run_exitfuncs()
    os._exit(status)


def main(arguments: list[str] | None = None) -> int:
    """Runs one command.

    Args:
        arguments: without the program's name; sys.argv's by default.

    Returns:
        The exit status: 0 done; 1 failed, or standard output is full; 2 wrong usage; 3 done, but with
        --strict some input was damaged or unreadable; 129, 130, 143 ended by SIGHUP, SIGINT (Ctrl-C),
        SIGTERM.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    with lasting_streams() as complete_output:
        try:
            with stoppable(), complete_output, told_refusals():
                return _run(arguments)
        except (CommandError, Interrupted) as error:
            tell(f"anchormine: {error}")
            return error.exit_status


def _run(arguments: list[str]) -> int:
    top = StepParser(
        prog="anchormine", description="Mines links into training data for search.", epilog=_epilog()
    )
    top.add_argument("--version", action="version", version=f"anchormine {__version__}")
    top.add_argument("step", choices=list(STEPS), metavar="STEP")
    given = top.add_argument("arguments", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    given.required = False  # there may be none of them, but argparse would name them as missing
    for argument in arguments:
        utf8_path(argument)  # it stands in messages and manifests
    chosen = top.parse_args(arguments)
    _check_working_folder()
    _check_docstrings()
    logging.disable(logging.CRITICAL)  # of libraries; what concerns a user is a line of our own
    set_up_libraries()
    with kept_objects():
        module = _load(chosen.step)
    args = read_arguments(step_parser(chosen.step), chosen.step, chosen.arguments)
    if hasattr(args, "beam_options"):
        from anchormine.pipelines.runners import open_file_systems

        open_file_systems(args.beam_options)
    try:
        return module.run(args)
    finally:
        if threads := sys.modules.get("anchormine.torch_threads"):  # only where a step has loaded torch
            threads.give_threads_back()


def _check_working_folder() -> None:
    """Relative paths mean nothing where it was deleted, and libraries ask for it.

    Raises:
        UsageError: it is gone, or may not be entered.
    """
    try:
        Path.cwd()
    except OSError as error:
        raise UsageError(
            f"the working folder: {error.strerror}; go to another one with `cd` and run the command there"
        ) from None


def _check_docstrings() -> None:
    """Beam cannot be imported where Python leaves docstrings out, for it puts some together.

    Raises:
        UsageError: it does.
    """
    if sys.flags.optimize > 1:
        raise UsageError("python -OO: Beam needs docstrings; leave out -OO, and unset PYTHONOPTIMIZE")


def step_parser(step: str) -> StepParser:
    """The parser of a command.

    Args:
        step: a name in `STEPS`.
    """
    parser = StepParser(prog=f"anchormine {step}", description=STEPS[step].help)
    _load(step).add_arguments(parser)
    return parser


def read_arguments(parser: StepParser, step: str, arguments: list[str]) -> argparse.Namespace:
    """Reads a command's arguments; touches nothing.

    Args:
        parser: of the command.
        step: its name.
        arguments: as typed behind it.

    Raises:
        UsageError: one is unknown, missing, or out of its range.
    """
    args, rest = parser.parse_known_args(arguments)
    args.step = step
    is_remote = any("://" in argument for argument in arguments)
    if getattr(args, "takes_beam_options", False) or (
        (rest or is_remote) and getattr(args, "takes_file_system_options", False)
    ):
        from anchormine.pipelines.beam_options import beam_options

        args.beam_options = beam_options(rest, parser.option_names())
    else:
        refuse_unknown(parser.of_kind(args), rest)
    return args


def check_arguments(step: str, args: argparse.Namespace) -> None:
    """Makes sure, as far as it can be told before there is input, that a command can run; touches nothing.

    Args:
        step: its name.
        args: as `read_arguments` gave them.

    Raises:
        UsageError: it cannot.
    """
    check = getattr(_load(step), "check", None)
    if check is not None:
        check(args)


def _load(step: str) -> ModuleType:
    try:
        return importlib.import_module(STEPS[step].module)
    except ModuleNotFoundError as error:
        if error.name and not error.name.startswith("anchormine"):
            raise MissingPackage(f"anchormine {step}", error.name) from error
        raise


def _epilog() -> str:
    return "steps: " + "; ".join(f"{name} ({step.help})" for name, step in STEPS.items())


if __name__ == "__main__":
    console()
