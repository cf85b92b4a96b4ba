"""RQP and QDM: two queries of one page, and two pages of one query."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from anchormine.sampling.profiles import CODE, OURS, PAPER
from anchormine.sampling.weights import TRUNCATED, SpanWeights, TermWeights
from anchormine.tasks.qdm import ONE_DESTINATION, QdmPair, anchor_string, qdm_pair, sample_occurrences
from anchormine.tasks.queries import NO_TERMS, Query, anchor_query
from anchormine.tasks.rqp import NO_NEGATIVE_TERMS, SHORT_NEGATIVE, RqpPair, rqp_pair

SENTENCE = TermWeights(
    ("russia", "miners", "alaskan", "territory", "traders"), np.array([5.0, 3.0, 2.0, 1.0, 1.0])
)
PAGE = TermWeights(("alaska", "territory", "statehood", "alaskan", "district", "1912"), np.ones(6))
NOTHING = TermWeights((), np.zeros(0))
ANCHOR = "Alaskan  Territory"


def pair(number: int, profile=OURS, sentence=SENTENCE, page=PAGE, seed: int = 1) -> RqpPair | str:
    return rqp_pair(f"p{number}#a1", ANCHOR, SpanWeights(sentence, 0.5), page, profile, seed)


def pairs(numbers: range, profile=OURS) -> list[RqpPair]:
    made = [pair(number, profile) for number in numbers]
    assert not any(isinstance(one, str) for one in made)
    return [one for one in made if isinstance(one, RqpPair)]


def test_a_pair_is_what_was_drawn() -> None:
    for number in range(200):
        made = pair(number)
        assert isinstance(made, RqpPair)
        terms = [term for term, _ in made.query_terms]
        assert made.pair_id == f"rqp:p{number}#a1"
        assert made.query == " ".join([*terms, "alaskan", "territory"])
        assert made.negative_query == " ".join(term for term, _ in made.negative_query_terms)
        assert set(terms) <= set(SENTENCE.terms)
        assert {term for term, _ in made.negative_query_terms} <= {"alaska", "statehood", "district", "1912"}
        weights = dict(zip(*SENTENCE, strict=True))
        assert [weight for _, weight in made.query_terms] == pytest.approx(
            [weights[term] / 12 for term in terms]
        )
        assert [weight for _, weight in made.negative_query_terms] == [0.25] * len(made.negative_query_terms)


def test_both_queries_have_the_same_length() -> None:
    lengths = [(len(made.query_terms), len(made.negative_query_terms)) for made in pairs(range(300))]
    assert {(min(one, 4), min(other, 4)) for one, other in lengths} == {(1, 1), (2, 2), (3, 3), (4, 4)}
    assert all(one == other or (one == 5 and other == 4) for one, other in lengths)  # no more terms to draw


def test_the_code_profile_draws_two_lengths_and_keeps_the_anchor() -> None:
    outcomes = Counter(type(one) if isinstance(one, RqpPair) else one for one in code_outcomes())
    assert outcomes.keys() == {RqpPair, SHORT_NEGATIVE}
    assert outcomes[SHORT_NEGATIVE] == pytest.approx(139, abs=40)  # int(Normal(3, 1)) is 1 in 13.9 % of cases
    made = [one for one in code_outcomes() if isinstance(one, RqpPair)]
    assert any(len(one.query_terms) != len(one.negative_query_terms) for one in made)
    assert any(term == "alaskan" for one in made for term, _ in one.negative_query_terms)
    assert any(len(set(one.query_terms)) < len(one.query_terms) for one in made)  # with replacement
    paper = pairs(range(300), PAPER)
    assert not any(term == "alaskan" for one in paper for term, _ in one.negative_query_terms)


def code_outcomes() -> list[RqpPair | str]:
    return [pair(number, CODE) for number in range(1000)]


def test_word_pieces_lose_their_mark() -> None:
    pieces = TermWeights(("##n", "Ġthe", "▁of", "##"), np.ones(4))
    query = anchor_query("a", "Alaska", SpanWeights(pieces, 1.0), replace(OURS, unit="pieces"), 3)
    written = {"##n": "n", "Ġthe": "the", "▁of": "of", "##": "##"}
    assert isinstance(query, Query)
    assert query.text == " ".join([*(written[term] for term, _ in query.terms), "alaska"])


def test_reasons_for_no_pair() -> None:
    own = TermWeights(("alaskan", "territory"), np.ones(2))
    cut = rqp_pair("a", ANCHOR, SpanWeights(None, None, TRUNCATED), PAGE, OURS, 1)
    assert (cut, pair(1, sentence=NOTHING), pair(1, page=NOTHING), pair(1, page=own)) == (
        TRUNCATED,
        NO_TERMS,
        NO_NEGATIVE_TERMS,
        NO_NEGATIVE_TERMS,
    )


def test_qdm_takes_the_query_of_rqp_and_another_page() -> None:
    query = anchor_query("p7#a1", ANCHOR, SpanWeights(SENTENCE, 0.5), OURS, 1)
    (rqp,) = pairs(range(7, 8))
    made = qdm_pair("p7#a1", query, "w:2", {"w:1", "w:2", "w:3"}, 1)
    assert isinstance(made, QdmPair)
    assert made[:4] == ("qdm:p7#a1", rqp.query, rqp.query_terms, "w:2")
    assert made.negative_document_id in {"w:1", "w:3"}
    assert qdm_pair("p7#a1", query, "w:2", ["w:2"], 1) == ONE_DESTINATION
    assert qdm_pair("p7#a1", NO_TERMS, "w:2", ["w:1", "w:2"], 1) == NO_TERMS


def test_qdm_draws_the_other_page_uniformly_and_in_any_order() -> None:
    query = anchor_query("a", ANCHOR, SpanWeights(SENTENCE, 0.5), OURS, 1)
    pages = [f"w:{number}" for number in range(5)]
    made = [qdm_pair(f"p#a{number}", query, "w:2", pages, 1) for number in range(2000)]
    assert made == [qdm_pair(f"p#a{number}", query, "w:2", pages[::-1], 1) for number in range(2000)]
    counts = Counter(one.negative_document_id for one in made if isinstance(one, QdmPair))
    assert counts.keys() == {"w:0", "w:1", "w:3", "w:4"}
    assert sum((count - 500) ** 2 / 500 for count in counts.values()) < 16.3  # 3 degrees of freedom


def test_strings_are_compared_case_folded() -> None:
    assert {anchor_string(one) for one in ("Weiße  Elster", "WEISSE ELSTER", " weisse\nelster")} == {
        "weisse elster"
    }


def test_at_most_ten_occurrences_by_hash() -> None:
    ids = [f"w:{number}#a1" for number in range(40)]
    sampled = sample_occurrences(ids, OURS, 1)
    assert sampled == sample_occurrences(ids[::-1], OURS, 1)
    assert len(set(sampled)) == 10
    assert set(sampled) <= set(ids)
    assert sampled != sample_occurrences(ids, OURS, 2)
    assert sample_occurrences(ids, CODE, 1) == ids[:10]
    taken = Counter(one for seed in range(1000) for one in sample_occurrences(ids, OURS, seed))
    assert sum((taken[one] - 250) ** 2 / 250 for one in ids) < 72.1  # 39 degrees of freedom, 1 in 1,000
