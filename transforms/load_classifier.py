"""Loads the query classifier in a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anchormine.filters.classifier_options import ClassifierOptions

if TYPE_CHECKING:
    from anchormine.filters.query_classifier import QueryClassifier


def load_classifier(options: ClassifierOptions) -> QueryClassifier:
    """The query classifier of a run; a process loads it only once.

    On the CPU torch gets one thread, see `take_one_thread`.
    """
    from anchormine.filters.query_classifier import shared_classifier
    from anchormine.torch_threads import take_one_thread

    take_one_thread()
    return shared_classifier(options)
