"""Which query classifier a run uses, and where it computes."""

from __future__ import annotations

from dataclasses import dataclass

from anchormine.classifier import classifier_path
from anchormine.errors import UsageError
from anchormine.filters.query_threshold import KEEP_SHARE

NO_CLASSIFIER = "none"


@dataclass(frozen=True)
class ClassifierOptions:
    """A query classifier.

    Attributes:
        model: "default", a folder, or an id of the hub.
        keep_share: of the distinct texts, how many are kept.
        device: "auto", "cpu", "cuda" or "cuda:N".
        dtype: "auto", "float32", "bfloat16" or "float16". In float32 a GPU gives the scores that a CPU gives,
            up to their last digit, and so the same rows.
        elsewhere: whether workers are on other machines than the launcher, whose GPU tells nothing of theirs.
    """

    model: str
    keep_share: float = KEEP_SHARE
    device: str = "auto"
    dtype: str = "float32"
    elsewhere: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.keep_share <= 1:
            raise UsageError(f"--keep-share {self.keep_share}: give a share above 0 and up to 1")

    @property
    def path(self) -> str:
        """Where the model is loaded from."""
        return classifier_path(self.model)
