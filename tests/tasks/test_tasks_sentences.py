"""RDP and ACM: which pairs of a sentence's anchors make a pair, and why the others do not."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from anchormine.sampling.profiles import CODE, OURS, WeightProfile
from anchormine.sampling.weights import TRUNCATED, SpanWeights, TermWeights, TextWeights
from anchormine.tasks.acm import AcmChoice, acm_query, choose_acm, draw_page
from anchormine.tasks.drafts import Refusal, no_candidates
from anchormine.tasks.page_answers import CorpusParts, draw_part
from anchormine.tasks.queries import NO_TERMS, Query
from anchormine.tasks.rdp import NO_IMPORTANCE, TIE, RdpPair, importances, rdp_pairs
from anchormine.tasks.sentence_anchors import CAPPED, EQUAL_DESTINATION, SentenceAnchor, merge_repeats
from anchormine.tasks.sentence_candidates import LinkedSentence, Occurrence, add_candidates

A = SentenceAnchor("s#a1", "Ela", "w:1", 0.2)
B = SentenceAnchor("s#a2", "Waynesville", "w:2", 0.5)
C = SentenceAnchor("s#a3", "the town", "w:2", 0.4)
D = SentenceAnchor("s#a4", "US 74", "w:3", 0.2)
E = SentenceAnchor("s#a5", "cut off", "w:4", None)
PAGE = TermWeights(("town", "county", "carolina"), np.array([3.0, 2.0, 1.0]))


def many(count: int) -> list[SentenceAnchor]:
    return [SentenceAnchor(f"s#a{n}", f"link {n}", f"w:{n}", 1.0 + n) for n in range(count)]


def outcomes(results: list) -> Counter:
    return Counter(one if isinstance(one, str) else type(one).__name__ for one in results)


def test_the_more_important_page_is_positive() -> None:
    assert rdp_pairs("s", [A, B], OURS, 1) == [RdpPair("rdp:s#a2:s#a1", B, A)]
    assert rdp_pairs("s", [B, A], OURS, 1) == [RdpPair("rdp:s#a2:s#a1", B, A)]
    assert rdp_pairs("s", [A], OURS, 1) == rdp_pairs("s", [], OURS, 1) == rdp_pairs("s", [A], CODE, 1) == []


def test_each_two_anchors_have_an_outcome() -> None:
    made = rdp_pairs("s", [A, B, C, D, E], OURS, 1, most=99)
    assert outcomes(made) == {"RdpPair": 4, EQUAL_DESTINATION: 1, TIE: 1, NO_IMPORTANCE: 4}
    pairs = {(one.positive, one.negative) for one in made if isinstance(one, RdpPair)}
    assert pairs == {(B, A), (C, A), (B, D), (C, D)}
    assert outcomes(rdp_pairs("s", many(6), OURS, 1)) == {"RdpPair": 3, CAPPED: 12}
    assert outcomes(rdp_pairs("s", many(200), OURS, 1)) == {"RdpPair": 3, CAPPED: math.comb(200, 2) - 3}


def test_the_code_profile_takes_all_pairs_in_order() -> None:
    made = rdp_pairs("s", [A, B, C, D], CODE, 1)
    expected = [(B, A), (C, A), TIE, EQUAL_DESTINATION, (B, D), (C, D)]
    assert [one if isinstance(one, str) else one[1:] for one in made] == expected
    assert rdp_pairs("s", [A, B, E], CODE, 1) == [NO_IMPORTANCE] * 3
    assert outcomes(rdp_pairs("s", many(6), CODE, 1)) == {"RdpPair": 15}


@pytest.mark.parametrize(("profile", "capped"), [(OURS, math.comb(5, 2) - 3), (CODE, 0)])
def test_a_sentence_has_one_refusal_for_all_that_was_not_read(profile: WeightProfile, capped: int) -> None:
    """A list of links that is one sentence is longer than an encoder reads: of 300 it may see five."""
    anchors = [Occurrence(f"s#a{n}", f"{n:03}", 4 * n, 4 * n + 3, f"w:{n}") for n in range(300)]
    sentence = LinkedSentence("s#s0", " ".join(one.anchor for one in anchors), "en", anchors)
    spans = [SpanWeights(PAGE, 1.0 + n) if n < 5 else SpanWeights(None, None, TRUNCATED) for n in range(300)]
    found = no_candidates()
    assert add_candidates(sentence, TextWeights(PAGE, spans, True), ["rdp"], profile, 1, found) == []
    unread = math.comb(300, 2) - (math.comb(5, 2) if profile is OURS else 0)
    expected = [Refusal("rdp", NO_IMPORTANCE, None, "s#s0", sentence.text, unread)]
    expected += [Refusal("rdp", CAPPED, None, "s#s0", sentence.text, capped)] if capped else []
    assert found.refusals == expected
    assert len(found.drafts) + sum(one.records for one in found.refusals) == math.comb(300, 2)


def test_repeats_are_one_anchor() -> None:
    again = SentenceAnchor("s#a9", "ELA", "w:1", 0.4)
    unseen = SentenceAnchor("s#a8", "ela", "w:1", None)
    assert merge_repeats([A, B, again, unseen]) == [A._replace(importance=0.2 + 0.4), B]
    assert merge_repeats([unseen, A]) == [unseen._replace(importance=0.2)]
    made = rdp_pairs("s", [A, B, again], OURS, 1)
    assert made == [RdpPair("rdp:s#a1:s#a2", A._replace(importance=0.2 + 0.4), B)]


def test_two_anchors_are_sampled_by_importance() -> None:
    anchors = [SentenceAnchor(f"s#a{n}", f"link {n}", f"w:{n}", float(n)) for n in (1, 2, 3, 4)]
    p = dict(zip((one.anchor_id for one in anchors), importances(anchors), strict=True))
    assert list(p.values()) == pytest.approx([0.1, 0.2, 0.3, 0.4])
    counts: Counter = Counter()
    for trial in range(3000):
        made = [one for one in rdp_pairs(f"s{trial}", anchors, OURS, 1, most=1) if isinstance(one, RdpPair)]
        counts[frozenset((made[0].positive.anchor_id, made[0].negative.anchor_id))] += 1
    expected = {
        frozenset((x, y)): 3000 * p[x] * p[y] * (1 / (1 - p[x]) + 1 / (1 - p[y]))
        for x in p
        for y in p
        if x < y
    }
    assert sum(expected.values()) == pytest.approx(3000)
    assert (
        sum((counts[key] - count) ** 2 / count for key, count in expected.items()) < 20.5
    )  # 5 degrees of freedom


def test_acm_chooses_ordered_pairs_uniformly() -> None:
    counts: Counter = Counter()
    for trial in range(3000):
        choices = [
            one for one in choose_acm(f"s{trial}", [A, B, D], OURS, 1, most=1) if isinstance(one, AcmChoice)
        ]
        counts[choices[0].first.anchor_id, choices[0].second.anchor_id] += 1
    assert len(counts) == 6
    assert sum((count - 500) ** 2 / 500 for count in counts.values()) < 20.5  # 5 degrees of freedom


def test_each_ordered_pair_has_an_outcome() -> None:
    made = choose_acm("s", [A, B, C, E], OURS, 1, most=99)
    assert outcomes(made) == {"AcmChoice": 10, EQUAL_DESTINATION: 2}
    assert {one.linked for one in made if isinstance(one, AcmChoice)} == {frozenset({"w:1", "w:2", "w:4"})}
    assert outcomes(choose_acm("s", many(5), OURS, 1)) == {"AcmChoice": 3, CAPPED: 17}
    assert outcomes(choose_acm("s", many(200), OURS, 1)) == {"AcmChoice": 3, CAPPED: 200 * 199 - 3}
    assert choose_acm("s", [A], OURS, 1) == []
    code = choose_acm("s", [A, B, C], CODE, 1)
    linked = frozenset({"w:1", "w:2"})
    expected = [
        AcmChoice("acm:s#a1:s#a2", A, B, linked),
        AcmChoice("acm:s#a1:s#a3", A, C, linked),
        EQUAL_DESTINATION,
    ]
    assert code == expected


def test_acm_queries_the_first_page() -> None:
    made = acm_query("acm:s#a1:s#a2", A.anchor, PAGE, OURS, 1)
    assert isinstance(made, Query)
    terms = [term for term, _ in made.terms]
    assert made.text == " ".join([*terms, "ela"])
    assert 0 < len(terms) <= 3
    assert set(terms) <= set(PAGE.terms)
    assert acm_query("acm:s#a1:s#a2", A.anchor, TermWeights((), np.zeros(0)), OURS, 1) == NO_TERMS


def test_acm_avoids_linked_pages() -> None:
    usable = [f"w:{number}" for number in range(8)]
    drawn = Counter(draw_page(f"acm:{number}", ("w:2", "w:9"), usable, 1) for number in range(3500))
    assert drawn.keys() == {*usable} - {"w:2"}
    assert sum((count - 500) ** 2 / 500 for count in drawn.values()) < 22.5  # 6 degrees of freedom
    # of two pages a linked one is drawn 16 times in a row once in 65,536 times, of one always
    assert draw_page("acm:1", ("w:2",), ["w:1", "w:2"], 1) == "w:1"
    assert draw_page("acm:1", ("w:2",), ["w:2"], 1) is None
    assert draw_page("acm:1", ("w:2",), [], 1) is None


def test_parts_of_the_corpus_are_drawn_by_their_pages() -> None:
    parts = CorpusParts.of({7: 2, 0: 5, 3: 0, 1: 1})
    assert parts == CorpusParts((0, 1, 3, 7), (5, 6, 6, 8))
    drawn = Counter(draw_part(f"acm:{number}", parts, 1) for number in range(4000))
    expected = {0: 2500, 1: 500, 7: 1000}
    assert drawn.keys() == expected.keys()
    assert sum((drawn[part] - count) ** 2 / count for part, count in expected.items()) < 13.9
    assert draw_part("acm:1", CorpusParts.of({}), 1) == draw_part("acm:1", CorpusParts.of({2: 0}), 1) == 0


def test_no_page_is_on_both_sides() -> None:
    rng = np.random.default_rng(2)
    for trial in range(300):
        pages = rng.integers(4, size=6)
        anchors = [
            SentenceAnchor(f"s#a{n}", f"x{n % 4}", f"w:{page}", float(rng.random()))
            for n, page in enumerate(pages)
        ]
        for profile in (OURS, CODE):
            for one in rdp_pairs(f"s{trial}", anchors, profile, 1):
                assert isinstance(one, str) or one.positive.destination != one.negative.destination
            for choice in choose_acm(f"s{trial}", anchors, profile, 1):
                if isinstance(choice, AcmChoice):
                    usable = [f"w:{number}" for number in range(9)]
                    negative = draw_page(choice.pair_id, tuple(choice.linked), usable, 1)
                    assert negative is not None
                    assert choice.linked == {f"w:{page}" for page in pages}
                    assert negative not in {*choice.linked, choice.second.destination}
