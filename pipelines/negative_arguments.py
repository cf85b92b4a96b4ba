"""What the command line of `negatives` takes."""

import argparse
from collections.abc import Collection, Iterator
from dataclasses import fields
from pathlib import Path

from anchormine.encoder import DEFAULT
from anchormine.errors import UsageError
from anchormine.evaluation.bm25 import BM25Options
from anchormine.negatives.options import BM25, DOCUMENT_FORMS, INDEXES, PASSAGES, MinerModel, NegativeOptions
from anchormine.pipelines.mining_options import add_mining_options, language_tag, positive, positive_to
from anchormine.pipelines.negative_defaults import DEFAULTS, KEPT_BY_MODEL, kept_of
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.worker_compute import add_compute_options, asked_place
from anchormine.schemas.pairs import TASKS

_MAX_CANDIDATES = 100_000  # of a query; those of many queries are held at once
# Where nothing else is said; None for what a set that is mined again keeps.
_MODEL_DEFAULTS = {
    field.name: None if field.name in DEFAULTS else field.default
    for field in fields(MinerModel)
    if field.name not in ("name", "elsewhere")
}


def add_arguments(parser: StepParser) -> None:
    """Adds the options of the step."""
    parser.add_argument("folder", metavar="DIR", help="dataset folder with pages and pairs")
    parser.add_argument("--task", nargs="+", required=True, choices=TASKS, help=f"any of {', '.join(TASKS)}")
    parser.add_argument(
        "--from",
        dest="miner",
        required=True,
        metavar="bm25|MODEL",
        help="what ranks the pages: bm25, or a dual encoder: a folder, a Hugging Face id, or default",
    )
    parser.add_argument(
        "--refresh",
        action="store_true",
        help="mine the sets that are there again, with another model, and replace them; they keep their "
        "options but for those that are given",
    )
    _add_candidates(parser)
    _add_bm25(parser)
    _add_model(parser)
    add_mining_options(parser)
    parser.set_defaults(seed=None)  # with --refresh it is that of the set


def _add_candidates(parser: StepParser) -> None:
    """Adds what candidates are, and which of them become negatives."""
    parser.add_argument(
        "--document",
        choices=DOCUMENT_FORMS,
        help="what negatives are: pages' main texts, leads, or passages (default: as the task's documents)",
    )
    parser.add_argument(
        "--passage-words",
        type=positive,
        metavar="N",
        help="of a passage, at most (default: as the task's passages)",
    )
    parser.add_argument(
        "--negatives",
        type=positive_to(_MAX_CANDIDATES),
        metavar="N",
        help=f"for each query (default: {DEFAULTS['negatives']})",
    )
    parser.add_argument(
        "--depth",
        type=positive_to(_MAX_CANDIDATES),
        metavar="N",
        help=f"how many of the best documents are candidates (default: {DEFAULTS['depth']})",
    )
    parser.add_argument(
        "--keep",
        type=positive_to(_MAX_CANDIDATES),
        metavar="N",
        help="candidates kept at random, of which negatives are drawn (default: all of BM25's, "
        f"{KEPT_BY_MODEL} of a model's)",
    )
    parser.add_argument(
        "--similarity",
        type=float,
        metavar="X",
        help="texts are near-duplicates from this similarity on; 2 for none (default: "
        f"{DEFAULTS['similarity']})",
    )
    parser.add_argument(
        "--margin",
        type=float,
        metavar="X",
        help="a negative's score is lower than the positive's by so much, at least (default: no such rule)",
    )


def _add_bm25(parser: StepParser) -> None:
    parser.add_argument("--k1", type=float, help=f"of BM25 (default: {DEFAULTS['k1']})")
    parser.add_argument("--b", type=float, help=f"of BM25 (default: {DEFAULTS['b']})")
    parser.add_argument(
        "--language",
        type=language_tag,
        metavar="CODE",
        help="of all texts, over what the folder says: BM25's stop words and stems, where sentences end",
    )


def _add_model(parser: StepParser) -> None:
    add_compute_options(parser, dtype=None)
    parser.add_argument("--pooling", help="mean, cls or first-decoder (default: as the model's files say)")
    parser.add_argument(
        "--batch-size",
        type=positive,
        metavar="N",
        help=f"texts of a pass (default: {DEFAULTS['batch_size']})",
    )
    parser.add_argument(
        "--index",
        choices=INDEXES,
        help=f"what finds a model's nearest pages; both are exact (default: {DEFAULTS['index']})",
    )


def idle_options(args: argparse.Namespace, forms: Collection[str]) -> Iterator[str]:
    """Yields a line for each option that was given and has no part in the run.

    Args:
        args: of the command line; None for what it does not say.
        forms: of the documents.
    """
    idle = _MODEL_DEFAULTS if args.miner == BM25 else {"k1": None, "b": None}
    for name, default in idle.items():
        if getattr(args, name) != default:
            yield f"--{name.replace('_', '-')} has no part in --from {args.miner}"
    if args.passage_words is not None and PASSAGES not in forms:
        yield f"--passage-words has no part in negatives that are a page's {' or '.join(forms)}"


def negative_options(
    args: argparse.Namespace, form: str, passage_words: int, language: str | None
) -> NegativeOptions:
    """The options of a task, which check themselves.

    Args:
        args: from `chosen_options`.
        form: of its documents, where these do not say.
        passage_words: of its passages, where these do not say.
        language: of the folder.

    Raises:
        UsageError: a value is out of its range.
    """
    model = None
    if args.miner != BM25:
        model = MinerModel(
            _model_path(args.miner),
            args.pooling,
            args.batch_size,
            args.index,
            **asked_place(args),
        )
    return NegativeOptions(
        model,
        BM25Options(args.k1, args.b),
        args.document or form,
        args.passage_words or passage_words,
        args.depth,
        args.keep or kept_of(args.miner, args.negatives),
        args.negatives,
        args.similarity,
        args.margin,
        args.language or language,
    )


def _model_path(name: str) -> str:
    """A model's folder as workers find it, for they may stand elsewhere; another name as it is.

    Default is the model of the package, whatever folder is called so here.
    """
    if not name.strip():
        raise UsageError("--from: names nothing; give bm25, a model folder, or an id of the Hugging Face hub")
    return str(Path(name).absolute()) if name != DEFAULT and Path(name).exists() else name
