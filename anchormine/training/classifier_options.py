"""What the training of a query classifier can be told; no torch is needed to read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anchormine.filters.cleaning import PROFILES
from anchormine.training.options import STORED
from anchormine.training.settings import check_choice, check_range

MIN_TEXTS = 20  # queries and anchors: two of each are held out then
FEW = 20  # held out of one class: of fewer, a text that is misjudged moves the AUC by more than 0.05


@dataclass(frozen=True)
class ClassifierTraining:
    """What to learn.

    Attributes:
        positives: files of queries, or folders of TREC's topics.
        negatives_from: a dataset folder with anchors, or a file of them, one a line.
        negatives: how many of them, `MIN_TEXTS` or more; None for as many as there are queries.
        init: the model to start from, a folder or an id of the hub.
        cleaning: the profile by which queries and anchors are cleaned.
        store: type of the stored weights; float16 halves the file.
        licence: for the model card.
    """

    positives: Sequence[str]
    negatives_from: str
    negatives: int | None = None
    init: str = "default"
    cleaning: str = "ours"
    store: str = "float32"
    licence: str | None = None

    def __post_init__(self) -> None:
        check_range("negatives", self.negatives, MIN_TEXTS)
        check_choice("cleaning", self.cleaning, tuple(PROFILES))
        check_choice("store", self.store, STORED)

    @property
    def files(self) -> str:
        """Of the queries, as a message names them."""
        return " ".join(self.positives)
