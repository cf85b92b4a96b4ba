"""From rows of attention to weights of terms: beta_w of HARP section 3.2, one text at a time, without torch.

alpha_t = mean over the heads of A[row, t], where the row is [CLS] or an anchor; beta_w = sum of alpha_t over
the pieces of the word w and over all its places in the text. Stop words have no beta.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from anchormine.sampling.stop_words import is_stop_word
from anchormine.sampling.terms import Word, find_words

TRUNCATED = "truncated"  # part of the span lies beyond what the encoder read
NO_PIECES = "no_pieces"  # the tokenizer made nothing of the span
NOT_FOUND = "not_found"  # profile `code`: the anchor's pieces, tokenized alone, do not occur in the text


class SpanText(NamedTuple):
    """A text to weigh, and the spans to weigh its terms against.

    Attributes:
        text: a sentence, or the lead of a page.
        spans: (first character, character after the last) of each anchor.
        language: chooses the stop words where the weigher was given none.
    """

    text: str
    spans: Sequence[tuple[int, int]] = ()
    language: str | None = None


class TermWeights(NamedTuple):
    """Terms and their weights: `terms` distinct, in order of occurrence; `weights` [T] are float64 >= 0."""

    terms: tuple[str, ...]
    weights: np.ndarray


class SpanWeights(NamedTuple):
    """What an anchor sees.

    Attributes:
        terms: weights of the text's terms relative to the anchor; None with a reason.
        importance: [CLS] attention to the anchor, averaged over its pieces (RDP); None with a reason.
        reason: `TRUNCATED`, `NO_PIECES` or `NOT_FOUND`, else None.
    """

    terms: TermWeights | None
    importance: float | None
    reason: str | None = None


class TextWeights(NamedTuple):
    """The weights of one text.

    Attributes:
        cls: weights of its terms relative to [CLS].
        spans: one for each span of the `SpanText`.
        truncated: the text is longer than the encoder reads; what lies beyond has no weight.
    """

    cls: TermWeights
    spans: list[SpanWeights]
    truncated: bool = False


class Weigher(Protocol):
    """Weighs the terms of texts: by attention, tf * idf, or all alike."""

    def weigh(self, texts: Sequence[SpanText]) -> list[TextWeights]: ...


class SpanRow(NamedTuple):
    """The attention of one anchor: `row` [L] to each piece, and its importance if it is found whole."""

    row: np.ndarray
    importance: float | None


class PieceRows(NamedTuple):
    """The attention of a text's pieces, without [CLS] and [SEP].

    Attributes:
        pieces: [L] as the tokenizer writes them.
        offsets: [L, 2] characters of each piece in the text.
        cls: [L] attention of the [CLS] row to each piece.
        spans: for each span its row, or the reason why it has none.
        truncated: whether pieces were cut off.
    """

    pieces: list[str]
    offsets: np.ndarray
    cls: np.ndarray
    spans: list[SpanRow | str]
    truncated: bool


def weigh_words(text: str, rows: PieceRows, stop_words: Collection[str]) -> TextWeights:
    """Sums the attention of pieces to whole words; a piece that is part of several words counts for each."""
    words = kept_words(text, stop_words)
    starts, ends = np.array([word[1:] for word in words], int).reshape(-1, 2).T  # [W], [W]
    first = np.searchsorted(rows.offsets[:, 1], starts, side="right")  # [W] first piece that ends inside
    last = np.searchsorted(rows.offsets[:, 0], ends, side="left")  # [W] first piece that starts behind
    seen = last > first  # [W] false beyond the cut
    terms = [word.term for word, has_pieces in zip(words, seen, strict=True) if has_pieces]
    first, last = first[seen], last[seen]

    def to_words(row: np.ndarray) -> np.ndarray:
        sums = np.concatenate(([0.0], np.cumsum(row, dtype=np.float64)))  # [L + 1]
        return sums[last] - sums[first]  # [W]

    return _sum_equal_terms(rows, terms, to_words)


def weigh_pieces(rows: PieceRows, stop_words: Collection[str]) -> TextWeights:
    """Takes the pieces themselves as terms (profile `code`)."""
    kept = np.array([piece not in stop_words for piece in rows.pieces], bool)  # [L]
    terms = [piece for piece in rows.pieces if piece not in stop_words]
    return _sum_equal_terms(rows, terms, lambda row: row[kept])


def kept_words(text: str, stop_words: Collection[str]) -> list[Word]:
    """The words of a text that are no stop words, in order."""
    return [word for word in find_words(text) if not is_stop_word(word.term, stop_words)]


def _sum_equal_terms(
    rows: PieceRows, places: list[str], to_places: Callable[[np.ndarray], np.ndarray]
) -> TextWeights:
    """Adds up the weights of equal terms, for [CLS] and for each span.

    Args:
        rows: attention to each piece.
        places: [W] the term at each place where one stands.
        to_places: turns a row over pieces [L] into one over places [W].
    """
    distinct: dict[str, int] = {}
    index = np.array([distinct.setdefault(term, len(distinct)) for term in places], int)  # [W]
    terms = tuple(distinct)

    def weigh(row: np.ndarray) -> TermWeights:
        return TermWeights(terms, np.bincount(index, to_places(row), len(terms)))  # [T]

    spans = [
        SpanWeights(None, None, span)
        if isinstance(span, str)
        else SpanWeights(weigh(span.row), span.importance)
        for span in rows.spans
    ]
    return TextWeights(weigh(rows.cls), spans, rows.truncated)
