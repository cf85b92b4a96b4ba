"""What the command line of `pairs` takes."""

import argparse

from anchormine.errors import UsageError
from anchormine.pipelines.mining_options import add_mining_options, positive
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.pair_options import TaskOptions
from anchormine.sampling.profiles import PROFILES
from anchormine.sampling.stop_words import read_stop_words
from anchormine.sampling.weighers import WEIGHTS, WeighingOptions
from anchormine.schemas.anchors import REGIONS
from anchormine.schemas.pairs import HARP_TASKS, TASKS
from anchormine.tasks.anchor_document import DOCUMENTS, AnchorDocumentOptions
from anchormine.tasks.codoc import CodocOptions
from anchormine.tasks.in_links import IN_LINKS_PER_PAGE
from anchormine.text.passages import PASSAGE_WORDS


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
    _add_weighing(parser)
    _add_documents(parser)
    parser.add_argument(
        "--min-words",
        type=int,
        default=0,
        metavar="N",
        help="pages with fewer words are no documents (HARP: 100)",
    )
    parser.add_argument(
        "--language",
        metavar="CODE",
        help="of all texts, over what the folder says: whose stop words, where sentences end",
    )
    add_mining_options(parser)


def _add_weighing(parser: StepParser) -> None:
    """Adds how terms are weighed, for HARP's tasks."""
    parser.add_argument(
        "--encoder",
        default="default",
        metavar="MODEL",
        help="a Hugging Face id or folder; the default is the small one in the package",
    )
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N (default: %(default)s)")
    parser.add_argument(
        "--dtype", default="auto", help="auto, float32, bfloat16 or float16 (default: %(default)s)"
    )
    parser.add_argument(
        "--weights", choices=WEIGHTS, default="attention", help="of terms (default: %(default)s)"
    )
    parser.add_argument(
        "--profile",
        choices=list(PROFILES),
        default="ours",
        help="paper: its formulas; code: its program (default: %(default)s)",
    )
    parser.add_argument(
        "--stop-words", metavar="FILE", help="one a line (default: the list of each text's language)"
    )


def _add_documents(parser: StepParser) -> None:
    """Adds what the pairs of anchor_document and codoc are like."""
    parser.add_argument(
        "--document",
        choices=DOCUMENTS,
        default=DOCUMENTS[0],
        help="of anchor_document: the page's main text, or its lead (default: %(default)s)",
    )
    parser.add_argument(
        "--in-links",
        type=positive,
        default=IN_LINKS_PER_PAGE,
        metavar="N",
        help="anchor_document's pairs of a page, at most (default: %(default)s)",
    )
    parser.add_argument(
        "--regions",
        nargs="+",
        choices=REGIONS,
        metavar="REGION",
        help=f"where anchor_document's links stand, of {', '.join(REGIONS)} (default: anywhere)",
    )
    parser.add_argument(
        "--passage-words",
        type=positive,
        default=PASSAGE_WORDS,
        metavar="N",
        help="codoc's passages have so many, at most (default: %(default)s)",
    )
    parser.add_argument(
        "--pairs-per-page", type=positive, default=1, metavar="N", help="of codoc (default: %(default)s)"
    )


def task_options(args: argparse.Namespace) -> TaskOptions:
    """Makes the options of the tasks, which check themselves."""
    if args.min_words < 0:
        raise UsageError(f"--min-words {args.min_words}: give 0 or more")
    stop_words = read_stop_words(args.stop_words) if args.stop_words else None
    profile = PROFILES[args.profile]
    return TaskOptions(
        WeighingOptions(args.weights, args.encoder, args.device, args.dtype, profile, stop_words),
        AnchorDocumentOptions(args.document, args.in_links, args.regions and tuple(args.regions)),
        CodocOptions(args.passage_words, args.pairs_per_page),
    )
