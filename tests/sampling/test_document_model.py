"""The language model of a document, and word sets drawn from it."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from anchormine.errors import UsageError
from anchormine.sampling.collection_model import kept_by_subsampling
from anchormine.sampling.document_model import DocumentModel, draw_set_pairs
from anchormine.sampling.document_profiles import CODE, PAPER, DocumentProfile
from anchormine.sampling.draws import poisson_lengths, uniforms
from anchormine.sampling.word_sets import EQUAL_SCORES, EQUAL_SETS, SetPair, WordSet, prefer
from tests.sampling.chi_square import chi_square_chance
from tests.sampling.small_collections import HARBOUR, chances, collection, drawn_words, likelihood, profile

DRAWS = 100_000
POINTS = uniforms(DRAWS, 1, "points")


def test_numbers_hang_on_seed_and_ids_alone() -> None:
    assert uniforms(3, 42, "w:1", "words").tolist() == uniforms(5, 42, "w:1", "words")[:3].tolist()
    # Written down: other versions of numpy, other machines and later versions of the code draw the same.
    assert uniforms(2, 42, "w:1", "words").tolist() == [0.14098096041644903, 0.5830988590694998]
    others = [uniforms(1, 43, "w:1", "words"), uniforms(1, 42, "w:2", "words"), uniforms(1, 42, "w:1words")]
    assert len({float(other[0]) for other in [*others, uniforms(1, 42, "w:1", "words")]}) == 4
    assert np.abs(np.histogram(POINTS, 10, (0, 1))[0] - DRAWS / 10).max() < 400


def test_lengths_follow_poisson_without_zero() -> None:
    counts = Counter(np.minimum(poisson_lengths(POINTS), 11).tolist())
    chance = {length: math.exp(-3) * 3**length / math.factorial(length) for length in range(1, 11)}
    chance = {length: one / (1 - math.exp(-3)) for length, one in chance.items()}
    assert chi_square_chance(counts, {**chance, 11: 1 - sum(chance.values())}) > 0.001


@pytest.mark.parametrize("number", range(3))
def test_draws_follow_the_model_of_the_document(number: int) -> None:
    chance = chances(HARBOUR, number)
    model = DocumentModel(collection(HARBOUR, profile()), HARBOUR[number])
    terms = sorted(chance)
    computed = model.chances(np.array([model.collection.numbers[term] for term in terms]))
    assert computed == pytest.approx([chance[term] for term in terms], abs=1e-12)
    assert chi_square_chance(drawn_words(HARBOUR, number, profile(), POINTS), chance) > 0.001


def test_rare_terms_count_but_are_not_drawn() -> None:
    options = profile(min_count=2)
    drawn = drawn_words(HARBOUR, 1, options, POINTS)
    chance = {word: p for word, p in chances(HARBOUR, 1).items() if word not in ("sail", "light")}
    total = sum(chance.values())
    assert chi_square_chance(drawn, {word: p / total for word, p in chance.items()}) > 0.001
    model = DocumentModel(collection(HARBOUR, options), HARBOUR[1])
    assert (model.length, model.known_words, model.collection.mu) == (8, 7, 5.0)
    assert model.chances(np.array([model.collection.numbers["mast"]])) == pytest.approx(chance["mast"])


def test_subsampling_of_what_is_drawn() -> None:
    keep = {word: float(kept_by_subsampling(np.array([f]), 0.01)[0]) for word, f in frequencies().items()}
    assert keep["ship"] == pytest.approx(math.sqrt(0.01 / (4 / 15)) + 0.01 / (4 / 15))
    weights = {word: p * keep[word] for word, p in chances(HARBOUR, 1).items()}
    total = sum(weights.values())
    drawn = drawn_words(HARBOUR, 1, profile(subsample=0.01), POINTS)
    assert chi_square_chance(drawn, {word: weight / total for word, weight in weights.items()}) > 0.001


def test_subsampling_of_the_document_before_the_draw() -> None:
    options = profile(PAPER, subsample=0.01)
    model = collection(HARBOUR, options)
    document = DocumentModel(model, HARBOUR[1])
    masts, thinning = HARBOUR[1].index("mast"), np.ones(8)
    thinning[masts] = 0  # one mast stays, and nothing else
    drawn = Counter(model.words[term] for term in document.draw(POINTS, thinning).tolist())
    expected = {word: 5 * f / 6 + (word == "mast") / 6 for word, f in frequencies().items()}
    assert chi_square_chance(drawn, expected) > 0.001


def test_random_sets_are_of_any_words() -> None:
    drawn = drawn_words(HARBOUR, 1, profile(sampling="random"), POINTS)
    assert chi_square_chance(drawn, dict.fromkeys(frequencies(), 1 / 7)) > 0.001


def test_a_background_of_document_frequencies() -> None:
    model = collection(HARBOUR, profile(CODE))
    assert dict(zip(model.words, (model.chances * 10).tolist(), strict=True)) == {
        **dict.fromkeys(("light", "mast", "pile", "rope", "sail"), pytest.approx(1)),
        "pier": pytest.approx(2),
        "ship": pytest.approx(3),
    }


def frequencies() -> dict[str, float]:
    counts = Counter(word for document in HARBOUR for word in document)
    return {word: count / counts.total() for word, count in counts.items()}


def test_pairs_of_sets() -> None:
    model = collection(HARBOUR, profile(sets=400))
    drawn = draw_set_pairs(DocumentModel(model, HARBOUR[1]), {}, 42, "w:1")
    reasons = Counter(pair for pair in drawn if isinstance(pair, str))
    assert len(drawn) == 400
    assert set(reasons) == {EQUAL_SETS, EQUAL_SCORES}
    chance = chances(HARBOUR, 1)
    for pair in drawn:
        if isinstance(pair, SetPair):
            assert len(pair.likelier.terms) == len(pair.other.terms) >= 1
            assert pair.likelier.score > pair.other.score
            for words in pair:
                weights = [weight for _, weight in words.terms]
                assert weights == pytest.approx([chance[word] for word, _ in words.terms])
                assert words.score == pytest.approx(likelihood([word for word, _ in words.terms], chance))
    assert draw_set_pairs(DocumentModel(model, HARBOUR[1]), {}, 42, "w:1") == drawn
    shuffled = DocumentModel(model, HARBOUR[1][::-1])
    assert draw_set_pairs(shuffled, {}, 42, "w:1") == drawn
    assert draw_set_pairs(DocumentModel(model, HARBOUR[1]), {}, 42, "w:2") != drawn


def test_no_order_of_words_makes_a_set_the_likelier_one() -> None:
    documents = [[f"w{number}" for number in range(start, start + 30)] for start in range(0, 300, 10)]
    model = collection(documents, profile())
    found = [
        pair
        for number, document in enumerate(documents * 5)
        for pair in draw_set_pairs(DocumentModel(model, document), {}, number, f"w:{number}")
    ]
    assert found.count(EQUAL_SCORES) > 100
    preferred = [pair for pair in found if isinstance(pair, SetPair)]
    weights = [[sorted(weight for _, weight in side.terms) for side in pair] for pair in preferred]
    assert [
        pair for pair, (likelier, other) in zip(preferred, weights, strict=True) if likelier == other
    ] == []


def test_which_set_is_preferred() -> None:
    low, high = WordSet([("a", 0.1), ("b", 0.2)], -4.0), WordSet([("a", 0.1), ("c", 0.3)], -3.0)
    assert prefer(low, high) == prefer(high, low) == (high, low)
    assert prefer(low, WordSet([("b", 0.2), ("a", 0.1)], -4.0000001)) == EQUAL_SETS
    assert prefer(low, WordSet([("d", 0.1), ("e", 0.2)], -4.0)) == EQUAL_SCORES


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_count": 0}, "--min-count 0: give 1 or more"),
        ({"subsample": -1.0}, r"--subsample -1.0: give 0 \(none\) or more"),
        ({"subsample": float("nan")}, "--subsample nan: give 0"),
        ({"sets": 0}, "--word-sets 0: give 1 or more"),
        ({"background": "text"}, "background text: one of counts, documents"),
    ],
)
def test_wrong_profiles(options: dict, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        DocumentProfile("wrong", **options)
