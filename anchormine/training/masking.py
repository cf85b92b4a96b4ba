"""Whole-word masking for a masked language model (BERT, NAACL 2019), drawn anew each time a text is seen."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch

from anchormine.training.settings import check_range

# what torch's cross-entropy leaves out
NO_LABEL = -100
# of a position that belongs to no word, such as [CLS]
NO_WORD = -1


class Masked(NamedTuple):
    """Sequences with words hidden.

    Attributes:
        ids: pieces, some replaced, [rows, length] int64.
        labels: what was there, `NO_LABEL` where nothing is to be predicted, [rows, length] int64.
    """

    ids: torch.Tensor
    labels: torch.Tensor


@dataclass(frozen=True)
class WordMasking:
    """What is hidden: HARP's and PROP's constants are the defaults.

    Attributes:
        mask_id: of [MASK].
        ordinary_ids: all pieces of the vocabulary but the special ones, [pieces].
        share: part of the words of a sequence.
        max_pieces: of a sequence, at most.
        as_mask: part of the chosen pieces that become [MASK] ...
        as_other: ... and that become a random piece; the rest stay as they are.
    """

    mask_id: int
    ordinary_ids: np.ndarray
    share: float = 0.15
    max_pieces: int = 60
    as_mask: float = 0.8
    as_other: float = 0.1

    def __post_init__(self) -> None:
        check_range("share", self.share, 0.0, 1.0)
        check_range("max_pieces", self.max_pieces, 1)

    @classmethod
    def of(cls, tokenizer: Any, **options: Any) -> "WordMasking":
        """The masking that fits a tokenizer."""
        special = set(tokenizer.all_special_ids)
        ordinary = [piece for piece in range(len(tokenizer)) if piece not in special]
        return cls(tokenizer.mask_token_id, np.array(ordinary), **options)

    def __call__(self, ids: np.ndarray, words: np.ndarray, rng: np.random.Generator) -> Masked:
        """Hides words.

        Args:
            ids: pieces, [rows, length] int64.
            words: number of the word that each piece is of, 0 and up in each row, `NO_WORD` for pieces that
                must stay, [rows, length].
            rng: draws the words and what replaces them.
        """
        chosen = np.stack([self._choose(row, rng) for row in words])  # [rows, length] bool
        labels = np.where(chosen, ids, NO_LABEL)  # [rows, length]
        fate = rng.random(ids.shape)  # [rows, length]
        other = rng.choice(self.ordinary_ids, ids.shape)  # [rows, length]
        masked = np.where(chosen & (fate < self.as_mask), self.mask_id, ids)  # [rows, length]
        replaced = chosen & (fate >= self.as_mask) & (fate < self.as_mask + self.as_other)  # [rows, length]
        return Masked(torch.from_numpy(np.where(replaced, other, masked)), torch.from_numpy(labels))

    def _choose(self, words: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Picks the pieces of a share of the words of one row, [length] bool."""
        pieces = np.bincount(words[words != NO_WORD])  # [words]; 0 for a number that no piece here has
        present = rng.permutation(np.flatnonzero(pieces))  # [words present]
        drawn = present[: max(1, round(self.share * len(present)))]
        drawn = drawn[np.cumsum(pieces[drawn]) <= self.max_pieces]
        return np.isin(words, drawn)
