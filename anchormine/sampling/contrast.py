"""Contrastive weights of a document's terms: B-PROP (Ma et al., SIGIR 2021, section 3.2).

The attention of [CLS] says what matters in a document, but it favours words that matter in every document. So
the distribution of a document is contrasted with the mean of all documents' distributions.

    s(w) = v / (v + 0.01)                      v: attention to w, summed over its places
    p_D(w) = s(w) / sum of s                   the distribution of the document
    p_rand(w) = mean over documents of p_D(w)  the random distribution
    c(w) = p_D(w) * -log2 p_rand(w)
    p(w) = softmax(c / T)                      what words are drawn by, without replacement

A set's score is the sum of its words' p(w).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from anchormine.sampling.draws import poisson_lengths, uniforms
from anchormine.sampling.weights import TermWeights
from anchormine.sampling.word_sets import SetPair, WordSet, prefer

SATURATION = 0.01
TEMPERATURE = 1.0
# Shares are added up as whole multiples of this, so that sums do not hang on their order.
SHARE_UNIT = 2.0**-36


class RandomTerms(NamedTuple):
    """The random distribution.

    Attributes:
        units: by term, the sum of all documents' p_D in `SHARE_UNIT`; a term of one document may be missing.
        documents: how many there are.
    """

    units: Mapping[str, int]
    documents: int


def term_shares(weights: TermWeights) -> np.ndarray:
    """p_D [T] of the terms of a document, of which there is at least one; it sums to 1."""
    saturated = weights.weights / (weights.weights + SATURATION)  # [T]
    total = saturated.sum()
    return saturated / total if total > 0 else np.full(len(saturated), 1 / len(saturated))  # [T]


def share_units(shares: np.ndarray) -> np.ndarray:
    """Shares [T] as whole numbers of `SHARE_UNIT`, at least 1."""
    return np.maximum(np.rint(shares / SHARE_UNIT), 1).astype(np.int64)


def contrastive_chances(terms: Sequence[str], shares: np.ndarray, random: RandomTerms) -> np.ndarray:
    """The distribution p(w) that words are drawn by.

    Args:
        terms: of a document.
        shares: p_D [T] of each.
        random: of the corpus.

    Returns:
        p [T]; sums to 1.
    """
    own = share_units(shares).tolist()
    units = [random.units.get(term, alone) for term, alone in zip(terms, own, strict=True)]
    mean = np.array(units) * (SHARE_UNIT / random.documents)  # [T]
    contrast = shares * -np.log2(mean) / TEMPERATURE  # [T]
    weights = np.exp(contrast - contrast.max())  # [T]
    return weights / weights.sum()


def draw_contrastive_pairs(
    terms: Sequence[str], chances: np.ndarray, sets: int, seed: int, page_id: str
) -> list[SetPair | str]:
    """Draws pairs of word sets; both sets of a pair have the same length, no word is in a set twice.

    Args:
        terms: distinct terms of a document. A set of more terms than there are takes all.
        chances: p [T] of each.
        sets: how many pairs.
        seed: of the run.
        page_id: of the page; the draw hangs on it, and not on the order of the terms.

    Returns:
        For each pair the preference, or why there is none. The weight of a word is its p.
    """
    lengths = poisson_lengths(uniforms(sets, seed, page_id, "lengths")).repeat(2)  # [2 sets]
    points = uniforms(2 * sets * len(terms), seed, page_id, "words").reshape(2 * sets, -1)  # [2 sets, T]
    drawn = draw_word_sets(terms, chances, lengths, points)
    return [prefer(first, second) for first, second in zip(drawn[::2], drawn[1::2], strict=True)]


def draw_word_sets(
    terms: Sequence[str], chances: np.ndarray, lengths: np.ndarray, points: np.ndarray
) -> list[WordSet]:
    """Draws sets of words without replacement, each word in proportion to the chances of what is left.

    Args:
        terms: distinct; the draw does not depend on their order.
        chances: p [T] of each.
        lengths: [sets] words of each set.
        points: [sets, T] numbers in (0, 1).
    """
    order = sorted(range(len(terms)), key=terms.__getitem__)
    ordered, chances = [terms[index] for index in order], chances[order]  # [T]
    # The first terms to arrive at times -ln(u) / p are drawn as if one after the other (see `draws.race`).
    arrivals = np.argsort(-np.log(points) / chances, axis=1)  # [sets, T]
    return [
        WordSet(
            [(ordered[index], float(chances[index])) for index in row[:length]],
            float(np.sort(chances[row[:length]]).sum()),
        )
        for row, length in zip(arrivals, lengths.tolist(), strict=True)
    ]
