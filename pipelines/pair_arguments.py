"""What the command line of `pairs` takes."""

import argparse
from typing import Any

from anchormine.errors import UsageError
from anchormine.pipelines.mining_options import add_mining_options, language_tag
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.pair_families import FAMILIES
from anchormine.schemas.pairs import HARP_TASKS, TASKS


def add_arguments(parser: StepParser) -> None:
    """Adds the options of the step."""
    parser.add_argument("folder", metavar="DIR", help="dataset folder with pages and anchors")
    parser.add_argument(
        "--task",
        nargs="+",
        choices=TASKS,
        default=list(HARP_TASKS),
        help=f"any of {', '.join(TASKS)} (default: the first four, HARP's)",
    )
    for family in FAMILIES:
        family.add_arguments(parser)
    parser.add_argument(
        "--min-words",
        type=int,
        default=0,
        metavar="N",
        help="pages with fewer words are no documents (HARP: 100)",
    )
    parser.add_argument(
        "--language",
        type=language_tag,
        metavar="CODE",
        help="of all texts, over what the folder says: whose stop words, where sentences end",
    )
    add_mining_options(parser)


def task_options(args: argparse.Namespace) -> dict[str, Any]:
    """Makes the options of each family by its name; they check themselves."""
    if args.min_words < 0:
        raise UsageError(f"--min-words {args.min_words}: give 0 or more")
    return {family.name: family.read_options(args) for family in FAMILIES}
