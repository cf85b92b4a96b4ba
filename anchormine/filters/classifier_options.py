"""Which query classifier a run uses, and where it computes."""

from __future__ import annotations

from dataclasses import dataclass

from anchormine.classifier import classifier_path
from anchormine.errors import UsageError
from anchormine.filters.query_threshold import KEEP_SHARE
from anchormine.model_place import ModelPlace

NO_CLASSIFIER = "none"


@dataclass(frozen=True)
class ClassifierOptions(ModelPlace):
    """A query classifier, and where it computes.

    Attributes:
        model: "default", a folder, or an id of the hub.
        keep_share: of the distinct texts, how many are kept.
    """

    model: str
    keep_share: float = KEEP_SHARE

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.keep_share <= 1:
            raise UsageError(f"--keep-share {self.keep_share}: give a share above 0 and up to 1")

    @property
    def path(self) -> str:
        """Where the model is loaded from."""
        return classifier_path(self.model)
