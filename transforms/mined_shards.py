"""A part of the corpus that negatives are mined from, as its files in the scratch folder.

Documents of pages on the side of training come first, then those of the validation's; on each side they are
in the order of `pages/`.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from anchormine.negatives.postings import Postings
from anchormine.sampling.splits import TRAIN
from anchormine.transforms.array_files import read_arrays, read_texts, write_arrays, write_texts


class Shard(NamedTuple):
    """A part of the corpus.

    Attributes:
        number: its place among the parts.
        path: what its files' names begin with.
        train: how many of its documents are on the side of training.
        documents: how many it has.
    """

    number: int
    path: str
    train: int
    documents: int


class Marks(NamedTuple):
    """What the guards look at, by document.

    Attributes:
        names: keys of the documents, [D] uint64.
        pages: keys of their pages, [D] uint64.
        texts: hashes of their texts, [D] uint64.
        signatures: see `anchormine.negatives.fingerprints.signatures`, [D, 64] uint8.
    """

    names: np.ndarray
    pages: np.ndarray
    texts: np.ndarray
    signatures: np.ndarray


class ShardSide(NamedTuple):
    """The documents of a part that are on one side.

    Attributes:
        shard: the part.
        start: the first of them in it.
        end: the one after the last.
        first: position of the first among those of the whole corpus on this side.
    """

    shard: Shard
    start: int
    end: int
    first: int


def sides(shards: Sequence[Shard], split: str) -> list[ShardSide]:
    """The documents of one side, part after part; parts without any are left out."""
    ordered = sorted(shards)
    spans = [(0, shard.train) if split == TRAIN else (shard.train, shard.documents) for shard in ordered]
    firsts = accumulate((end - start for start, end in spans), initial=0)
    return [
        ShardSide(shard, start, end, first)
        for shard, (start, end), first in zip(ordered, spans, firsts, strict=False)
        if start < end
    ]


def write_marks(path: str, marks: Marks) -> None:
    """Writes what the guards look at."""
    write_arrays(f"{path}.marks", marks)


def read_marks(shard: Shard) -> Marks:
    """Reads it."""
    return Marks(*read_arrays(f"{shard.path}.marks", len(Marks._fields)))


def write_postings(path: str, postings: Postings) -> None:
    """Writes the terms of the documents."""
    write_arrays(f"{path}.postings", postings)


def read_postings(shard: Shard) -> tuple[Postings, np.ndarray]:
    """Reads them, and how many documents of the whole corpus hold each term."""
    (frequencies,) = read_arrays(f"{shard.path}.frequencies", 1)
    return Postings(*read_arrays(f"{shard.path}.postings", len(Postings._fields))), frequencies


def write_frequencies(path: str, frequencies: np.ndarray) -> None:
    """Writes how many documents of the whole corpus hold each term of a part."""
    write_arrays(f"{path}.frequencies", [frequencies])


def write_vectors(path: str, vectors: np.ndarray) -> None:
    """Writes the documents' embeddings, [D, d] float32."""
    write_arrays(f"{path}.vectors", [vectors])


def read_vectors(shard: Shard) -> np.ndarray:
    """Reads them."""
    return read_arrays(f"{shard.path}.vectors", 1)[0]


def write_documents(path: str, ids: Sequence[str], texts: Sequence[str]) -> None:
    """Writes the documents."""
    write_texts(f"{path}.texts", (f"{name}\n{text}" for name, text in zip(ids, texts, strict=True)))


def read_documents(shard: Shard, numbers: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Yields (document_id, text) of some documents, whose numbers are rising."""
    for record in read_texts(f"{shard.path}.texts", numbers):
        name, _, text = record.partition("\n")
        yield name, text
