"""Random draws that depend on a seed and a record's id alone: the same on any runner, in any order.

Every number is a keyed 64-bit blake2b hash, so a record draws the same whichever worker reads it, whatever
came before, and in whatever order its terms are listed.
"""

from __future__ import annotations

import hashlib
import math
from bisect import bisect
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from anchormine.sampling.profiles import WeightProfile
from anchormine.sampling.weights import TermWeights


class DrawnTerm(NamedTuple):
    """A term that was drawn, with its probability p(w) among the terms of its text."""

    term: str
    weight: float


def hash64(seed: int, *parts: str) -> int:
    """A number of 64 bits, uniform over the ids that it is made of."""
    return int.from_bytes(_hasher(seed, parts).digest(), "big")


def uniform(seed: int, *parts: str) -> float:
    """A number in (0, 1), uniform over the ids that it is made of."""
    return ((hash64(seed, *parts) >> 12) + 0.5) * 2.0**-52  # 52 bits and a half: neither 0 nor 1


def uniforms(count: int, seed: int, *parts: str) -> np.ndarray:
    """Numbers in (0, 1) [count] for one thing that draws many: its ids are the key of a Philox generator.

    Only the generator's bits are used, which numpy keeps the same from version to version.
    """
    key = int.from_bytes(_hasher(seed, parts, 16).digest(), "big")
    return ((np.random.Philox(key=key).random_raw(count) >> np.uint64(12)) + 0.5) * 2.0**-52  # [count]


def poisson_lengths(points: np.ndarray) -> np.ndarray:
    """Lengths l of queries, at least 1, for numbers in (0, 1), by inversion of Poisson(3) without 0."""
    return 1 + np.searchsorted(_LENGTHS["poisson"], points, side="right")


def draw_length(profile: WeightProfile, seed: int, *parts: str) -> int:
    """Draws the number l of terms of a query, at least 1, by inversion of its distribution."""
    return 1 + bisect(_LENGTHS[profile.length], uniform(seed, *parts))


def probabilities(weights: np.ndarray, profile: WeightProfile) -> np.ndarray:
    """The sampling distribution p(w) over the terms of one text.

    Args:
        weights: beta [T], at least one term.
        profile: its normaliser, `linear` beta / sum(beta) or `softmax` of beta / temperature.

    Returns:
        p [T], sums to 1; uniform where all weights are 0.
    """
    if profile.normaliser == "softmax":
        weights = np.exp((weights - weights.max()) / profile.temperature)  # [T]
    total = weights.sum()
    return weights / total if total > 0 else np.full(len(weights), 1 / len(weights))  # [T]


def draw_terms(
    weights: TermWeights,
    count: int,
    profile: WeightProfile,
    seed: int,
    *parts: str,
    exclude: Collection[str] = (),
) -> list[DrawnTerm]:
    """Draws terms of a text by their weights.

    Args:
        weights: of the text's distinct terms.
        count: l. Without replacement a text of fewer terms gives them all.
        profile: says how weights become probabilities, and whether a term can be drawn twice.
        seed: of the run.
        *parts: what the draw is for; equal parts draw alike.
        exclude: terms that are not drawn.

    Returns:
        The terms in the order drawn; empty if there is none to draw.
    """
    terms, values = weights
    if exclude:
        kept = [index for index, term in enumerate(terms) if term not in exclude]
        terms, values = tuple(terms[index] for index in kept), values[kept]  # [T]
    if not terms:
        return []
    chances = probabilities(values, profile)  # [T]
    draw = _with_replacement if profile.replacement else race
    return [
        DrawnTerm(terms[index], float(chances[index])) for index in draw(terms, chances, count, seed, *parts)
    ]


def race(names: Sequence[str], weights: np.ndarray, count: int, seed: int, *parts: str) -> list[int]:
    """Draws without replacement, each time in proportion to the weights of what is left.

    Item i arrives at time -ln(u_i) / w_i with a u_i of its own, and the first ones to arrive are drawn:
    exactly successive sampling (Efraimidis and Spirakis 2006), and independent of the order of the items.

    Args:
        names: distinct names of the items; u_i is their hash.
        weights: w [T], at least 0; an item of weight 0 comes last.
        count: how many to draw; all of them if there are fewer.
        seed: of the run.
        *parts: what the draw is for.

    Returns:
        Indexes of the items drawn, in order.
    """
    start = _hasher(seed, parts)
    hashes = np.array([_continue(start, name) for name in names], np.uint64)  # [T]
    times = -np.log(((hashes >> np.uint64(12)) + 0.5) * 2.0**-52) / np.maximum(weights, _NEVER)  # [T]
    return np.argsort(times)[:count].tolist()


def _with_replacement(
    names: Sequence[str], weights: np.ndarray, count: int, seed: int, *parts: str
) -> list[int]:
    """Draws `count` times in proportion to the weights; items are lined up by name."""
    order = sorted(range(len(names)), key=names.__getitem__)
    reached = np.cumsum(weights[order])  # [T]
    points = [uniform(seed, *parts, str(number)) * reached[-1] for number in range(count)]
    found = np.searchsorted(reached, points, side="right").clip(max=len(order) - 1)  # [count]
    return [order[index] for index in found]


def _hasher(seed: int, parts: Iterable[str], size: int = 8) -> hashlib.blake2b:
    hasher = hashlib.blake2b(digest_size=size, key=(seed % 2**64).to_bytes(8, "big"))
    for part in parts:
        hasher.update(part.encode() + b"\0")
    return hasher


def _continue(start: hashlib.blake2b, part: str) -> int:
    hasher = start.copy()
    hasher.update(part.encode() + b"\0")
    return int.from_bytes(hasher.digest(), "big")


def _poisson_without_zero(mean: float) -> list[float]:
    """P(l <= k) of a Poisson number redrawn while 0, for k = 1, 2, ... (HARP section 3.2, PROP eq. 4)."""
    chances = [math.exp(-mean) * mean**k / math.factorial(k) for k in range(1, 60)]
    return list(accumulate(chance / -math.expm1(-mean) for chance in chances))


def _whole_normal(mean: float, deviation: float) -> list[float]:
    """P(l <= k) of int(Normal(mean, deviation)) redrawn while < 1, for k = 1, 2, ... (HARP's program)."""

    def below(x: float) -> float:
        return 0.5 * math.erfc((mean - x) / deviation / math.sqrt(2))

    return [(below(k + 1) - below(1)) / (1 - below(1)) for k in range(1, 60)]


_NEVER = 1e-300  # stands for the weight 0, so that such items still have an order
_LENGTHS = {"poisson": _poisson_without_zero(3.0), "normal": _whole_normal(3.0, 1.0)}
