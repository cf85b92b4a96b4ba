"""How much time a function takes, and how that grows with its input."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable
from functools import partial

LINEAR = 24  # for eight times the input: 8 is linear, 64 quadratic, and a busy machine is far from either
_TIMES = 8
_FEW, _MANY = 1250, 10_000
_UNMEASURED = 0.02  # seconds that are too few to be measured well


def growth_of(read: Callable[[int], object], max_runs: int = 15) -> float:
    """CPU seconds for eight times as many pieces over those for so many: 8 where time is linear.

    From 1,250 pieces to 10,000; where that grows too much, or takes too little time to tell, to 80,000. For a
    closer look that is taken from some size on is one step, while time that is not linear grows on.

    Args:
        read: makes an input of so many pieces, and reads it.
        max_runs: how often each is read at most.
    """
    growth, _ = _growth(read, _FEW, max_runs)
    if growth <= LINEAR:
        return growth
    further, seconds = _growth(read, _MANY, max_runs)
    if further < 1:  # so many are refused: that takes no time, and tells nothing
        return growth
    return further if seconds > _UNMEASURED else min(further, LINEAR)


def _growth(read: Callable[[int], object], pieces: int, max_runs: int) -> tuple[float, float]:
    """The growth to eight times as many pieces, and the seconds that these take.

    The best of several runs each: a busy machine takes longer now and then, but never less.
    """
    short = long = math.inf
    for runs in range(max_runs):
        short = min(short, _seconds(partial(read, pieces)))
        long = min(long, _seconds(partial(read, _TIMES * pieces)))
        if runs >= 1 and long <= max(LINEAR * short, _UNMEASURED):
            break
    return long / short, long


def least_seconds(work: Callable[[], object], enough: float, max_runs: int = 3) -> float:
    """CPU seconds of the best of some runs: no more of them once one takes as few as are enough."""
    least = math.inf
    for _ in range(max_runs):
        least = min(least, _seconds(work))
        if least < enough:
            break
    return least


def _seconds(work: Callable[[], object]) -> float:
    gc.disable()  # it looks through all that the process holds, now and then
    started = time.process_time()
    work()
    taken = time.process_time() - started
    gc.enable()
    return taken
