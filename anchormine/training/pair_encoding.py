"""Queries and documents as the input of a cross-encoder: `[CLS] q [SEP] d [SEP]`."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from anchormine.training.masking import NO_WORD


class EncodedPairs(NamedTuple):
    """A batch of sequences.

    Attributes:
        inputs: what the model's forward takes: input_ids, attention_mask, ..., [rows, length] int64 each.
        document_words: for each piece the number of its word in the document, `NO_WORD` outside of it,
            [rows, length].
        query_pieces: whether a piece is of the query, [rows, length] bool.
    """

    inputs: dict[str, torch.Tensor]
    document_words: np.ndarray
    query_pieces: np.ndarray


class PairEncoder:
    """Joins queries and documents; the document is cut from its end, the query never (HARP, section 3.5).

    Attributes:
        length: tokens of a sequence, at most.
        query_room: pieces that a query may have: the special tokens and one piece of the document go beside
            it.
    """

    def __init__(self, tokenizer: Any, length: int) -> None:
        self._tokenizer = tokenizer
        self.length = length
        self.query_room = length - tokenizer.num_special_tokens_to_add(pair=True) - 1

    def problem(self, query: str) -> str | None:
        """Why a query cannot be used: it is empty, or leaves no room for a document; None if it can be."""
        pieces = len(self._pieces(query))
        if pieces == 0:
            return "query without a token"
        return None if pieces <= self.query_room else f"query longer than {self.query_room} tokens"

    def cut_query(self, query: str, pieces: int) -> str:
        """A query without what is beyond its first `pieces` pieces."""
        if len(query.encode()) <= pieces:
            return query
        spans = self._tokenizer(query, add_special_tokens=False, return_offsets_mapping=True)[
            "offset_mapping"
        ]
        if len(spans) <= pieces:
            return query
        # A character can be several pieces, as one of Hangul: one that does not fit whole is left out.
        return query[: min(spans[pieces - 1][1], spans[pieces][0])]

    def _pieces(self, text: str) -> list[int]:
        # verbose off: a text beyond the model's length is no mistake here
        return self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]

    def encode(self, queries: Sequence[str], documents: Sequence[str]) -> EncodedPairs:
        """Makes a batch, padded to its longest sequence.

        Args:
            queries: each of which must fit.
            documents: as many.
        """
        batch = self._tokenizer(
            list(queries),
            list(documents),
            truncation="only_second",
            max_length=self.length,
            padding=True,
            return_tensors="pt",
        )
        sides = [batch.sequence_ids(row) for row in range(len(queries))]
        words = [batch.word_ids(row) for row in range(len(queries))]
        return EncodedPairs(dict(batch), _side_words(words, sides), np.array(sides, dtype=object) == 0)


def _side_words(words: list[list[int | None]], sides: list[list[int | None]]) -> np.ndarray:
    """Word numbers of the second side, [rows, length]."""
    return np.array(
        [
            [
                word if side == 1 and word is not None else NO_WORD
                for word, side in zip(row, row_sides, strict=True)
            ]
            for row, row_sides in zip(words, sides, strict=True)
        ]
    )
