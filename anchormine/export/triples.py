"""Triples that wait on disk until everything is judged.

Queries of equal text are one query of a collection, so what is a negative in one row can be relevant by a
later one. Such a triple would contradict the qrels, and only at the end it is known.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from anchormine.export.text_files import json_text


class TriplesOfRow(NamedTuple):
    """The triples of a row.

    Attributes:
        split: that the row belongs to.
        query: number of its query.
        negatives: number of the negative of each triple.
        lines: each triple as it is written.
        is_counted: whether the row is counted as written already.
    """

    split: str
    query: int
    negatives: list[int]
    lines: list[str]
    is_counted: bool


class WaitingTriples:
    """Triples in the order in which they came; only those of one row are in memory.

    Attributes:
        triples: how many there are.
    """

    def __init__(self, stream: IO[str]) -> None:
        """Takes an empty file, to be written and read."""
        self._stream = stream
        self.triples = 0

    def add(self, row: TriplesOfRow) -> None:
        """Takes the triples of a row."""
        self._stream.write(json_text(row._asdict()) + "\n")
        self.triples += len(row.lines)

    def rows(self) -> Iterator[TriplesOfRow]:
        """Yields what was taken."""
        self._stream.seek(0)
        return (TriplesOfRow(**json.loads(line)) for line in self._stream)


@contextmanager
def waiting_triples(scratch: Path) -> Iterator[WaitingTriples]:
    """Opens a place for the triples of one collection.

    Args:
        scratch: a folder for its file.
    """
    path = scratch / "triples.jsonl"
    try:
        with path.open("w+", encoding="utf-8", newline="\n") as stream:
            yield WaitingTriples(stream)
    finally:
        path.unlink(missing_ok=True)
