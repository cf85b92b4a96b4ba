"""Python's collector of cycles, which a page of ten thousand links keeps busy for nothing."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keeps the collector from running, for as long as one page takes.

    What is read of a page has no cycles, but is thousands of tuples, which the collector would look through
    again and again: a tenth of the time. Where it is off, it stays off; where several threads do this, it may
    come on again too early, but never stays off.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
