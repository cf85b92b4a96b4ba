"""What the training of a dual encoder can be told; no torch is needed to read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anchormine.errors import UsageError
from anchormine.training.settings import check_choice, check_range

SOURCES = ("auto", "contrastive", "pairs")
POOLING_CHOICES = ("mean", "cls", "first-decoder")  # a folder may say another one of `pooling.POOLINGS`
SIMILARITIES = ("dot", "cosine")
# Anchor-DR's dot products are not divided (SIGIR 2023, section 4). Cosines are at most 1, so that nothing
# would be learnt from them as they are: 0.05 is sentence-transformers' (a scale of 20) and SimCSE's.
TEMPERATURES = {"dot": 1.0, "cosine": 0.05}


@dataclass(frozen=True)
class ContrastiveOptions:
    """What to learn; the defaults are Anchor-DR's (SIGIR 2023, section 4).

    Attributes:
        folder: a dataset folder with pairs.
        tasks: names, such as "anchor_document".
        encoder: the model to start from, a folder or an id of the hub.
        source: one of `SOURCES`: pairs with mined negatives, pairs as they are, or the former where they are.
        pooling: one of `POOLING_CHOICES`; None for the model's own.
        similarity: one of `SIMILARITIES`; None for the model's own.
        temperature: that similarities are divided by; None for the similarity's in `TEMPERATURES`.
        negatives: of each query, at most; those of all queries of a batch are scored by each.
        query_length: tokens of a query, special ones among them.
        document_length: tokens of a document.
        window: pairs that wait to be shuffled, in memory.
        lr_scale: the rate is multiplied by it; Anchor-DR's second epoch has 0.6.
        held_out: pairs of held-out destinations that are validated on, at most; 0 leaves it out.
        licence: for the model card.
    """

    folder: str
    tasks: Sequence[str]
    encoder: str
    source: str = "auto"
    pooling: str | None = None
    similarity: str | None = None
    temperature: float | None = None
    negatives: int = 7
    query_length: int = 64
    document_length: int = 128
    window: int = 10_000
    lr_scale: float = 1.0
    held_out: int = 10_000
    licence: str | None = None

    def __post_init__(self) -> None:
        check_choice("source", self.source, SOURCES)
        if self.pooling is not None:
            check_choice("pooling", self.pooling, POOLING_CHOICES)
        if self.similarity is not None:
            check_choice("similarity", self.similarity, SIMILARITIES)
        if self.temperature is not None and not 0 < self.temperature < float("inf"):
            raise UsageError(f"--temperature {self.temperature}: must be above 0")
        check_range("negatives", self.negatives, 0)
        check_range("window", self.window, 1)
        check_range("lr_scale", self.lr_scale, 0.0)
        check_range("held_out", self.held_out, 0)

    def chosen_temperature(self, similarity: str) -> float:
        """The temperature that is trained with.

        Args:
            similarity: that is trained with.
        """
        return TEMPERATURES[similarity] if self.temperature is None else self.temperature
