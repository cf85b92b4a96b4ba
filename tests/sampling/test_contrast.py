"""Contrastive weights of terms, and word sets drawn by them."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from anchormine.sampling.contrast import (
    SHARE_UNIT,
    RandomTerms,
    contrastive_chances,
    draw_contrastive_pairs,
    draw_word_sets,
    share_units,
    term_shares,
)
from anchormine.sampling.draws import uniforms
from anchormine.sampling.term_shares import ShareCounter, add_shares, mean_shares
from anchormine.sampling.weights import TermWeights
from anchormine.sampling.word_sets import EQUAL_SETS, SetPair
from tests.sampling.chi_square import chi_square_chance

PIER, MAST = ("pier", "pile", "ship"), ("mast", "ship")
ATTENTION = {PIER: [0.03, 0.01, 0.0], MAST: [0.09, 0.01]}


def shares(terms: tuple[str, ...]) -> np.ndarray:
    return term_shares(TermWeights(terms, np.array(ATTENTION[terms])))


def averaged() -> tuple[RandomTerms, dict[str, float]]:
    """The random distribution of two documents, as workers make it, and as its table says it."""
    counters = [ShareCounter(), ShareCounter()]
    for counter, terms in zip(counters, (PIER, MAST), strict=True):
        counter.add(terms, share_units(shares(terms)))
    sums = add_shares([rows for counter in counters for _, rows in counter.divided(1)])
    rows = mean_shares(sums, 2)
    units = dict(zip(sums["term"].to_pylist(), sums["units"].to_pylist(), strict=True))
    return RandomTerms(units, 2), dict(zip(rows["term"].to_pylist(), rows["share"].to_pylist(), strict=True))


def test_the_formula() -> None:
    assert shares(PIER) == pytest.approx([0.75 / 1.25, 0.5 / 1.25, 0])
    assert shares(MAST) == pytest.approx([0.9 / 1.4, 0.5 / 1.4])
    random, means = averaged()
    assert means == {
        "mast": pytest.approx(0.45 / 1.4),
        "pier": pytest.approx(0.3),
        "pile": pytest.approx(0.2),
        "ship": pytest.approx(0.25 / 1.4),
    }
    assert list(means) == ["mast", "pier", "pile", "ship"]
    contrast = [0.6 * -math.log2(0.3), 0.4 * -math.log2(0.2), 0]
    expected = np.exp(contrast) / np.exp(contrast).sum()
    assert contrastive_chances(PIER, shares(PIER), random) == pytest.approx(expected)


def test_a_term_of_one_document_need_not_be_known() -> None:
    random, _ = averaged()
    known = {term: units for term, units in random.units.items() if term == "ship"}
    fewer = contrastive_chances(PIER, shares(PIER), RandomTerms(known, 2))
    assert fewer.tolist() == contrastive_chances(PIER, shares(PIER), random).tolist()


def test_no_attention_at_all() -> None:
    silent = term_shares(TermWeights(PIER, np.zeros(3)))
    assert silent.tolist() == [1 / 3] * 3
    assert share_units(np.array([0.0, 1.0])).tolist() == [1, round(1 / SHARE_UNIT)]


def test_draws_without_replacement_follow_the_chances() -> None:
    p = {"a": 0.4, "b": 0.3, "c": 0.2, "d": 0.1}
    points = uniforms(4 * 100_000, 1, "points").reshape(-1, 4)
    drawn = draw_word_sets(tuple(p), np.array(list(p.values())), np.full(100_000, 2), points)
    counts = Counter(tuple(word for word, _ in words.terms) for words in drawn)
    chances = {(x, y): p[x] * p[y] / (1 - p[x]) for x in p for y in p if x != y}
    assert chi_square_chance(counts, chances) > 0.001
    assert all(words.score == pytest.approx(sum(p[word] for word, _ in words.terms)) for words in drawn[:99])


def test_pairs_of_sets() -> None:
    terms, p = ("a", "b", "c", "d"), np.array([0.43, 0.29, 0.18, 0.1])
    pairs = draw_contrastive_pairs(terms, p, 2000, 42, "w:1")
    made = [pair for pair in pairs if isinstance(pair, SetPair)]
    assert {pair for pair in pairs if isinstance(pair, str)} == {EQUAL_SETS}
    assert {len(pair.likelier.terms) for pair in made} == {1, 2, 3}  # a set of four is all there is
    for likelier, other in made:
        assert likelier.score > other.score
        assert len(likelier.terms) == len(other.terms)
        assert {word for word, _ in likelier.terms} != {word for word, _ in other.terms}


def test_draws_hang_on_ids_and_not_on_the_order_of_terms() -> None:
    terms, p = ("d", "b", "a", "c"), np.array([0.1, 0.3, 0.4, 0.2])
    ordered = draw_contrastive_pairs(("a", "b", "c", "d"), np.array([0.4, 0.3, 0.2, 0.1]), 9, 42, "w:1")
    assert draw_contrastive_pairs(terms, p, 9, 42, "w:1") == ordered
    assert draw_contrastive_pairs(terms, p, 9, 42, "w:2") != ordered
    assert draw_contrastive_pairs(terms, p, 9, 43, "w:1") != ordered
    assert draw_contrastive_pairs(("a",), np.array([1.0]), 3, 42, "w:1") == [EQUAL_SETS] * 3
