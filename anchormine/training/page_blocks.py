"""Pages of a dataset folder as blocks of pieces, for a masked language model."""

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from anchormine.datasets import DatasetFolder
from anchormine.errors import UsageError
from anchormine.training.examples import shuffle_window
from anchormine.training.masking import NO_WORD

# Pages that are cut into pieces at a time.
PAGES_AT_A_TIME = 64
# A rest of fewer pieces is not worth a sequence.
SHORTEST_BLOCK = 16


class Block(NamedTuple):
    """A run of pieces of one page, with [CLS] and [SEP].

    Attributes:
        ids: [<= length] int32.
        words: number of each piece's word, `NO_WORD` for the special ones, [<= length] int32.
    """

    ids: np.ndarray
    words: np.ndarray


class PageBlocks:
    """Reads page texts; in memory are a few pages and the window.

    Attributes:
        blocks: of an epoch; counted in a pass of its own.
        pieces: of an epoch.
    """

    def __init__(self, folder: DatasetFolder, tokenizer: Any, length: int, window: int, seed: int) -> None:
        """Counts the blocks.

        Args:
            folder: with `pages/`.
            tokenizer: a fast one.
            length: tokens of a block, with the special ones.
            window: blocks that wait to be shuffled.
            seed: of the order.

        Raises:
            UsageError: no page has text.
        """
        self._folder, self._tokenizer, self._length = folder, tokenizer, length
        self._window, self._seed = window, seed
        sizes = [len(block.ids) for block in self._blocks()]
        self.blocks, self.pieces = len(sizes), sum(sizes)
        if not self.blocks:
            raise UsageError(
                f"{folder.path}: no page has {SHORTEST_BLOCK} tokens of text; nothing to train on"
            )

    def batches(self, epoch: int, batch_size: int) -> Iterator[Sequence[Block]]:
        """Yields an epoch's batches, the same ones each time."""
        rng = random.Random(f"{self._seed} {epoch}")
        blocks = shuffle_window(self._blocks(), self._window, rng)
        while batch := list(islice(blocks, batch_size)):
            yield batch

    def _blocks(self) -> Iterator[Block]:
        pages = page_texts(self._folder)
        while texts := list(islice(pages, PAGES_AT_A_TIME)):
            encoded = self._tokenizer(texts, add_special_tokens=False, verbose=False)
            for row, ids in enumerate(encoded["input_ids"]):
                yield from self._cut(np.array(ids, np.int32), np.array(encoded.word_ids(row), np.int32))

    def _cut(self, ids: np.ndarray, words: np.ndarray) -> Iterator[Block]:
        room = self._length - 2
        for start in range(0, len(ids), room):
            piece = slice(start, start + room)
            if len(ids[piece]) >= SHORTEST_BLOCK:
                yield Block(
                    np.concatenate(
                        ([self._tokenizer.cls_token_id], ids[piece], [self._tokenizer.sep_token_id])
                    ),
                    np.concatenate(([NO_WORD], words[piece] - words[start], [NO_WORD])),
                )


def page_texts(folder: DatasetFolder) -> Iterator[str]:
    """Yields the title and the text of each page that has text."""
    for batch in folder.iter_batches("pages", ("title", "text"), batch_rows=256):
        for title, text in zip(batch["title"].to_pylist(), batch["text"].to_pylist(), strict=True):
            if text:
                yield f"{title}\n{text}"


def pad(blocks: Sequence[Block], pad_id: int) -> tuple[np.ndarray, np.ndarray]:
    """Puts blocks into arrays as wide as the widest.

    Returns:
        Pieces, `pad_id` at the end, and words, `NO_WORD` at the end, [blocks, length] int64 both.
    """
    width = max(len(block.ids) for block in blocks)
    ids = np.full((len(blocks), width), pad_id, np.int64)
    words = np.full((len(blocks), width), NO_WORD, np.int64)
    for row, block in enumerate(blocks):
        ids[row, : len(block.ids)] = block.ids
        words[row, : len(block.words)] = block.words
    return ids, words
