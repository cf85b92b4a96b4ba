"""Reads the documents of pairs, which `ReadQueries` has put on disk."""

from collections.abc import Iterable

from anchormine.negatives.mined_queries import MinedQuery
from anchormine.transforms.array_files import read_texts

Place = tuple[str, int]  # of a text: its file, and its number in it


def read_positives(queries: Iterable[MinedQuery]) -> dict[Place, str]:
    """Reads the documents of pairs, each once."""
    files: dict[str, list[int]] = {}
    for file, number in sorted({place_of(query) for query in queries}):
        files.setdefault(file, []).append(number)
    return {
        (file, number): text
        for file, numbers in files.items()
        for number, text in zip(numbers, read_texts(file, numbers), strict=True)
    }


def place_of(query: MinedQuery) -> Place:
    """Where the document of a pair is."""
    return query.file, query.number
