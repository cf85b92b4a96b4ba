"""Guards, fingerprints and draws of negatives."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from anchormine.errors import UsageError
from anchormine.negatives.answers import KINDS, Known
from anchormine.negatives.choice import choose
from anchormine.negatives.fingerprints import signatures, similarity, text_hash
from anchormine.negatives.guards import GUARDS, Candidates, guard, known_pages
from anchormine.negatives.options import NegativeOptions
from anchormine.negatives.provenance import PairRow, Provenance, provenance
from anchormine.negatives.query_keys import anchor_keys, link_key, page_key, query_key, sentence_key

NO_TEXTS = Known.of(np.zeros((0, 2), np.uint64))


def _answers(**pairs: list[list[int]]) -> dict[str, Known]:
    """Pages that are known to answer what is asked: pairs of keys by kind, none of the others."""
    return {kind: Known.of(np.array(pairs.get(kind, []), np.uint64).reshape(-1, 2)) for kind in KINDS}


def _candidates(pages: list[int], **more: object) -> Candidates:
    """Candidates of one pair, whose query is 7 and ends with the anchor 70, of the sentence or page 700.

    Its positive is page 1 with the text 100.
    """
    shape = (1, len(pages))
    plain = Candidates(
        scores=np.arange(len(pages), 0, -1, dtype=np.float32).reshape(shape),
        present=np.ones(shape, bool),
        pages=np.array([pages], np.uint64),
        texts=np.array([[100 + page for page in pages]], np.uint64),
        similar=np.zeros(shape, bool),
        asked=np.array([[7, 70]], np.uint64),
        contexts=np.array([700], np.uint64),
        positive_pages=np.array([1], np.uint64),
        positive_texts=np.array([100], np.uint64),
        sources=np.array([[5, 0]], np.uint64),
        most=None,
    )
    return plain._replace(**more)  # type: ignore[arg-type]


def _names(reasons: np.ndarray) -> list[str]:
    return ["" if not number else GUARDS[number - 1] for number in reasons[0].tolist()]


def test_each_guard_drops_its_own() -> None:
    candidates = _candidates(
        [1, 2, 12, 3, 13, 14, 15, 5, 16, 6, 8, 9, 4],
        texts=np.array([[100, *range(200, 208), 100, 300, 301, 302]], np.uint64),
        similar=np.array([[False] * 10 + [True, False, False]]),
        most=np.array([2.5], np.float32),
    )
    answers = _answers(
        same_query=[[7, 2], [6, 4], [8, 4], [7, 1], [7, 2], [70, 12], [700, 4]],
        alias=[[7, 3], [9, 9], [70, 13], [700, 9]],
        same_sentence=[[700, 14], [7, 9], [0, 4]],
        linking_page=[[700, 15], [70, 4]],
        source=[[700, 16], [7, 4]],
    )
    assert _names(guard(candidates, answers, NO_TEXTS)) == [
        "positive", "same_query", "same_query", "alias", "alias", "same_sentence", "linking_page", "source",
        "source", "same_text", "near_duplicate", "", "",
    ]  # fmt: skip
    high = candidates._replace(most=np.array([1.5], np.float32))
    assert _names(guard(high, answers, NO_TEXTS))[-2:] == ["margin", ""]


def test_what_reads_like_an_answer_is_dropped() -> None:
    """Or like the source; wherever that is itself. Nothing that reads like what answers another query."""
    candidates = _candidates(
        [2, 21, 22, 23, 24, 25, 28, 26, 27],
        texts=np.array([[102, 102, 103, 105, 114, 115, 116, 108, 109]], np.uint64),
    )
    answers = _answers(
        same_query=[[7, 2], [8, 8]], alias=[[70, 3], [700, 9]], same_sentence=[[700, 14]],
        linking_page=[[700, 15]], source=[[700, 16]],
    )  # fmt: skip
    assert known_pages(candidates, answers).tolist() == [0, 2, 3, 5, 14, 15, 16]
    pages = (2, 3, 5, 14, 15, 16, 8, 9)
    by_page = Known.of(np.array([[page, 100 + page] for page in pages], np.uint64))
    assert _names(guard(candidates, answers, by_page)) == ["same_query", *["same_text"] * 6, "", ""]
    other = candidates._replace(asked=np.array([[8, 80]], np.uint64), contexts=np.array([0], np.uint64))
    assert _names(guard(other, answers, by_page)) == [
        "", "repeated_text", "", "same_text", "", "", "", "same_text", "",
    ]  # fmt: skip


def test_equal_texts_are_one_negative() -> None:
    """The best one that no other guard drops; each pair's for itself."""
    shape = (2, 4)
    candidates = _candidates([1, 2, 3, 4])._replace(
        scores=np.ones(shape, np.float32),
        present=np.array([[True] * 4, [True, True, True, False]]),
        pages=np.array([[1, 2, 3, 4], [5, 6, 2, 0]], np.uint64),
        texts=np.array([[30, 20, 30, 30], [30, 40, 30, 30]], np.uint64),
        similar=np.zeros(shape, bool),
        asked=np.array([[7, 0], [8, 0]], np.uint64),
        contexts=np.zeros(2, np.uint64),
        positive_pages=np.array([1, 9], np.uint64),
        positive_texts=np.array([100, 100], np.uint64),
        sources=np.zeros((2, 2), np.uint64),
    )
    names = ["", *GUARDS]
    assert [
        [names[number] for number in row] for row in guard(candidates, _answers(), NO_TEXTS).tolist()
    ] == [
        ["positive", "", "", "repeated_text"],
        ["", "", "repeated_text", ""],
    ]


def test_the_first_guard_counts() -> None:
    candidates = _candidates([1, 1], similar=np.ones((1, 2), bool), most=np.array([0], np.float32))
    assert _names(guard(candidates, _answers(), NO_TEXTS)) == ["positive"] * 2


def test_what_is_not_there_is_dropped_by_no_guard() -> None:
    candidates = _candidates([1, 0], present=np.array([[True, False]]))
    assert _names(guard(candidates, _answers(), NO_TEXTS)) == ["positive", ""]


def test_answers_are_joined_with_what_is_asked() -> None:
    known = Known.of(np.array([[5, 2], [3, 9], [5, 1], [5, 2], [8, 4]], np.uint64))
    assert (known.asked.tolist(), known.pages.tolist()) == ([3, 5, 5, 8], [9, 1, 2, 4])
    places, pages = known.answers(np.array([5, 4, 8, 5], np.uint64))
    assert (places.tolist(), pages.tolist()) == ([0, 0, 2, 3, 3], [1, 2, 4, 1, 2])
    places, pages = known.answers(np.array([4], np.uint64))
    assert (places.tolist(), pages.tolist()) == ([], [])


def _asked(task: str, query: str, terms: int = 0) -> Provenance:
    """Where a query comes from that stands in a sentence of page 1, with a link on page 2."""
    pair_id = "wlp:wiki:3#l4:wiki:2#p5"
    return provenance(task, PairRow(pair_id, query, "D.", "wiki:9", "wiki:1#s6", "wiki:2#a7", terms))


@pytest.mark.parametrize(
    ("task", "texts", "context", "sources"),
    [
        ("rqp", ["ice rink New Pier", "new pier"], "sentence", ["wiki:2", "wiki:1"]),
        ("qdm", ["ice rink New Pier", "new pier"], "sentence", ["wiki:2", "wiki:1"]),
        ("acm", ["ice rink New Pier", "new pier"], "sentence", ["wiki:2", "wiki:1"]),
        ("rdp", ["ice rink New Pier"], "sentence", ["wiki:2", "wiki:1"]),
        ("wlp", ["ice rink New Pier"], "page", ["wiki:3"]),
        ("anchor_document", ["ice rink New Pier"], "link", ["wiki:2", "wiki:1"]),
        ("codoc", ["ice rink New Pier"], "", ["wiki:2", "wiki:1"]),
    ],
)
def test_where_a_query_comes_from(task: str, texts: list[str], context: str, sources: list[str]) -> None:
    linked = link_key(query_key("ice rink New Pier"), page_key("wiki:9"))
    contexts = {"sentence": sentence_key("wiki:1#s6"), "page": page_key("wiki:3"), "link": linked, "": 0}
    found = _asked(task, "ice rink New Pier", 2)
    assert [key for key in found.texts if key] == [query_key(text) for text in texts]
    assert found.context == contexts[context]
    assert [key for key in found.sources if key] == [page_key(page) for page in sources]


def test_anchors_ask_as_the_folder_has_cleaned_them() -> None:
    assert anchor_keys("Café!", None) == anchor_keys("Café!", "ours") == {query_key("café")}
    assert anchor_keys("Café!", "code") == {query_key("café"), query_key("caf")}
    assert anchor_keys("茶屋", "code") == {query_key("茶屋")}  # that cleaning leaves nothing of it


def test_queries_are_equal_where_they_ask_the_same() -> None:
    assert query_key(" The  Pier ") == query_key("“the pier”") == query_key("THE PIER")
    assert query_key("1984") != query_key("1985")  # cleaning would leave nothing of either
    assert text_hash("A\n b") == text_hash("a B") != text_hash("ab")


def test_similarity_is_that_of_runs_of_three_words() -> None:
    words = [f"word{number}" for number in range(200)]
    texts = [" ".join(words), " ".join(words).upper(), " ".join(words[:150]), " ".join(words[::-1]), "", "!"]
    marks = signatures(texts)
    assert marks.shape == (6, 64)
    found = similarity(np.repeat(marks[:1], 6, axis=0), marks)
    assert found[0] == found[1] == 1
    assert abs(found[2] - 148 / 198) < 0.2  # three standard deviations
    assert found[3:].max() < 0.1
    assert np.array_equal(marks[4], marks[5])


def test_scripts_without_spaces_are_compared_by_character() -> None:
    text = "".join(chr(0x4E00 + 7 * number) for number in range(300))
    marks = signatures([text, text[:290], text[::-1]])
    assert similarity(marks[:1], marks[1:2])[0] > 0.8
    assert similarity(marks[:1], marks[2:])[0] < 0.1


def test_draws_hang_on_names_and_not_on_ranks() -> None:
    names = np.array([[11, 22, 33, 44, 55]], np.uint64)
    free = np.array([[True, True, False, True, True]])
    (ranks,) = choose(free, names, ["a"], None, 2, 1)
    drawn = set(names[0, ranks].tolist())
    (turned,) = choose(free[:, ::-1], names[:, ::-1], ["a"], None, 2, 1)
    assert set(names[0, ::-1][turned].tolist()) == drawn
    assert 33 not in drawn
    assert ranks.tolist() == sorted(ranks.tolist())


def test_few_are_not_filled() -> None:
    names = np.array([[1, 2, 3], [1, 2, 3]], np.uint64)
    free = np.array([[False, True, False], [False, False, False]])
    assert [ranks.tolist() for ranks in choose(free, names, ["a", "b"], 2, 2, 1)] == [[1], []]


@pytest.mark.parametrize("kept", [None, 6])
def test_all_candidates_are_equally_likely(kept: int | None) -> None:
    pairs = 4_000
    names = np.tile(np.arange(1, 11, dtype=np.uint64) * np.uint64(977), (pairs, 1))
    drawn = choose(np.ones((pairs, 10), bool), names, [f"pair {n}" for n in range(pairs)], kept, 3, 42)
    counts = Counter(rank for ranks in drawn for rank in ranks.tolist())
    expected = pairs * 3 / 10
    chi_square = sum((counts[rank] - expected) ** 2 / expected for rank in range(10))
    assert chi_square < 27.9  # 9 degrees of freedom: passed by 0.1 % of random draws, and these are fixed


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"form": "title"}, "--document title: one of text, lead, passages"),
        ({"depth": 0}, "--depth 0: give 1 or more"),
        ({"kept": 3}, "--keep 3: fewer than --negatives 7"),
        ({"depth": 5}, "--negatives 7: more than --depth 5"),
        ({"similarity": 0.0}, "--similarity 0.0: must be above 0"),
        ({"margin": float("nan")}, "--margin nan: give a number"),
    ],
)
def test_options_check_themselves(wrong: dict, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        NegativeOptions(**wrong)
