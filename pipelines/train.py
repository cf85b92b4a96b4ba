"""`anchormine train`: encoders on page texts or pairs, rankers on pairs or judgements, a query classifier."""

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from anchormine.errors import UsageError
from anchormine.evaluation.bm25 import BM25Options
from anchormine.pipelines import train_arguments
from anchormine.pipelines.extras import require
from anchormine.pipelines.fields import read_fields
from anchormine.pipelines.options import StepParser
from anchormine.training.classifier_options import ClassifierTraining
from anchormine.training.contrastive_options import ContrastiveOptions
from anchormine.training.options import (
    EncoderOptions,
    MixOptions,
    NegativeOptions,
    PretrainOptions,
    RerankOptions,
)
from anchormine.training.settings import Settings


def add_arguments(parser: StepParser) -> None:
    """Adds the kinds of training and their options."""
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", parser_class=StepParser, required=True)
    for name, kind in _KINDS.items():
        of_kind = kinds.add_parser(name, help=kind.help)
        kind.add_arguments(of_kind)
        train_arguments.add_common(of_kind, name, **kind.defaults)
        of_kind.set_defaults(read_options=kind.read_options, train=kind.train)


def check(args: argparse.Namespace) -> None:
    """Makes sure of what can be told without the data and the model.

    Raises:
        UsageError: an option is out of its range, or the queries or listed anchors of a classifier are none.
    """
    options = args.read_options(args)
    read_fields(Settings, args, output=args.output or _model_folder(args))
    if isinstance(options, ClassifierTraining):
        _check_lists(options)


def _check_lists(options: ClassifierTraining) -> None:
    from anchormine.training.classifier_data import positive_queries
    from anchormine.training.negative_anchors import is_list, negative_anchors

    if all(map(_is_stored, options.positives)):
        positive_queries(options)
    if _is_stored(options.negatives_from) and is_list(options.negatives_from):
        negative_anchors(options.negatives_from)


def _is_stored(path: str) -> bool:
    """Whether a path can be read twice, as a pipe cannot."""
    return Path(path).is_file() or Path(path).is_dir()


def run(args: argparse.Namespace) -> int:
    """Trains one model and prints its folder."""
    require(
        "anchormine train", ("torch", "transformers", "tokenizers", "safetensors", "bm25s", "ir_measures")
    )
    from anchormine.pretrained import quiet_transformers
    from anchormine.training.progress import Progress

    args.output = args.output or _model_folder(args)
    quiet_transformers()
    print(args.train(args.read_options(args), read_fields(Settings, args), Progress(args.progress)))
    return 0


def _model_folder(args: argparse.Namespace) -> str:
    """Where a model goes that was given no place.

    Raises:
        UsageError: there is none for its kind.
    """
    if args.kind not in train_arguments.IN_FOLDER:
        raise UsageError("--output is missing: the folder of the model to make")
    return train_arguments.model_folder(args.folder, args.kind)


def _pretrain_options(args: argparse.Namespace) -> PretrainOptions:
    return read_fields(PretrainOptions, args, mix=read_fields(MixOptions, args))


def _rerank_options(args: argparse.Namespace) -> RerankOptions:
    negatives = read_fields(NegativeOptions, args, bm25=read_fields(BM25Options, args))
    return read_fields(RerankOptions, args, negatives=negatives)


def _train_encoder(options: EncoderOptions, settings: Settings, progress: Any) -> Any:
    from anchormine.training.encoder_training import train_encoder

    return train_encoder(options, settings, progress)


def _pretrain(options: PretrainOptions, settings: Settings, progress: Any) -> Any:
    from anchormine.training.pretraining import pretrain

    return pretrain(options, settings, progress)


def _train_contrastive(options: ContrastiveOptions, settings: Settings, progress: Any) -> Any:
    from anchormine.training.contrastive_training import train_contrastive, validation_lines

    folder = train_contrastive(options, settings, progress)
    for line in validation_lines(folder):
        print(line)
    return folder


def _train_reranker(options: RerankOptions, settings: Settings, progress: Any) -> Any:
    from anchormine.training.reranking import train_reranker

    return train_reranker(options, settings, progress)


def _train_classifier(options: ClassifierTraining, settings: Settings, progress: Any) -> Any:
    from anchormine.training.classifier_training import held_out_doubt, held_out_line, train_classifier

    folder = train_classifier(options, settings, progress)
    print(held_out_line(folder))
    if doubt := held_out_doubt(folder):
        progress.warn(f"{folder}: {doubt}")
    return folder


class _Kind(NamedTuple):
    """A kind of training.

    Attributes:
        help: what `--help` says of it.
        add_arguments: adds its own options.
        read_options: makes them of the arguments; they check themselves.
        train: takes them, settings and progress; returns the model folder.
        defaults: where they are not those of `Settings`.
    """

    help: str
    add_arguments: Callable[[StepParser], None]
    read_options: Callable[[argparse.Namespace], Any]
    train: Callable[[Any, Settings, Any], Any]
    defaults: dict[str, Any]


_KINDS = {
    "encoder": _Kind(
        "a small BERT from scratch, on the text of a folder's pages",
        train_arguments.add_encoder,
        partial(read_fields, EncoderOptions),
        _train_encoder,
        {"epochs": 10, "batch_size": 64},
    ),
    "pretrain": _Kind(
        "a cross-encoder on a folder's pairs (HARP, PROP)",
        train_arguments.add_pretrain,
        _pretrain_options,
        _pretrain,
        {"epochs": 1, "gradient_accumulation": 4},
    ),
    "contrastive": _Kind(
        "a dual encoder on a folder's pairs or mined negatives (Anchor-DR)",
        train_arguments.add_contrastive,
        partial(read_fields, ContrastiveOptions),
        _train_contrastive,
        {"batch_size": 128},
    ),
    "rerank": _Kind(
        "a cross-encoder on a collection's judgements",
        train_arguments.add_rerank,
        _rerank_options,
        _train_reranker,
        {"epochs": 2, "gradient_accumulation": 4},
    ),
    "classifier": _Kind(
        "what tells queries from other anchors (Anchor-DR)",
        train_arguments.add_classifier,
        partial(read_fields, ClassifierTraining),
        _train_classifier,
        {"epochs": 3, "batch_size": 8},
    ),
}
