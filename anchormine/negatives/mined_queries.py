"""A pair as the query that negatives are mined for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from anchormine.negatives.fingerprints import signatures, text_hash
from anchormine.negatives.provenance import NO_KEY, PairRow, provenance
from anchormine.negatives.query_keys import page_key


class MinedQuery(NamedTuple):
    """A pair without its document's text.

    Attributes:
        pair_id: of the pair.
        query: its text.
        document_id: page_id of the destination.
        page: `page_key` of the destination.
        texts: the next three are as in `Provenance`.
        context: see there.
        sources: see there.
        text_hash: of the document.
        signature: of the document, 64 bytes.
        file: where its text is.
        number: of the text in it.
    """

    pair_id: str
    query: str
    document_id: str
    page: int
    texts: tuple[int, int]
    context: int
    sources: tuple[int, int]
    text_hash: int
    signature: bytes
    file: str
    number: int

    @property
    def key(self) -> int:
        """The key of the query itself, by which the work is divided."""
        return self.texts[0]

    @property
    def asked(self) -> list[int]:
        """The keys of all that other answers are known by."""
        return [key for key in (*self.texts, self.context) if key != NO_KEY]


def mined_queries(task: str, rows: Iterable[PairRow], file: str) -> tuple[list[MinedQuery], list[str]]:
    """Takes pairs apart.

    Args:
        task: of the pairs.
        rows: some pairs.
        file: where the texts will be.

    Returns:
        The queries in the order of the pairs, and the distinct texts of their documents.
    """
    pairs = list(rows)
    numbers: dict[str, int] = {}
    for pair in pairs:
        numbers.setdefault(pair.document, len(numbers))
    texts = list(numbers)
    hashes = [text_hash(text) for text in texts]
    marks = [row.tobytes() for row in signatures(texts)]
    queries = []
    for pair in pairs:
        number = numbers[pair.document]
        queries.append(
            MinedQuery(
                pair.pair_id, pair.query, pair.document_id, page_key(pair.document_id),
                *provenance(task, pair), hashes[number], marks[number], file, number,
            )
        )  # fmt: skip
    return queries, texts


def distinct_positions(values: Iterable[str]) -> tuple[list[str], list[int]]:
    """The distinct values in the order in which they come first, and the place of each value among them."""
    places: dict[str, int] = {}
    numbers = [places.setdefault(value, len(places)) for value in values]
    return list(places), numbers
