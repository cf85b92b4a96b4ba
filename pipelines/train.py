"""`anchormine train`: encoders on page texts or pairs, rankers on pairs or judgements, a query classifier."""

import argparse
from typing import Any

from anchormine.encoder import DEFAULT
from anchormine.errors import UsageError
from anchormine.evaluation.bm25 import BM25Options
from anchormine.evaluation.terms import LANGUAGES
from anchormine.filters.cleaning import PROFILES
from anchormine.pipelines.extras import require
from anchormine.pipelines.fields import add_fields, read_fields
from anchormine.pipelines.options import StepParser
from anchormine.training.classifier_options import ClassifierTraining
from anchormine.training.contrastive_options import POOLINGS, SIMILARITIES, SOURCES, ContrastiveOptions
from anchormine.training.learning_rate import BERT_WIDTH, RATES
from anchormine.training.options import (
    MIXES,
    PRETRAIN_LOSSES,
    RERANK_LOSSES,
    STORED,
    EncoderOptions,
    MixOptions,
    NegativeOptions,
    PretrainOptions,
    RerankOptions,
)
from anchormine.training.progress import MODES
from anchormine.training.settings import DEVICES, DTYPES, Settings

COMMON = {
    "epochs": "passes over the data",
    "batch_size": "examples of a forward pass",
    "gradient_accumulation": "forward passes of a step",
    "warmup": "part of the steps in which the rate rises; then it falls to 0",
    "weight_decay": "of AdamW",
    "seed": "of all that is drawn",
    "log_every": "steps between lines of train_log.jsonl; the first and the last step have one, too",
    "save_every": "steps between checkpoints",
}

# Made of a dataset folder, which has a place for them
_IN_FOLDER = ("encoder", "pretrain", "contrastive")


def add_arguments(parser: StepParser) -> None:
    """Adds the kinds of training and their options."""
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", parser_class=StepParser, required=True)
    _add_encoder(
        kinds.add_parser("encoder", help="a small BERT from scratch, on the text of a folder's pages")
    )
    _add_pretrain(kinds.add_parser("pretrain", help="a cross-encoder on a folder's pairs (HARP)"))
    _add_contrastive(
        kinds.add_parser(
            "contrastive", help="a dual encoder on a folder's pairs or mined negatives (Anchor-DR)"
        )
    )
    _add_rerank(kinds.add_parser("rerank", help="a cross-encoder on a collection's judgements"))
    _add_classifier(kinds.add_parser("classifier", help="what tells queries from other anchors (Anchor-DR)"))


def run(args: argparse.Namespace) -> int:
    """Trains one model and prints its folder."""
    require(
        "anchormine train", ("torch", "transformers", "tokenizers", "safetensors", "bm25s", "ir_measures")
    )
    from anchormine.training.models import quiet_transformers
    from anchormine.training.progress import Progress

    args.output = args.output or _model_folder(args)
    quiet_transformers()
    print(args.train(args, read_fields(Settings, args), Progress(args.progress)))
    return 0


def _model_folder(args: argparse.Namespace) -> str:
    """Where a model goes that was given no place: into the folder it is made of."""
    if args.kind not in _IN_FOLDER:
        raise UsageError("--output is missing: the folder of the model to make")
    return f"{args.folder.rstrip('/')}/models/{args.kind}"


def _add_encoder(parser: StepParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="a dataset folder with pages")
    parser.add_argument(
        "--init", metavar="MODEL", help="go on from this model; it brings tokenizer and shape"
    )
    texts = {
        "vocab_size": "pieces of the tokenizer",
        "hidden": "width",
        "layers": "number of layers",
        "heads": "heads of attention in a layer",
        "positions": "tokens of the longest input the model will take",
        "length": "tokens of a training sequence",
        "dropout": "in all layers",
        "cls_weight": "of guessing the hidden words from [CLS] alone, which gives its attention a purpose",
        "window": "sequences that wait to be shuffled",
        "known_positions": "of --init, if trained on short sequences: the others start as their repeats",
    }
    add_fields(parser, EncoderOptions, texts)
    parser.add_argument("--store", choices=STORED, default="float32", help="type of the stored weights")
    _add_common(parser, "encoder", _train_encoder, epochs=10, batch_size=64)


def _add_pretrain(parser: StepParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="a dataset folder with pairs")
    parser.add_argument(
        "--init",
        metavar="MODEL",
        default=DEFAULT,
        help="the model to start from: a folder, an id, or default, the small one in the package",
    )
    parser.add_argument(
        "--task", dest="tasks", nargs="+", metavar="TASK", help="such as rqp qdm rdp acm (default: all)"
    )
    parser.add_argument("--loss", choices=PRETRAIN_LOSSES, default=PretrainOptions.loss)
    texts = {
        "length": "tokens of a sequence",
        "mlm_weight": "of the masked language model's loss; 0 leaves it out",
    }
    add_fields(parser, PretrainOptions, texts)
    parser.add_argument("--mix", choices=MIXES, default=MixOptions.mix, help="how the tasks are mixed")
    add_fields(parser, MixOptions, {"window": "pairs that wait to be shuffled"})
    _add_common(parser, "pretrain", _pretrain, epochs=1, gradient_accumulation=4)


def _add_contrastive(parser: StepParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="a dataset folder with pairs")
    parser.add_argument(
        "--task",
        dest="tasks",
        nargs="+",
        metavar="TASK",
        required=True,
        help="such as anchor_document ict bfs wlp codoc",
    )
    parser.add_argument(
        "--source",
        choices=SOURCES,
        default=ContrastiveOptions.source,
        help="mined negatives, pairs alone, or auto: the former where they are (default: %(default)s)",
    )
    parser.add_argument(
        "--encoder",
        metavar="MODEL",
        default=DEFAULT,
        help="the model to start from: a folder, an id, or default, the small one in the package",
    )
    parser.add_argument(
        "--pooling",
        choices=POOLINGS,
        help="default: the model's own; of a plain one mean, of T5 first-decoder",
    )
    parser.add_argument(
        "--similarity", choices=SIMILARITIES, help="default: the model's own; of a plain one dot"
    )
    parser.add_argument(
        "--temperature", type=float, metavar="N", help="that it is divided by (default: 1, of cosine 0.05)"
    )
    texts = {
        "negatives": "mined ones of each query, at most",
        "query_length": "tokens of a query",
        "document_length": "tokens of a document",
        "window": "pairs that wait to be shuffled",
        "lr_scale": "the rate is multiplied by it",
        "held_out": "pairs of held-out destinations to validate on, at most",
    }
    add_fields(parser, ContrastiveOptions, texts)
    _add_common(parser, "contrastive", _train_contrastive, batch_size=128)


def _add_rerank(parser: StepParser) -> None:
    parser.add_argument("--collection", metavar="DIR", required=True, help="a collection in BEIR layout")
    parser.add_argument(
        "--init",
        metavar="MODEL",
        default=DEFAULT,
        help="the model to start from: a folder, an id, or default, the small one in the package",
    )
    parser.add_argument("--loss", choices=RERANK_LOSSES, help="default: pointwise, and hinge with --mqp")
    texts = {
        "split": "whose judgements are learnt",
        "length": "tokens of a sequence",
        "mqp": "weight of masked query prediction (SJTF's alpha)",
    }
    add_fields(parser, RerankOptions, texts)
    texts = {
        "top_k": "negatives are among BM25's best so many",
        "negatives": "of each relevant document and epoch",
    }
    add_fields(parser, NegativeOptions, texts)
    add_fields(parser, BM25Options, {"k1": "of BM25", "b": "of BM25"})
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="stop words and stemmer of BM25")
    _add_common(parser, "rerank", _train_reranker, epochs=2, gradient_accumulation=4)


def _add_classifier(parser: StepParser) -> None:
    parser.add_argument(
        "--positives", metavar="FILE", required=True, help="queries, one a line; an id may stand before each"
    )
    parser.add_argument(
        "--negatives-from", metavar="DIR", required=True, help="a dataset folder, for its anchors"
    )
    parser.add_argument(
        "--negatives", type=int, metavar="N", help="how many anchors (default: as many as queries)"
    )
    parser.add_argument(
        "--init",
        metavar="MODEL",
        default=DEFAULT,
        help="the model to start from: a folder, an id, or default, the small one in the package",
    )
    parser.add_argument(
        "--cleaning",
        choices=list(PROFILES),
        default=ClassifierTraining.cleaning,
        help="of both: that of the rules before it (default: %(default)s)",
    )
    parser.add_argument("--store", choices=STORED, default="float32", help="type of the stored weights")
    _add_common(parser, "classifier", _train_classifier, epochs=3, batch_size=8)


def _add_common(parser: StepParser, kind: str, train: Any, **defaults: Any) -> None:
    place = f" (default: models/{kind} in DIR)" if kind in _IN_FOLDER else ""
    parser.add_argument("--output", metavar="DIR", help=f"the model folder to make{place}")
    parser.add_argument(
        "--max-steps", type=int, metavar="N", help="stop after so many steps, whatever --epochs says"
    )
    parser.add_argument(
        "--lr",
        type=float,
        metavar="N",
        help=f"highest learning rate (default: {RATES[kind]:g} x {BERT_WIDTH} / the model's width)",
    )
    add_fields(parser, Settings, COMMON)
    parser.add_argument("--device", choices=DEVICES, default="auto")
    parser.add_argument(
        "--dtype", choices=DTYPES, default="float32", help="of the products; weights are float32"
    )
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument("--overwrite", action="store_true", help="replace a model that is there")
    parser.add_argument("--licence", help="of the weights, for the model card")
    parser.add_argument("--progress", choices=MODES, default="auto", help="on standard error")
    parser.add_argument("--config", metavar="FILE", help="options from a TOML file; flags win")
    parser.set_defaults(train=train, **defaults)


def _train_encoder(args: argparse.Namespace, settings: Settings, progress: Any) -> Any:
    from anchormine.training.encoder_training import train_encoder

    return train_encoder(read_fields(EncoderOptions, args), settings, progress)


def _pretrain(args: argparse.Namespace, settings: Settings, progress: Any) -> Any:
    from anchormine.training.pretraining import pretrain

    return pretrain(read_fields(PretrainOptions, args, mix=read_fields(MixOptions, args)), settings, progress)


def _train_contrastive(args: argparse.Namespace, settings: Settings, progress: Any) -> Any:
    from anchormine.training.contrastive_training import train_contrastive, validation_lines

    folder = train_contrastive(read_fields(ContrastiveOptions, args), settings, progress)
    for line in validation_lines(folder):
        print(line)
    return folder


def _train_reranker(args: argparse.Namespace, settings: Settings, progress: Any) -> Any:
    from anchormine.training.reranking import train_reranker

    negatives = read_fields(NegativeOptions, args, bm25=read_fields(BM25Options, args))
    return train_reranker(read_fields(RerankOptions, args, negatives=negatives), settings, progress)


def _train_classifier(args: argparse.Namespace, settings: Settings, progress: Any) -> Any:
    from anchormine.training.classifier_training import held_out_line, train_classifier

    folder = train_classifier(read_fields(ClassifierTraining, args), settings, progress)
    print(held_out_line(folder))
    return folder
