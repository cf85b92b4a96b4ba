"""The pseudo query of an anchor: l terms drawn from a text, then the anchor's words (HARP section 3.2).

As a string it is the terms in the order drawn, then the anchor, all lower-cased and joined by single spaces:
"russia miners alaskan territory". The anchor is lower-cased like the terms, or a cased model would tell the
queries with an anchor from those without by their capitals.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from anchormine.sampling.draws import DrawnTerm, draw_length, draw_terms
from anchormine.sampling.profiles import WeightProfile
from anchormine.sampling.weights import SpanWeights, TermWeights

NO_TERMS = "no_terms"  # the text has stop words only
# Marks of the tokenizers of BERT ("##ing") and of RoBERTa, XLM-R and T5 ("Ġthe", "▁the")
_PIECE_MARKS = ("##", "Ġ", "▁")


class Query(NamedTuple):
    """A pseudo query: its string, and the terms that were drawn for it with their probabilities."""

    text: str
    terms: list[DrawnTerm]


def anchor_query(
    anchor_id: str, anchor: str, weights: SpanWeights, profile: WeightProfile, seed: int
) -> Query | str:
    """Draws RQP's positive query, which is also QDM's.

    Args:
        anchor_id: the occurrence; the draw hangs on it.
        anchor: the text as shown.
        weights: of the anchor's sentence relative to the anchor.
        profile: how to draw.
        seed: of the run.

    Returns:
        The query, or the reason why the anchor has no weights, or `NO_TERMS`.
    """
    if weights.terms is None:
        return weights.reason or NO_TERMS
    count = draw_length(profile, seed, anchor_id, "length")
    return draw_query(weights.terms, count, profile, seed, anchor_id, "terms", anchor=anchor)


def draw_query(
    weights: TermWeights,
    count: int,
    profile: WeightProfile,
    seed: int,
    *parts: str,
    anchor: str = "",
    exclude: Collection[str] = (),
) -> Query | str:
    """Draws `count` terms and writes them before an anchor; `NO_TERMS` where there is none to draw."""
    terms = draw_terms(weights, count, profile, seed, *parts, exclude=exclude)
    if not terms:
        return NO_TERMS
    words = [_without_mark(term) if profile.unit == "pieces" else term for term, _ in terms]
    return Query(" ".join([*words, *anchor.lower().split()]), terms)


def anchor_words(query: str, terms: int) -> str:
    """The anchor at the end of a query, lower-cased, with single spaces.

    Args:
        query: as `draw_query` writes it.
        terms: how many were drawn for it.
    """
    return " ".join(query.split(" ")[terms:])


def _without_mark(piece: str) -> str:
    """The letters of a piece: a model that reads the query again would take the mark for characters."""
    for mark in _PIECE_MARKS:
        if piece.startswith(mark) and piece != mark:
            return piece[len(mark) :]
    return piece
