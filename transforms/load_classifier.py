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
    import torch

    from anchormine.filters.query_classifier import shared_classifier

    torch.set_num_threads(1)
    return shared_classifier(options)
