"""Two sets of words drawn for one document, and which of them is the more likely (PROP, section 3.2)."""

from __future__ import annotations

from typing import NamedTuple

EQUAL_SETS = "equal_sets"  # the same words in both
EQUAL_SCORES = "equal_scores"  # neither set is likelier


class WordSet(NamedTuple):
    """Words drawn for a document.

    Attributes:
        terms: each word with its weight, in the order drawn.
        score: how likely the set is; only to be compared with others of the document.
    """

    terms: list[tuple[str, float]]
    score: float


class SetPair(NamedTuple):
    """A preference between two sets of words of one document."""

    likelier: WordSet
    other: WordSet


def prefer(first: WordSet, second: WordSet) -> SetPair | str:
    """Puts the likelier of two sets first; a reason where there is none."""
    if sorted(first.terms) == sorted(second.terms):
        return EQUAL_SETS
    if first.score == second.score:
        return EQUAL_SCORES
    return SetPair(first, second) if first.score > second.score else SetPair(second, first)
