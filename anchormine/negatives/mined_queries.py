"""A pair as the query that negatives are mined for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from anchormine.negatives.fingerprints import signatures, text_hash
from anchormine.negatives.query_keys import page_key, query_key


class PairRow(NamedTuple):
    """The columns of `pairs/<task>/` that are read."""

    pair_id: str
    query: str
    document: str
    document_id: str
    sentence_id: str | None
    anchor_id: str | None


class MinedQuery(NamedTuple):
    """A pair without its document's text.

    Attributes:
        pair_id: of the pair.
        query: its text.
        document_id: page_id of the destination.
        key: see `query_key`.
        page: `page_key` of the destination.
        sources: keys of the pages that the link and the sentence stand on, 0 for none.
        text_hash: of the document.
        signature: of the document, 64 bytes.
        file: where its text is.
        number: of the text in it.
    """

    pair_id: str
    query: str
    document_id: str
    key: int
    page: int
    sources: tuple[int, int]
    text_hash: int
    signature: bytes
    file: str
    number: int


def mined_queries(rows: Iterable[PairRow], file: str) -> tuple[list[MinedQuery], list[str]]:
    """Takes pairs apart.

    Args:
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
        sources = (_source(pair.anchor_id), _source(pair.sentence_id))
        queries.append(
            MinedQuery(
                pair.pair_id, pair.query, pair.document_id, query_key(pair.query), page_key(pair.document_id),
                sources, hashes[number], marks[number], file, number,
            )
        )  # fmt: skip
    return queries, texts


def distinct_positions(values: Iterable[str]) -> tuple[list[str], list[int]]:
    """The distinct values in the order in which they come first, and the place of each value among them."""
    places: dict[str, int] = {}
    numbers = [places.setdefault(value, len(places)) for value in values]
    return list(places), numbers


def _source(occurrence_id: str | None) -> int:
    """The key of the page that an anchor or a sentence stands on: its id is that before the "#"."""
    return page_key(occurrence_id.rpartition("#")[0]) if occurrence_id else 0
