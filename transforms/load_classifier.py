"""Loads the query classifier in a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anchormine.filters.classifier_options import ClassifierOptions

if TYPE_CHECKING:
    from anchormine.filters.query_classifier import QueryClassifier


def load_classifier(options: ClassifierOptions) -> QueryClassifier:
    """The query classifier of a run; a process loads it only once.

    On the CPU torch gets one thread: the workers are the threads, and sums come out alike on any number of
    them.
    """
    from anchormine.compute import take_one_thread
    from anchormine.filters.query_classifier import shared_classifier

    take_one_thread()
    return shared_classifier(options)
