"""The language model of a document, smoothed by the collection, and the word sets drawn from it.

P(w|D) = (tf(w, D) + mu P(w|C)) / (|D| + mu) (PROP, eq. 3; Zhai and Lafferty 2001). It is a mixture: with a
chance of |D| : mu a word of the document, else one of the collection. So a draw is one number, looked up in
the cumulative weights of the document's own terms or in those of the collection, which all documents share.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from anchormine.sampling.collection_model import CollectionModel
from anchormine.sampling.draws import poisson_lengths, uniforms
from anchormine.sampling.word_sets import SetPair, WordSet, prefer


class DocumentModel:
    """P(w|D) of one document.

    Attributes:
        collection: what it is smoothed with.
        length: |D|, all words of the document but the stop words.
        terms: [T] numbers of its terms in the collection's vocabulary, ascending.
        counts: [T] tf of each.
    """

    def __init__(self, collection: CollectionModel, terms: Sequence[str]) -> None:
        """Takes the terms of the document, in order, with repeats."""
        self.collection = collection
        self.length = len(terms)
        known = map(collection.numbers.get, terms)
        self._places = np.array([number for number in known if number is not None], np.int64)  # [known words]
        self.terms, self.counts = np.unique(self._places, return_counts=True)  # [T], [T]

    def chances(self, numbers: np.ndarray) -> np.ndarray:
        """P(w|D) of terms of the vocabulary, by their numbers; of the same shape."""
        mu = self.collection.mu
        own = np.zeros(len(numbers))
        if len(self.terms):
            place = np.searchsorted(self.terms, numbers).clip(max=len(self.terms) - 1)  # [n]
            own = np.where(self.terms[place] == numbers, self.counts[place], 0)  # [n]
        return (own + mu * self.collection.chances[numbers]) / (self.length + mu)  # [n]

    def draw(self, points: np.ndarray, thinning: np.ndarray | None = None) -> np.ndarray:
        """Draws terms.

        Args:
            points: numbers in (0, 1), one for each term to draw.
            thinning: numbers in (0, 1), one for each of `known_words`, where the document is subsampled
                before the draw.

        Returns:
            Numbers of terms, as many as points.
        """
        collection = self.collection
        own = np.cumsum(self._own_weights(thinning))  # [T]
        own_total = own[-1] if len(own) else 0.0
        background = collection.reached
        at = points * (own_total + collection.mu * background[-1])  # [n]
        drawn = np.searchsorted(background, (at - own_total) / collection.mu, side="right")  # [n]
        drawn = drawn.clip(max=len(background) - 1)
        of_document = at < own_total  # [n]
        drawn[of_document] = self.terms[np.searchsorted(own, at[of_document], side="right")]
        return drawn

    @property
    def known_words(self) -> int:
        """How many words of the document are in the vocabulary."""
        return len(self._places)

    def _own_weights(self, thinning: np.ndarray | None) -> np.ndarray:
        """Weights [T] of the document's terms in a draw, beside mu times those of the collection."""
        if self.collection.profile.sampling == "random":
            return np.zeros(len(self.terms))
        if thinning is None:
            return self.counts * self.collection.keep[self.terms]
        kept = self._places[thinning < self.collection.keep[self._places]]
        return np.bincount(np.searchsorted(self.terms, kept), minlength=len(self.terms)).astype(float)


def draw_set_pairs(
    document: DocumentModel, written: Mapping[str, str], seed: int, page_id: str
) -> list[SetPair | str]:
    """Draws pairs of word sets for a document; both sets of a pair have the same length.

    Args:
        document: its model; its vocabulary has a term.
        written: words of the document by their stems; the collection's stand for the others.
        seed: of the run.
        page_id: of the page; the draw hangs on it.

    Returns:
        For each pair the preference, or why there is none. The weight of a word is P(w|D), the score of a set
        the sum of its logarithms.
    """
    profile = document.collection.profile
    lengths = poisson_lengths(uniforms(profile.sets, seed, page_id, "lengths")).repeat(2)  # [2 sets]
    thinning = uniforms(document.known_words, seed, page_id, "thinning") if _thins(document) else None
    drawn = document.draw(uniforms(int(lengths.sum()), seed, page_id, "words"), thinning)  # [words]
    chances = document.chances(drawn)  # [words]
    words = list(zip(_written(document, written, drawn), chances.tolist(), strict=True))
    logarithms = np.log(chances).tolist()  # [words]
    ends = np.cumsum(lengths)  # [2 sets]
    sets = [
        # A sum that hangs on the order of the words would prefer one of two sets that are as likely.
        WordSet(words[start:end], math.fsum(logarithms[start:end]))
        for start, end in zip((ends - lengths).tolist(), ends.tolist(), strict=True)
    ]
    return [prefer(first, second) for first, second in zip(sets[::2], sets[1::2], strict=True)]


def _thins(document: DocumentModel) -> bool:
    profile = document.collection.profile
    return profile.thinned == "document" and profile.sampling == "model"


def _written(document: DocumentModel, written: Mapping[str, str], drawn: np.ndarray) -> list[str]:
    """The words of drawn terms: as the document writes them, else as the collection does."""
    collection = document.collection
    if not written:
        return [collection.words[number] for number in drawn.tolist()]
    own = {collection.numbers[term]: word for term, word in written.items() if term in collection.numbers}
    return [own.get(number, collection.words[number]) for number in drawn.tolist()]
