"""A training example of a ranker, and the order in which examples come."""

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

Item = TypeVar("Item")

# Batches are cut from so many batches' worth of examples sorted by length: with MiniLM and HARP's pairs this
# leaves a tenth of the padding.
SORTED_BATCHES = 16


class Example(NamedTuple):
    """A preference: (query, document) is to score above (negative_query, negative_document).

    Attributes:
        task: what it was mined for; its loss is logged by this name.
        query: of the positive side.
        document: of the positive side.
        negative_query: may be the query again.
        negative_document: may be the document again.
    """

    task: str
    query: str
    document: str
    negative_query: str
    negative_document: str

    def size(self) -> int:
        """Characters of the longer side."""
        return max(
            len(self.query) + len(self.document), len(self.negative_query) + len(self.negative_document)
        )


def shuffle_window(items: Iterable[Item], window: int, rng: random.Random) -> Iterator[Item]:
    """Shuffles a stream with so much memory as `window` items take.

    An item comes at most `window` places early, and on average as much late; a window of all items is a full
    shuffle.

    Args:
        items: the stream.
        window: how many items wait at a time.
        rng: draws which one goes.
    """
    waiting: list[Item] = []
    for item in items:
        if len(waiting) < window:
            waiting.append(item)
            continue
        place = rng.randrange(window)
        yield waiting[place]
        waiting[place] = item
    rng.shuffle(waiting)
    yield from waiting


def cut_batches(
    examples: Iterable[Example], batch_size: int, rng: random.Random, longest: int
) -> Iterator[Sequence[Example]]:
    """Cuts a shuffled stream into batches of like length, which come in random order again.

    Args:
        examples: the stream.
        batch_size: of a batch; the last one may be smaller.
        rng: draws the order of the batches.
        longest: characters beyond which a text is cut anyway, so that longer ones count as alike.
    """
    for pool in chunks(examples, batch_size * SORTED_BATCHES):
        by_size = sorted(pool, key=lambda example: min(example.size(), longest))
        batches = list(chunks(by_size, batch_size))
        rng.shuffle(batches)
        yield from batches


def chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    source = iter(items)
    while chunk := list(islice(source, size)):
        yield chunk
