"""The distributions that draws follow, with fixed seeds, and what they may depend on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
import pytest

from anchormine.errors import UsageError
from anchormine.sampling.draws import DrawnTerm, draw_length, draw_terms, probabilities, race, uniform
from anchormine.sampling.profiles import CODE, OURS, PAPER, PROFILES, WeightProfile
from anchormine.sampling.weights import TermWeights

WEIGHTS = TermWeights(("a", "b", "c", "d"), np.array([4.0, 3.0, 2.0, 1.0]))
TRIALS = 4000


def chi_square(counts: Mapping, chances: Mapping) -> float:
    """Sum of (observed - expected)^2 / expected; about the number of outcomes where the chances are right."""
    assert set(counts) <= set(chances)
    total = sum(counts.values())
    return sum((counts.get(key, 0) - total * p) ** 2 / (total * p) for key, p in chances.items())


def drawn(profile: WeightProfile, count: int, trial: int) -> tuple[str, ...]:
    return tuple(term for term, _ in draw_terms(WEIGHTS, count, profile, 1, f"x:{trial}"))


def test_a_single_draw_follows_the_weights() -> None:
    linear = {("a",): 0.4, ("b",): 0.3, ("c",): 0.2, ("d",): 0.1}
    e = np.exp([4.0, 3.0, 2.0, 1.0])
    soft = {(name,): float(p) for name, p in zip("abcd", e / e.sum(), strict=True)}
    for profile, chances in ((OURS, linear), (PAPER, soft), (CODE, soft)):
        counts = Counter(drawn(profile, 1, trial) for trial in range(TRIALS))
        assert chi_square(counts, chances) < 16.3, profile.name  # 3 degrees of freedom, 1 in 1,000


def test_pairs_without_replacement_follow_successive_draws() -> None:
    p = dict(zip("abcd", (0.4, 0.3, 0.2, 0.1), strict=True))
    chances = {(x, y): p[x] * p[y] / (1 - p[x]) for x in p for y in p if x != y}
    counts = Counter(drawn(OURS, 2, trial) for trial in range(TRIALS))
    assert chi_square(counts, chances) < 31.3  # 11 degrees of freedom, 1 in 1,000


def test_pairs_with_replacement_are_independent() -> None:
    profile = WeightProfile("test", replacement=True)
    p = dict(zip("abcd", (0.4, 0.3, 0.2, 0.1), strict=True))
    counts = Counter(drawn(profile, 2, trial) for trial in range(TRIALS))
    assert chi_square(counts, {(x, y): p[x] * p[y] for x in p for y in p}) < 37.7  # 15 degrees of freedom


@pytest.mark.parametrize(
    ("profile", "mean", "chances"),
    [
        (OURS, 3.157, {1: 0.1572, 2: 0.2358, 3: 0.2358, 4: 0.1768, 5: 0.1061, 6: 0.0530}),
        (CODE, 2.51, {1: 0.1391, 2: 0.3493, 3: 0.3493, 4: 0.1391}),
    ],
)
def test_lengths(profile: WeightProfile, mean: float, chances: dict[int, float]) -> None:
    lengths = [draw_length(profile, 1, f"x:{trial}") for trial in range(TRIALS)]
    counts = Counter(length if length in chances else "more" for length in lengths)
    assert chi_square(counts, {**chances, "more": 1 - sum(chances.values())}) < 22.5  # 6 degrees of freedom
    assert np.mean(lengths) == pytest.approx(mean, abs=0.06)
    assert min(lengths) == 1


def test_a_uniform_number_is_uniform() -> None:
    counts = Counter(int(uniform(3, "page", str(trial)) * 10) for trial in range(TRIALS))
    assert chi_square(counts, dict.fromkeys(range(10), 0.1)) < 27.9  # 9 degrees of freedom


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_the_order_of_terms_does_not_matter(profile: WeightProfile) -> None:
    backwards = TermWeights(WEIGHTS.terms[::-1], WEIGHTS.weights[::-1])
    for trial in range(50):
        one = draw_terms(WEIGHTS, 3, profile, 1, f"x:{trial}")
        other = draw_terms(backwards, 3, profile, 1, f"x:{trial}")
        assert [term for term, _ in one] == [term for term, _ in other]
        assert [weight for _, weight in one] == pytest.approx([weight for _, weight in other])


def test_seed_and_id_make_the_draw() -> None:
    draws = {(seed, name): draw_terms(WEIGHTS, 4, OURS, seed, name) for seed in range(8) for name in "xy"}
    assert draws == {(seed, name): draw_terms(WEIGHTS, 4, OURS, seed, name) for seed, name in reversed(draws)}
    assert len({tuple(one) for one in draws.values()}) > 8
    assert uniform(1, "ab", "c") != uniform(1, "a", "bc")


def test_few_terms_are_all_drawn_with_their_chances() -> None:
    terms = draw_terms(WEIGHTS, 9, OURS, 1, "x", exclude={"a"})
    assert all(isinstance(one, DrawnTerm) for one in terms)
    assert len(terms) == 3
    assert dict(terms) == pytest.approx({"b": 1 / 2, "c": 1 / 3, "d": 1 / 6})
    assert draw_terms(WEIGHTS, 2, OURS, 1, "x", exclude=set("abcd")) == []
    assert len(draw_terms(WEIGHTS, 9, PAPER, 1, "x")) == 9


def test_weights_of_zero() -> None:
    assert probabilities(np.zeros(4), OURS).tolist() == [0.25] * 4
    assert {race("ab", np.array([0.0, 1e-9]), 1, 1, str(trial))[0] for trial in range(100)} == {1}


def test_softmax_has_a_temperature() -> None:
    cold = WeightProfile("cold", normaliser="softmax", temperature=0.5)
    e = np.exp(WEIGHTS.weights / 0.5)
    assert probabilities(WEIGHTS.weights, cold) == pytest.approx(e / e.sum())


def test_profiles_refuse_what_they_do_not_know() -> None:
    with pytest.raises(UsageError, match="normaliser 'square': one of linear, softmax"):
        WeightProfile("x", normaliser="square")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"temperature 0\.0: greater than 0"):
        WeightProfile("x", temperature=0.0)
    with pytest.raises(UsageError, match="min_negative_terms 0: at least 1"):
        WeightProfile("x", min_negative_terms=0)
