"""What an evaluation can be told; no torch is needed to read it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from anchormine.errors import UsageError
from anchormine.evaluation.bm25 import BM25Options
from anchormine.evaluation.measures import DEFAULT_MEASURES
from anchormine.evaluation.ql import QLOptions
from anchormine.training.settings import DEVICES, TRAINING_DTYPES, check_choice, check_range


@dataclass(frozen=True)
class RerankerOptions:
    """How models are run.

    Attributes:
        top_k: how many of BM25's documents a model orders.
        length: tokens of a sequence, or of a dual encoder's documents; None for what a cross-encoder takes,
            512 at most, or what a dual encoder was trained with.
        batch_size: sequences of a forward pass.
        device: one of `DEVICES`.
        dtype: one of `TRAINING_DTYPES`.
    """

    top_k: int = 100
    length: int | None = None
    batch_size: int = 32
    device: str = "auto"
    dtype: str = "float32"

    def __post_init__(self) -> None:
        check_range("top_k", self.top_k, 1)
        check_range("length", self.length, 1)
        check_range("batch_size", self.batch_size, 1)
        check_choice("device", self.device, DEVICES)
        check_choice("dtype", self.dtype, TRAINING_DTYPES)


@dataclass(frozen=True)
class EvaluationOptions:
    """What is measured, on what.

    Attributes:
        collection: a folder in BEIR layout.
        systems: "bm25", "ql", or a model: a folder or an id of the hub.
        split: whose judgements are used.
        measures: names that ir_measures knows.
        depth: documents of a run file, but for those of re-rankers.
        output: the folder of the run files.
        language: of stop words and stemming.
        bm25: constants.
        ql: constants.
        reranker: how models are run.
        pooling: makes plain models dual encoders, and wins over what the files of these say.
    """

    collection: str
    systems: Sequence[str]
    split: str = "test"
    measures: Sequence[str] = DEFAULT_MEASURES
    depth: int = 1000
    output: str = "runs"
    language: str = "en"
    bm25: BM25Options = field(default_factory=BM25Options)
    ql: QLOptions = field(default_factory=QLOptions)
    reranker: RerankerOptions = RerankerOptions()
    pooling: str | None = None

    def __post_init__(self) -> None:
        check_range("depth", self.depth, 1)
        if not self.systems:
            raise UsageError("no system to evaluate; name bm25, ql or a model folder")
        repeated = sorted({system for system in self.systems if list(self.systems).count(system) > 1})
        if repeated:
            raise UsageError(f"{repeated[0]}: named twice; each system is evaluated once")
