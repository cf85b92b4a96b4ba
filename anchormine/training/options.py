"""What each kind of training can be told; no torch is needed to read it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from anchormine.errors import UsageError
from anchormine.evaluation.bm25 import BM25Options
from anchormine.training.settings import check_choice, check_range

MIXES = ("proportional", "equal")
# names in `losses.PAIR_LOSSES`
PRETRAIN_LOSSES = ("hinge", "softmax_hinge", "pair_ce")
RERANK_LOSSES = ("pointwise", "hinge")
STORED = ("float32", "float16")


@dataclass(frozen=True)
class EncoderOptions:
    """The shape of the model, and what it reads.

    Attributes:
        folder: a dataset folder with pages.
        init: a model to go on from; it brings its tokenizer and shape. None starts from scratch.
        vocab_size: pieces of the tokenizer.
        hidden: width.
        layers: their number.
        heads: of attention, in each layer; they divide the width.
        positions: tokens of the longest input that the model will take.
        length: tokens of a training sequence.
        dropout: in all layers.
        cls_weight: of the loss of guessing the hidden words from [CLS] alone; 0 leaves it out.
        window: sequences that wait to be shuffled.
        known_positions: how many of the positions of `init` have been trained; the others start as repeats of
            these. 0 takes all as they are.
        store: type of the stored weights; float16 halves the file.
        licence: for the model card.
    """

    folder: str
    init: str | None = None
    vocab_size: int = 8000
    hidden: int = 128
    layers: int = 4
    heads: int = 4
    positions: int = 512
    length: int = 256
    dropout: float = 0.0
    cls_weight: float = 0.0
    window: int = 50_000
    known_positions: int = 0
    store: str = "float32"
    licence: str | None = None

    def __post_init__(self) -> None:
        check_range("vocab_size", self.vocab_size, 100)
        for name in ("hidden", "layers", "heads", "window"):
            check_range(name, getattr(self, name), 1)
        check_range("positions", self.positions, 32)
        check_range("length", self.length, 32, self.positions)
        check_range("dropout", self.dropout, 0.0, 0.9)
        check_range("cls_weight", self.cls_weight, 0.0)
        if self.known_positions and (self.init is None or self.known_positions < 8):
            raise UsageError(f"--known-positions {self.known_positions}: 8 or more, and with --init only")
        check_choice("store", self.store, STORED)
        if self.hidden % self.heads:
            raise UsageError(f"--heads {self.heads}: must divide --hidden, which is {self.hidden}")


@dataclass(frozen=True)
class MixOptions:
    """How the tasks' pairs are mixed.

    Attributes:
        mix: "proportional" (each pair once an epoch) or "equal" (as many of each task, small ones repeated).
        window: pairs that wait to be shuffled, in memory.
    """

    mix: str = "proportional"
    window: int = 20_000

    def __post_init__(self) -> None:
        check_choice("mix", self.mix, MIXES)
        check_range("window", self.window, 1)


@dataclass(frozen=True)
class PretrainOptions:
    """What to learn.

    Attributes:
        folder: a dataset folder with pairs.
        init: the model to start from, a folder or an id of the hub.
        tasks: names, or None for all of the folder.
        loss: a name in `PRETRAIN_LOSSES`.
        length: tokens of a sequence.
        mlm_weight: of the masked language model's loss; 0 leaves it out.
        mix: how the tasks are mixed.
        licence: for the model card.
    """

    folder: str
    init: str
    tasks: Sequence[str] | None = None
    loss: str = "hinge"
    length: int = 512
    mlm_weight: float = 1.0
    mix: MixOptions = field(default_factory=MixOptions)
    licence: str | None = None

    def __post_init__(self) -> None:
        check_choice("loss", self.loss, PRETRAIN_LOSSES)
        check_range("mlm_weight", self.mlm_weight, 0.0)


@dataclass(frozen=True)
class NegativeOptions:
    """Where negatives come from.

    Attributes:
        top_k: they are among BM25's best so many.
        negatives: of each relevant document and epoch.
        bm25: constants.
        language: of stop words and stemming.
    """

    top_k: int = 100
    negatives: int = 1
    bm25: BM25Options = field(default_factory=BM25Options)
    language: str = "en"

    def __post_init__(self) -> None:
        check_range("top_k", self.top_k, 1)
        check_range("negatives", self.negatives, 1)


@dataclass(frozen=True)
class RerankOptions:
    """What to learn.

    Attributes:
        collection: a folder in BEIR layout.
        init: the model to start from, a folder or an id of the hub.
        split: whose judgements are learnt.
        loss: a name in `RERANK_LOSSES`; None is hinge with masked query prediction, else pointwise.
        length: tokens of a sequence.
        mqp: weight of masked query prediction (SJTF's alpha); 0 leaves it out.
        negatives: where they come from.
        licence: for the model card.
    """

    collection: str
    init: str
    split: str = "train"
    loss: str | None = None
    length: int = 512
    mqp: float = 0.0
    negatives: NegativeOptions = field(default_factory=NegativeOptions)
    licence: str | None = None

    def __post_init__(self) -> None:
        check_choice("loss", self.chosen_loss, RERANK_LOSSES)
        check_range("mqp", self.mqp, 0.0)

    @property
    def chosen_loss(self) -> str:
        """The loss that is trained with: SJTF's masked query prediction stands beside the hinge."""
        return self.loss or ("hinge" if self.mqp else "pointwise")
