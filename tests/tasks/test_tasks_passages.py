"""ICT and BFS: sentences and passages of one page."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from anchormine.schemas.pairs import Pair, positive_pair
from anchormine.tasks.bfs import bfs_pairs
from anchormine.tasks.drafts import Refusal
from anchormine.tasks.ict import ict_pairs, without_sentence
from anchormine.tasks.page_passages import PagePassages, PassageOptions, sentence_hash
from anchormine.text.passages import Sentence
from anchormine.text.sentences import sentence_model

ENGLISH = sentence_model("en")
LEAD = "A pier stands on piles. Ships lie along it."
BODY = "Piers\nPeople walk on it. It is long.\nIts lamps are lit. They are red."
TEXT = f"{LEAD}\n{BODY}"


def page(text: str = TEXT, lead: str = LEAD, page_id: str = "w:1", **options: float) -> PagePassages:
    settings: dict[str, Any] = {"passage_words": 8, "query_words": 1, **options}
    return PagePassages(page_id, text, lead, ENGLISH, PassageOptions(**settings))


def test_the_parts_of_a_page() -> None:
    whole = page()
    assert [TEXT[start:end] for start, end, _ in whole.sentences] == [
        "A pier stands on piles.", "Ships lie along it.", "Piers", "People walk on it.", "It is long.",
        "Its lamps are lit.", "They are red.",
    ]  # fmt: skip
    assert [TEXT[slice(*span)] for span in whole.passages] == [
        "A pier stands on piles.", "Ships lie along it.\nPiers", "People walk on it. It is long.",
        "Its lamps are lit. They are red.",
    ]  # fmt: skip
    assert [TEXT[slice(*span)] for span in whole.passages_behind_lead] == [
        "Piers\nPeople walk on it. It is long.", "Its lamps are lit. They are red.",
    ]  # fmt: skip
    assert whole.lead_queries == {0: "A pier stands on piles.", 1: "Ships lie along it."}
    assert page(query_words=5).lead_queries == {0: "A pier stands on piles."}
    assert page(passage_words=4).lead_queries == {1: "Ships lie along it."}
    assert list(whole.within(whole.passages[2])) == [3, 4]


def test_no_query_is_on_too_many_pages() -> None:
    repeated = np.sort(np.array([sentence_hash(text) for text in (LEAD[:23], "Piers", "?")], np.uint64))
    settings = PassageOptions(passage_words=8, query_words=1)
    found = PagePassages("w:1", TEXT, LEAD, ENGLISH, settings, repeated)
    assert found.lead_queries == {1: "Ships lie along it."}
    assert [found.is_query(sentence) for sentence in found.sentences] == [False, True, False, *[True] * 4]
    assert found.long_sentences == page().long_sentences == {
        TEXT[start:end] for start, end, _ in found.sentences
    }  # fmt: skip
    assert page(query_words=5).long_sentences == {"A pier stands on piles."}


@pytest.mark.parametrize("lead", ["Ships lie along it. A red lamp.", LEAD[:-1], LEAD.replace("pier", "quay")])
def test_a_lead_that_the_text_does_not_begin_with(lead: str) -> None:
    other = page(lead=lead)
    assert list(other.lead_queries.values()) == lead.replace(". ", ".\n").split("\n")
    assert other.passages_behind_lead == []


def test_ict_takes_one_sentence_out_of_a_passage() -> None:
    found: Counter = Counter()
    for number in range(600):
        (made,) = ict_pairs(page(page_id=f"w:{number}"), 42)
        assert isinstance(made, Pair)
        found[made.query, made.document] += 1
        query, passage = made.pair_id.partition("#")[2].partition(":")[0], made.pair_id[-1]
        expected = positive_pair("ict", f"ict:w:{number}#{query}:w:{number}#p{passage}", made.query,
                                 made.document, f"w:{number}")  # fmt: skip
        assert made == expected
        assert made.query == [TEXT[start:end] for start, end, _ in page().sentences][int(query[1:])]
    parts = [("Ships lie along it.", "Piers"), ("People walk on it.", "It is long."),
             ("Its lamps are lit.", "They are red.")]  # fmt: skip
    assert {*found} == {*parts, *((second, first) for first, second in parts)}
    assert min(found.values()) > 60
    assert max(found.values()) < 140


@pytest.mark.parametrize(
    ("passage", "query", "document"),
    [
        ("One. Two. Three.", "One.", "Two. Three."),
        ("One. Two. Three.", "Two.", "One. Three."),
        ("One. Two. Three.", "Three.", "One. Two."),
        ("One.\nTwo.\nThree.", "Two.", "One.\nThree."),
        ("One.\nTwo. Three.", "Two.", "One.\nThree."),
        ("One. Two.\nThree.", "Two.", "One.\nThree."),
        ("一。二。三。", "二。", "一。三。"),
    ],
)
def test_a_passage_without_a_sentence(passage: str, query: str, document: str) -> None:
    text = f"Before. {passage} Behind."
    start = text.index(query)
    span = (8, 8 + len(passage))
    assert without_sentence(text, span, Sentence(start, start + len(query), 1)) == document


def test_ict_keeps_the_sentence_in_a_share_of_the_documents() -> None:
    kept = 0
    for number in range(1000):
        (made,) = ict_pairs(page(page_id=f"w:{number}", keep_sentence=0.1), 42)
        (without,) = ict_pairs(page(page_id=f"w:{number}"), 42)
        assert isinstance(made, Pair)
        assert isinstance(without, Pair)
        assert (made.pair_id, made.query) == (without.pair_id, without.query)
        assert (made.query in made.document) == (made.document != without.document)
        kept += made.query in made.document
    assert 70 < kept < 130


def test_what_a_page_has_no_passages_for() -> None:
    # The first passage is one sentence: nothing would be left of it.
    made = list(ict_pairs(page(pairs_per_page=5), 42))
    assert len(made) == 4
    assert made[3] == Refusal("ict", "few_passages", None, "w:1", TEXT, 2)
    assert made[:2] == list(ict_pairs(page(pairs_per_page=2), 42))
    assert list(ict_pairs(page(query_words=6), 42)) == [Refusal("ict", "few_passages", None, "w:1", TEXT, 1)]
    assert list(ict_pairs(page("* \n-"), 42)) == [Refusal("ict", "few_passages", None, "w:1", "* \n-", 1)]


def test_ict_takes_no_sentence_that_the_rest_of_the_passage_holds() -> None:
    """Neither one that is there twice, nor one that stands within another."""
    none = Refusal("ict", "few_passages", None, "w:1", "It is long.\nIt is long.", 1)
    assert list(ict_pairs(page("It is long.\nIt is long."), 42)) == [none]
    text = "A pier\nA pier is here.\nIt is long.\nIt is long."
    found: Counter = Counter()
    for number in range(60):
        (made,) = ict_pairs(page(text, page_id=f"w:{number}", passage_words=20), 42)
        assert isinstance(made, Pair)
        found[made.query, made.document] += 1
    assert {*found} == {("A pier is here.", "A pier\nIt is long.\nIt is long.")}


def test_bfs_pairs_the_lead_with_what_is_behind_it() -> None:
    found: Counter = Counter()
    for number in range(600):
        (made,) = bfs_pairs(page(page_id=f"w:{number}"), 42)
        assert isinstance(made, Pair)
        query, passage = made.pair_id.partition("#")[2].partition(":")[0], made.pair_id[-2:]
        assert made == positive_pair("bfs", f"bfs:w:{number}#{query}:w:{number}#{passage}", made.query,
                                     made.document, f"w:{number}")  # fmt: skip
        found[query, passage] += 1
        assert made.query == page().lead_queries[int(query[1:])]
        assert made.document == TEXT[slice(*page().passages_behind_lead[int(passage[1:])])]
    assert {*found} == {(query, passage) for query in ("l0", "l1") for passage in ("b0", "b1")}
    assert min(found.values()) > 110
    assert max(found.values()) < 190


def test_bfs_of_a_page_that_is_all_lead() -> None:
    (made,) = bfs_pairs(page(LEAD, LEAD, passage_words=5), 42)
    assert isinstance(made, Pair)
    assert {made.query, made.document} == {"A pier stands on piles.", "Ships lie along it."}
    assert made.pair_id in ("bfs:w:1#l0:w:1#p1", "bfs:w:1#l1:w:1#p0")
    assert list(bfs_pairs(page(LEAD, LEAD, passage_words=9), 42)) == [
        Refusal("bfs", "few_passages", None, "w:1", LEAD, 1)
    ]


def test_bfs_of_several_pairs_of_a_page_that_is_all_lead() -> None:
    """No text of a pair has a sentence of another pair."""
    text = "\n".join(f"Ship {number} lies at the pier." for number in range(8))
    numbers: Counter = Counter()
    for number in range(50):
        made = list(bfs_pairs(page(text, text, f"w:{number}", passage_words=12, pairs_per_page=4), 42))
        pairs = [one for one in made if isinstance(one, Pair)]
        refusals = [Refusal("bfs", "few_passages", None, f"w:{number}", text, 4 - len(pairs))]
        assert made[len(pairs) :] == (refusals if len(pairs) < 4 else [])
        sentences = [line for pair in pairs for line in (pair.query, *pair.document.split("\n"))]
        assert len(sentences) == len({*sentences}) == 3 * len(pairs)
        numbers[len(pairs)] += 1
    assert numbers == {2: 50}  # of four passages, two stand for the queries of the others


def test_bfs_takes_no_passage_that_repeats_the_query() -> None:
    text = "It is long.\nPiers\nIt is long.\nThey are red lamps."
    for number in range(50):
        (made,) = bfs_pairs(page(text, "It is long.", f"w:{number}", passage_words=4), 42)
        assert isinstance(made, Pair)
        assert made.document == "They are red lamps."


@pytest.mark.parametrize(
    ("lead", "options", "refused"),
    [
        ("", {}, {"no_lead": 1}),
        (" \n", {"pairs_per_page": 3}, {"no_lead": 3}),
        (LEAD, {"query_words": 6}, {"no_sentence": 1}),
        (LEAD, {"pairs_per_page": 2}, {}),
        (LEAD, {"pairs_per_page": 5}, {"few_sentences": 3}),
        (LEAD, {"pairs_per_page": 5, "passage_words": 20}, {"few_sentences": 3, "few_passages": 1}),
    ],
)
def test_what_bfs_has_no_text_for(lead: str, options: dict, refused: dict[str, int]) -> None:
    made = list(bfs_pairs(page(f"{lead}\n{BODY}" if lead else BODY, lead, **options), 42))
    assert {one.reason: one.records for one in made if isinstance(one, Refusal)} == refused
    pairs = [one for one in made if isinstance(one, Pair)]
    assert len(pairs) == options.get("pairs_per_page", 1) - sum(refused.values())
    assert len({one.query for one in pairs}) == len({one.document for one in pairs}) == len(pairs)


@pytest.mark.parametrize("make", [ict_pairs, bfs_pairs])
def test_another_seed_draws_others(make) -> None:
    pages = [page(page_id=f"w:{number}") for number in range(100)]
    assert sum(list(make(one, 42)) != list(make(one, 7)) for one in pages) > 60
    assert all(list(make(one, 42)) == list(make(page(page_id=one.page_id), 42)) for one in pages)
