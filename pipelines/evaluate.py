"""`anchormine evaluate`: BM25, query likelihood and models on a collection; a table, run files, JSON."""

import argparse
import json

from anchormine.evaluation.bm25 import BM25Options
from anchormine.evaluation.measures import DEFAULT_MEASURES
from anchormine.evaluation.options import EvaluationOptions, RerankerOptions
from anchormine.evaluation.ql import QLOptions
from anchormine.evaluation.terms import LANGUAGES
from anchormine.pipelines.extras import require
from anchormine.pipelines.fields import add_fields, read_fields
from anchormine.pipelines.options import StepParser
from anchormine.training.contrastive_options import POOLING_CHOICES
from anchormine.training.progress import MODES, Progress
from anchormine.training.settings import DEVICES, TRAINING_DTYPES


def add_arguments(parser: StepParser) -> None:
    """Adds systems and options."""
    parser.add_argument(
        "systems",
        nargs="+",
        metavar="SYSTEM",
        help="bm25, ql, a dual encoder, or a model that re-ranks BM25's best",
    )
    parser.add_argument("--collection", metavar="DIR", required=True, help="a collection in BEIR layout")
    parser.add_argument(
        "--measures",
        nargs="+",
        metavar="NAME",
        default=DEFAULT_MEASURES,
        help=f"as ir_measures writes (default: {' '.join(DEFAULT_MEASURES)})",
    )
    texts = {"split": "whose judgements are used", "depth": "documents in run files, but for re-rankers'"}
    add_fields(parser, EvaluationOptions, texts)
    parser.add_argument(
        "--language",
        choices=LANGUAGES,
        default="en",
        help="stop words and stemmer of bm25 and ql (default: %(default)s)",
    )
    add_fields(parser, BM25Options, {"k1": "of BM25", "b": "of BM25"})
    add_fields(parser, QLOptions, {"mu": "of QL's smoothing, in terms"})
    texts = {
        "top_k": "how many of BM25's documents a cross-encoder orders",
        "batch_size": "sequences of a forward pass",
    }
    add_fields(parser, RerankerOptions, texts)
    _add_models(parser)
    parser.add_argument(
        "--output",
        "--run-folder",
        metavar="DIR",
        default="runs",
        help="folder of the run files (default %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print the scores as JSON")
    parser.add_argument(
        "--progress", choices=MODES, default="auto", help="on standard error (default: %(default)s)"
    )
    parser.add_argument("--config", metavar="FILE", help="options from a TOML file; flags win")


def _add_models(parser: StepParser) -> None:
    """Adds how models are read."""
    parser.add_argument(
        "--length", type=int, metavar="N", help="tokens of a sequence (default: the model's, 512 at most)"
    )
    parser.add_argument(
        "--pooling",
        choices=POOLING_CHOICES,
        help="take plain models as dual encoders (default: models whose files say so)",
    )
    parser.add_argument("--device", choices=DEVICES, default="auto", help="(default: %(default)s)")
    parser.add_argument(
        "--dtype", choices=TRAINING_DTYPES, default="float32", help="of products (default: %(default)s)"
    )


def check(args: argparse.Namespace) -> None:
    """Makes sure of what can be told without the collection and the models.

    Raises:
        UsageError: an option is out of its range.
    """
    _options(args)


def run(args: argparse.Namespace) -> int:
    """Evaluates, and prints the scores."""
    from anchormine.evaluation.evaluation import evaluate
    from anchormine.evaluation.systems import LEXICAL
    from anchormine.evaluation.table import score_table

    require("anchormine evaluate", ("bm25s", "ir_measures"))
    if any(system not in LEXICAL for system in args.systems):
        require("anchormine evaluate of a model", ("torch", "transformers", "safetensors"))
        from anchormine.pretrained import quiet_transformers

        quiet_transformers()
    result = evaluate(_options(args), Progress(args.progress))
    if args.json:
        print(json.dumps(result.as_dict(), indent=1, ensure_ascii=False))
        return 0
    print(f"{result.collection}, {result.split}: {result.queries} queries\n")
    print(score_table(result))
    print("\n" + "\n".join(f"run of {system.system}: {system.run}" for system in result.systems))
    return 0


def _options(args: argparse.Namespace) -> EvaluationOptions:
    """The options, which check themselves."""
    records = {name: read_fields(record, args) for name, record in _RECORDS.items()}
    return read_fields(EvaluationOptions, args, **records)


_RECORDS = {"bm25": BM25Options, "ql": QLOptions, "reranker": RerankerOptions}
