"""Whether counts follow a distribution."""

from __future__ import annotations

import math
from collections.abc import Mapping


def chi_square_chance(counts: Mapping, chances: Mapping) -> float:
    """The probability of counts as far from a distribution, or farther, were they drawn from it.

    By Wilson and Hilferty's approximation of the chi-square distribution; every outcome is to be expected
    five times and more.
    """
    assert set(counts) <= set(chances)
    total = sum(counts.values())
    expected = {key: total * chance for key, chance in chances.items() if chance}
    assert math.isclose(sum(chances.values()), 1)
    assert min(expected.values()) >= 5
    statistic = sum((counts.get(key, 0) - number) ** 2 / number for key, number in expected.items())
    freedom = len(expected) - 1
    spread = 2 / (9 * freedom)
    distance = ((statistic / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return 0.5 * math.erfc(distance / math.sqrt(2))
