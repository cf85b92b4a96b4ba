"""Loads what weighs terms in a worker."""

from anchormine.sampling.tfidf import DocumentFrequencies
from anchormine.sampling.weighers import WeighingOptions, make_weigher
from anchormine.sampling.weights import Weigher


def load_weigher(options: WeighingOptions, frequencies: DocumentFrequencies | None) -> Weigher:
    """Makes the weigher of a run; a process loads its encoder only once.

    On the CPU torch gets one thread, see `take_one_thread`.

    Args:
        options: of the run.
        frequencies: of the corpus's leads.
    """
    if options.weights == "attention":
        from anchormine.torch_threads import take_one_thread

        take_one_thread()
    return make_weigher(options, frequencies)
