"""Texts as the input of an encoder: cut into pieces, and put together with others as long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

# A text is first read up to so many characters for each piece that is wanted. English has 4 to 5.
CHARACTERS_PER_PIECE = 16


class TextBatch(NamedTuple):
    """Texts that are encoded together.

    Attributes:
        places: of the texts in the list that they come from, [B].
        inputs: what the tokenizer gives, [B, L] int64 each.
    """

    places: np.ndarray
    inputs: dict[str, torch.Tensor]


def text_batches(tokenizer: Any, texts: Sequence[str], length: int, batch_size: int) -> Iterator[TextBatch]:
    """Yields batches of texts of like length, the longest first; they depend on the list alone.

    Args:
        tokenizer: of the model.
        texts: what is beyond `length` pieces is left out.
        length: pieces of a text, special ones among them.
        batch_size: texts of a batch, at most.
    """
    pieces = cut_pieces(tokenizer, texts, length)
    order = np.argsort([-len(ids) for ids in pieces["input_ids"]], kind="stable")
    for start in range(0, len(order), batch_size):
        places = order[start : start + batch_size]
        yield TextBatch(places, pad_pieces(tokenizer, pieces, places.tolist()))


def cut_pieces(tokenizer: Any, texts: Sequence[str], length: int) -> dict[str, list[list[int]]]:
    """The pieces of texts, by the names of the model's inputs.

    A tokenizer reads a text to its end before it cuts it, and a page may be a thousand times as long as what
    is wanted. So only the text's beginning is read; where that was not enough (as where there are long runs
    of blanks) the whole text is.
    """
    starts = [_beginning(text, length * CHARACTERS_PER_PIECE) for text in texts]
    pieces = _pieces(tokenizer, starts, length)
    short = [
        place
        for place, (start, text) in enumerate(zip(starts, texts, strict=True))
        if len(start) < len(text) and len(pieces["input_ids"][place]) < length
    ]
    if short:
        whole = _pieces(tokenizer, [texts[place] for place in short], length)
        for name, rows in whole.items():
            for place, row in zip(short, rows, strict=True):
                pieces[name][place] = row
    return pieces


def pad_pieces(
    tokenizer: Any, pieces: dict[str, list[list[int]]], places: list[int]
) -> dict[str, torch.Tensor]:
    """The input of a model for some of the texts, padded to the longest of these."""
    rows = {name: [values[place] for place in places] for name, values in pieces.items()}
    return dict(tokenizer.pad(rows, padding=True, return_tensors="pt"))


def _beginning(text: str, characters: int) -> str:
    """A text up to a blank, so that no word is cut; whole where it is short or has no blank."""
    if len(text) <= characters:
        return text
    blank = text.rfind(" ", 0, characters)
    return text[:blank] if blank > 0 else text


def _pieces(tokenizer: Any, texts: list[str], length: int) -> dict[str, list[list[int]]]:
    if not texts:
        return {"input_ids": []}
    return dict(tokenizer(texts, truncation=True, max_length=length, padding=False))
