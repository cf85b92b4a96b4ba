"""How the time of a function grows with its input."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable

LINEAR = 24  # for eight times the input: 8 is linear, 64 quadratic, and a busy machine is far from either
_SHORT, _LONG = 1250, 10_000
_UNMEASURED = 0.02  # seconds that are too few to be measured well


def growth_of(read: Callable[[int], object], most_runs: int = 15) -> float:
    """CPU seconds for 10,000 pieces over those for 1,250: 8 where time is linear.

    The best of several runs each: a busy machine takes longer now and then, but never less.

    Args:
        read: makes an input of so many pieces, and reads it.
        most_runs: how often each is read at most.
    """
    short = long = math.inf
    for runs in range(most_runs):
        short, long = min(short, _seconds(read, _SHORT)), min(long, _seconds(read, _LONG))
        if runs >= 1 and long <= max(LINEAR * short, _UNMEASURED):
            return min(long / short, LINEAR)
    return long / short


def _seconds(read: Callable[[int], object], pieces: int) -> float:
    gc.disable()  # it looks through all that the process holds, now and then
    started = time.process_time()
    read(pieces)
    taken = time.process_time() - started
    gc.enable()
    return taken
