"""The options of `anchormine train`, kind by kind."""

from typing import Any

from anchormine.encoder import DEFAULT
from anchormine.evaluation.bm25 import BM25Options
from anchormine.evaluation.terms import LANGUAGES
from anchormine.filters.cleaning import PROFILES
from anchormine.pipelines.fields import add_fields
from anchormine.pipelines.options import StepParser
from anchormine.training.classifier_options import ClassifierTraining
from anchormine.training.contrastive_options import POOLING_CHOICES, SIMILARITIES, SOURCES, ContrastiveOptions
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
from anchormine.training.settings import DEVICES, TRAINING_DTYPES, Settings

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
IN_FOLDER = ("encoder", "pretrain", "contrastive")


def model_folder(folder: str, kind: str) -> str:
    """Where in a dataset folder a model of a kind goes that was given no place."""
    return f"{folder.rstrip('/')}/models/{kind}"


def add_encoder(parser: StepParser) -> None:
    """Adds what is asked of `train encoder` alone."""
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
    parser.add_argument(
        "--store", choices=STORED, default="float32", help="type of the stored weights (default: %(default)s)"
    )


def add_pretrain(parser: StepParser) -> None:
    """Adds what is asked of `train pretrain` alone."""
    parser.add_argument("folder", metavar="DIR", help="a dataset folder with pairs")
    parser.add_argument(
        "--init",
        metavar="MODEL",
        default=DEFAULT,
        help="the model to start from: a folder, an id, or default, the small one in the package",
    )
    parser.add_argument(
        "--task",
        dest="tasks",
        nargs="+",
        metavar="TASK",
        help="such as rqp qdm rdp acm (default: all with a negative side)",
    )
    parser.add_argument(
        "--loss",
        choices=PRETRAIN_LOSSES,
        default=PretrainOptions.loss,
        help="of a pair (default: %(default)s)",
    )
    texts = {
        "length": "tokens of a sequence",
        "mlm_weight": "of the masked language model's loss; 0 leaves it out",
    }
    add_fields(parser, PretrainOptions, texts)
    parser.add_argument(
        "--mix", choices=MIXES, default=MixOptions.mix, help="how the tasks are mixed (default: %(default)s)"
    )
    add_fields(parser, MixOptions, {"window": "pairs that wait to be shuffled"})


def add_contrastive(parser: StepParser) -> None:
    """Adds what is asked of `train contrastive` alone."""
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
        choices=POOLING_CHOICES,
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


def add_rerank(parser: StepParser) -> None:
    """Adds what is asked of `train rerank` alone."""
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
    parser.add_argument(
        "--language",
        choices=LANGUAGES,
        default="en",
        help="stop words and stemmer of BM25 (default: %(default)s)",
    )


def add_classifier(parser: StepParser) -> None:
    """Adds what is asked of `train classifier` alone."""
    parser.add_argument(
        "--positives",
        nargs="+",
        metavar="FILE",
        required=True,
        help="files of queries, one a line; an id may stand before each; or JSON lines, or TREC's topics",
    )
    parser.add_argument(
        "--negatives-from",
        metavar="DIR",
        required=True,
        help="a dataset folder, for its anchors; or a file of anchors, one a line",
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
    parser.add_argument(
        "--store", choices=STORED, default="float32", help="type of the stored weights (default: %(default)s)"
    )


def add_common(parser: StepParser, kind: str, **defaults: Any) -> None:
    """Adds what every kind of training takes.

    Args:
        parser: of the kind.
        kind: its name.
        defaults: of this kind, where they are not those of `Settings`.
    """
    place = f" (default: models/{kind} in DIR)" if kind in IN_FOLDER else "; to be given"
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
    parser.add_argument("--device", choices=DEVICES, default="auto", help="(default: %(default)s)")
    parser.add_argument(
        "--dtype",
        choices=TRAINING_DTYPES,
        default="float32",
        help="of the products; weights are float32 (default: %(default)s)",
    )
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument("--overwrite", action="store_true", help="replace a model that is there")
    parser.add_argument("--licence", help="of the weights, for the model card")
    parser.add_argument(
        "--progress", choices=MODES, default="auto", help="on standard error (default: %(default)s)"
    )
    parser.add_argument("--config", metavar="FILE", help="options from a TOML file; flags win")
    parser.set_defaults(**defaults)
