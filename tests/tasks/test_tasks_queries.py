"""RQP and QDM: two queries of one page, and two pages of one query."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from anchormine.sampling.profiles import CODE, OURS, PAPER
from anchormine.sampling.weights import TRUNCATED, SpanWeights, TermWeights
from anchormine.tasks.drafts import StringUse
from anchormine.tasks.qdm import ONE_DESTINATION, QdmPair, anchor_string, occurrence_rank, qdm_pair
from anchormine.tasks.queries import NO_TERMS, Query, anchor_query
from anchormine.tasks.rqp import NO_NEGATIVE_TERMS, SHORT_NEGATIVE, negative_query
from anchormine.tasks.string_candidates import group_strings, merge_groups

SENTENCE = TermWeights(
    ("russia", "miners", "alaskan", "territory", "traders"), np.array([5.0, 3.0, 2.0, 1.0, 1.0])
)
PAGE = TermWeights(("alaska", "territory", "statehood", "alaskan", "district", "1912"), np.ones(6))
NOTHING = TermWeights((), np.zeros(0))
ANCHOR = "Alaskan  Territory"


class Queries(NamedTuple):
    """RQP's queries of one anchor."""

    positive: Query
    negative: Query


def pair(number: int, profile=OURS, sentence=SENTENCE, page=PAGE, seed: int = 1) -> Queries | str:
    anchor_id = f"p{number}#a1"
    positive = anchor_query(anchor_id, ANCHOR, SpanWeights(sentence, 0.5), profile, seed)
    negative = negative_query(anchor_id, ANCHOR, page, profile, seed)
    if isinstance(positive, str) or isinstance(negative, str):
        return next(one for one in (positive, negative) if isinstance(one, str))
    return Queries(positive, negative)


def pairs(numbers: range, profile=OURS) -> list[Queries]:
    made = [pair(number, profile) for number in numbers]
    assert not any(isinstance(one, str) for one in made)
    return [one for one in made if isinstance(one, Queries)]


def test_a_pair_is_what_was_drawn() -> None:
    for number in range(200):
        (made,) = pairs(range(number, number + 1))
        terms = [term for term, _ in made.positive.terms]
        assert made.positive.text == " ".join([*terms, "alaskan", "territory"])
        assert made.negative.text == " ".join(term for term, _ in made.negative.terms)
        assert set(terms) <= set(SENTENCE.terms)
        assert {term for term, _ in made.negative.terms} <= {"alaska", "statehood", "district", "1912"}
        weights = dict(zip(*SENTENCE, strict=True))
        assert [weight for _, weight in made.positive.terms] == pytest.approx(
            [weights[term] / 12 for term in terms]
        )
        assert [weight for _, weight in made.negative.terms] == [0.25] * len(made.negative.terms)


def test_both_queries_have_the_same_length() -> None:
    lengths = [(len(made.positive.terms), len(made.negative.terms)) for made in pairs(range(300))]
    assert {(min(one, 4), min(other, 4)) for one, other in lengths} == {(1, 1), (2, 2), (3, 3), (4, 4)}
    assert all(one == other or (one == 5 and other == 4) for one, other in lengths)  # no more terms to draw


def test_the_code_profile_draws_two_lengths_and_keeps_the_anchor() -> None:
    outcomes = Counter(type(one) if isinstance(one, Queries) else one for one in code_outcomes())
    assert outcomes.keys() == {Queries, SHORT_NEGATIVE}
    assert outcomes[SHORT_NEGATIVE] == pytest.approx(139, abs=40)  # int(Normal(3, 1)) is 1 in 13.9 % of cases
    made = [one for one in code_outcomes() if isinstance(one, Queries)]
    assert any(len(one.positive.terms) != len(one.negative.terms) for one in made)
    assert any(term == "alaskan" for one in made for term, _ in one.negative.terms)
    assert any(len(set(one.positive.terms)) < len(one.positive.terms) for one in made)  # with replacement
    paper = pairs(range(300), PAPER)
    assert not any(term == "alaskan" for one in paper for term, _ in one.negative.terms)


def code_outcomes() -> list[Queries | str]:
    return [pair(number, CODE) for number in range(1000)]


def test_word_pieces_lose_their_mark() -> None:
    pieces = TermWeights(("##n", "Ġthe", "▁of", "##"), np.ones(4))
    query = anchor_query("a", "Alaska", SpanWeights(pieces, 1.0), replace(OURS, unit="pieces"), 3)
    written = {"##n": "n", "Ġthe": "the", "▁of": "of", "##": "##"}
    assert isinstance(query, Query)
    assert query.text == " ".join([*(written[term] for term, _ in query.terms), "alaska"])


def test_reasons_for_no_pair() -> None:
    own = TermWeights(("alaskan", "territory"), np.ones(2))
    cut = anchor_query("a", ANCHOR, SpanWeights(None, None, TRUNCATED), OURS, 1)
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
    assert made[:4] == ("qdm:p7#a1", *rqp.positive, "w:2")
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


def uses(numbers: range, seed: int) -> list[StringUse]:
    ids = [f"w:{number}#a1" for number in numbers]
    return [
        StringUse("x", occurrence_rank(one, seed), one, "w:9#s1", f"w:{number % 3}", "q", [], "")
        for number, one in zip(numbers, ids, strict=True)
    ]


def test_at_most_ten_occurrences_by_hash() -> None:
    (whole,) = group_strings(uses(range(40), 1), OURS)
    sampled = [use.anchor_id for use in whole.uses]
    assert (whole.string, whole.destinations, whole.occurrences) == ("x", ["w:0", "w:1", "w:2"], 40)
    assert len({*sampled}) == 10
    parts = [group for start in (20, 0) for group in group_strings(uses(range(start, start + 20), 1), OURS)]
    assert list(merge_groups(parts, OURS)) == [whole]
    assert sampled != [use.anchor_id for use in group_strings(uses(range(40), 2), OURS)[0].uses]
    (first,) = group_strings(uses(range(40), 1)[::-1], CODE)
    assert [use.anchor_id for use in first.uses] == [f"w:{number}#a1" for number in range(10)]
    drawn = Counter(
        use.anchor_id for seed in range(1000) for use in group_strings(uses(range(40), seed), OURS)[0].uses
    )
    # 39 degrees of freedom, 1 in 1,000
    assert sum((drawn[f"w:{number}#a1"] - 250) ** 2 / 250 for number in range(40)) < 72.1
