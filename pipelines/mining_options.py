"""Options of mining steps: those of all, and what a page may cost in those that read pages."""

import argparse
import os
import re
from collections.abc import Callable

from anchormine.hypertext.page_limits import PageLimits
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.progress import MODES

DEFAULT_SEED = 42
# Beyond any input's records and bytes; such numbers add up in 64 bits.
_MAX_NUMBER = 10**15
# However few cores a machine has, and of a core.
_MAX_WORKERS, _MAX_WORKERS_PER_CORE = 64, 8
# Of a page or passage: times the pages of any input it stays in 64 bits.
MAX_PER_PAGE = 10**9
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*")


def add_mining_options(parser: StepParser) -> None:
    """Adds the options that every mining step has."""
    group = parser.add_argument_group("options of every mining step")
    group.add_argument(
        "--seed", type=int, default=DEFAULT_SEED, help=f"of all that is drawn (default: {DEFAULT_SEED})"
    )
    group.add_argument(
        "--limit", type=positive, metavar="N", help="read only the first N records of the input"
    )
    group.add_argument(
        "--workers",
        type=workers,
        metavar="N",
        help="processes on this machine; 1 is in memory (default: all cores)",
    )
    group.add_argument("--dry-run", action="store_true", help="print the plan, and touch nothing")
    group.add_argument("--overwrite", action="store_true", help="replace the step's earlier output")
    group.add_argument("--resume", action="store_true", help="keep what is done, and do the rest")
    group.add_argument(
        "--strict", action="store_true", help="exit with status 3 if some input was damaged or unreadable"
    )
    group.add_argument("--config", metavar="FILE", help="a TOML file with the same names; flags win")
    group.add_argument(
        "--progress", choices=MODES, default="auto", help="on standard error (default: %(default)s)"
    )
    group.add_argument("--json", action="store_true", help="print the tables as JSON")
    parser.epilog = "Any option of Beam may follow, such as --runner=SparkRunner."
    parser.set_defaults(takes_beam_options=True)


def said(text: str) -> str:
    """What is not blank, for argparse: as a name it would be nothing, and as a file none."""
    if not text.strip():
        raise argparse.ArgumentTypeError(f"{text!r}: names nothing; give a value, or leave the option out")
    return text


def positive(text: str) -> int:
    """A whole number from 1 on, for argparse."""
    return positive_to(_MAX_NUMBER)(text)


def workers(text: str) -> int:
    """How many processes to start, for argparse: each takes more than a hundred MB for itself."""
    return positive_to(max(_MAX_WORKERS, _MAX_WORKERS_PER_CORE * (os.cpu_count() or 1)))(text)


def positive_to(most: int) -> Callable[[str], int]:
    """A whole number from 1 to another, for argparse."""

    def read(text: str) -> int:
        value = int(text) if text.isascii() and text.lstrip("+-").isdigit() else 0
        if value < 1:
            raise argparse.ArgumentTypeError(f"{text}: give 1 or more")
        if value > most:
            raise argparse.ArgumentTypeError(f"{text}: give {most:,} or less")
        return value

    return read


def language_tag(text: str) -> str:
    """A tag such as "fr" or "zh-Hant" (RFC 5646), for argparse; its code is put in small letters."""
    code, mark, rest = text.partition("-")
    if not _LANGUAGE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text}: give the code of a language, such as en or zh-Hant")
    return code.lower() + mark + rest


def add_page_limits(parser: StepParser) -> None:
    """Adds the options of `PageLimits`."""
    parser.add_argument(
        "--max-page-characters",
        type=positive,
        default=PageLimits.characters,
        metavar="N",
        help="longer pages are rejected (default: %(default)s)",
    )
    parser.add_argument(
        "--page-timeout",
        type=float,
        default=PageLimits.seconds,
        metavar="SECONDS",
        help="pages that take longer are rejected (default: %(default)s)",
    )


def page_limits(args: argparse.Namespace) -> PageLimits:
    """The limits that are asked for.

    Raises:
        UsageError: one is not above 0.
    """
    return PageLimits(args.max_page_characters, args.page_timeout)
