"""The numbers of sections, as they stand before the entries of tables of contents: "1", "1.1", "1.2", "2"."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

_NUMBER: Final = re.compile(r"\d{1,3}(?:\.\d{1,3})*\.?")
_ZERO: Final = re.compile(r"(?:^|\.)0\d")  # which parts of times and dates often begin with


def is_section_number(text: str) -> bool:
    """Tells whether a text may be such a number, with or without a stop at the end."""
    return _NUMBER.fullmatch(text) is not None


def section_number_length(text: str) -> int:
    """Returns how long the number is that a text begins with, and the space behind it; 0 for none."""
    number = _NUMBER.match(text)
    return number.end() + 1 if number and text.startswith(" ", number.end()) else 0


def are_of_sections(texts: Sequence[str], may_be_whole: bool) -> bool:
    """Tells whether such numbers, one or more, are those of sections in their order.

    Each is the next of its level, or the first that ends in 1, or in 0 behind the next whole number ("2.0").

    Args:
        texts: of the numbers.
        may_be_whole: whether all may be whole; else these are ranks.
    """
    if any(map(_ZERO.search, texts)):
        return False
    numbers = [tuple(map(int, text.rstrip(".").split("."))) for text in texts]
    seen = {numbers[0]}
    for before, number in pairwise(numbers):
        level = len(number)
        is_next = level <= len(before) and number == (*before[: level - 1], before[level - 1] + 1)
        is_first = number == (1,) or (number[-1] == 1 and number not in seen)
        if not is_next and not is_first and number != (before[0] + 1, 0):
            return False
        seen.add(number)
    return may_be_whole or max(map(len, numbers)) > 1
