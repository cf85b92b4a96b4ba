"""What a collection has so far: its documents, its queries, and what is judged.

All of it is in a database on disk, so that memory is bounded however large the collection is: equal documents
and queries are recognised by it, and qrels and runs come out of it in order.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from anchormine.errors import CommandError
from anchormine.text.case_folding import folded

CACHE_BYTES = 64 << 20
_TABLES = """
CREATE TABLE titles (page_id TEXT PRIMARY KEY, title TEXT) WITHOUT ROWID;
CREATE TABLE documents (number INTEGER PRIMARY KEY, page_id TEXT, digest BLOB, doc_id TEXT UNIQUE,
    UNIQUE (page_id, digest));
CREATE TABLE queries (number INTEGER PRIMARY KEY, digest BLOB UNIQUE, query_id TEXT UNIQUE);
CREATE TABLE judgements (split TEXT, query INTEGER, document INTEGER, PRIMARY KEY (query, document, split))
    WITHOUT ROWID;
CREATE TABLE retrieved (split TEXT, query INTEGER, document INTEGER, score REAL,
    PRIMARY KEY (split, query, document)) WITHOUT ROWID;
"""


class Entry(NamedTuple):
    """A document or a query of the collection.

    Attributes:
        number: its place in the collection, from 0.
        id: its docid or query id, which no other has.
        is_new: whether it was not there before.
        is_page: whether its id is a page's.
    """

    number: int
    id: str
    is_new: bool
    is_page: bool = False


class Catalogue:
    """The catalogue of one collection."""

    def __init__(self, path: Path) -> None:
        """Makes an empty one.

        Args:
            path: of a file that is not there yet.
        """
        self._database = sqlite3.connect(path, isolation_level=None)
        self._database.executescript(
            f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -{CACHE_BYTES >> 10};"
            + _TABLES
            + "BEGIN;"
        )

    def close(self) -> None:
        """Closes its file, which nobody needs any more."""
        self._database.close()

    def add_titles(self, titles: Iterable[tuple[str, str]]) -> None:
        """Takes titles by page_id."""
        self._database.executemany("INSERT OR REPLACE INTO titles VALUES (?, ?)", titles)

    def title(self, page_id: str) -> str:
        """The title of a page; "" of one that has none."""
        found = self._database.execute("SELECT title FROM titles WHERE page_id = ?", (page_id,)).fetchone()
        return found[0] if found else ""

    def document(self, page_id: str, text: str, passage: bool = False) -> Entry:
        """Finds a document, or adds it.

        A page's first text that is no passage has the page_id for its docid; another, and every passage,
        has besides "#" and 16 hex digits of the text's blake2b.

        Args:
            page_id: of the page it is, or is part of.
            text: of the document.
            passage: whether it is part of a page.
        """
        digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
        found = self._database.execute(
            "SELECT number, doc_id FROM documents WHERE page_id = ? AND digest = ?", (page_id, digest)
        ).fetchone()
        if found:
            number, doc_id = found
            return Entry(number - 1, doc_id, False, doc_id == page_id)
        own_text = passage or self._has_document(page_id)
        doc_id = f"{page_id}#{digest.hex()}" if own_text else page_id
        inserted = self._database.execute(
            "INSERT INTO documents (page_id, digest, doc_id) VALUES (?, ?, ?)", (page_id, digest, doc_id)
        )
        return Entry(_place(inserted), doc_id, True, doc_id == page_id)

    def _has_document(self, doc_id: str) -> bool:
        found = self._database.execute("SELECT 1 FROM documents WHERE doc_id = ?", (doc_id,))
        return found.fetchone() is not None

    def query(self, query_id: str, text: str) -> Entry:
        """Finds a query, or adds it; texts that differ in capitals and spaces only are one query.

        Args:
            query_id: of the query, if it is new.
            text: of the query.

        Raises:
            CommandError: the id is that of another query.
        """
        digest = hashlib.blake2b(folded(text).encode(), digest_size=16).digest()
        found = self._database.execute(
            "SELECT number, query_id FROM queries WHERE digest = ?", (digest,)
        ).fetchone()
        if found:
            return Entry(found[0] - 1, found[1], False)
        try:
            inserted = self._database.execute(
                "INSERT INTO queries (digest, query_id) VALUES (?, ?)", (digest, query_id)
            )
        except sqlite3.IntegrityError:
            raise CommandError(f"query id {query_id}: two texts have it; ids must be unique") from None
        return Entry(_place(inserted), query_id, True)

    def judge(self, split: str, query: Entry, document: Entry) -> bool:
        """Notes that a document is relevant; tells whether that is new."""
        row = (split, query.number, document.number)
        return self._database.execute("INSERT OR IGNORE INTO judgements VALUES (?, ?, ?)", row).rowcount > 0

    def is_relevant(self, query: int, document: int) -> bool:
        """Whether a document is relevant to a query in some split; both by their numbers."""
        found = self._database.execute(
            "SELECT 1 FROM judgements WHERE query = ? AND document = ?", (query, document)
        )
        return found.fetchone() is not None

    def retrieve(self, split: str, query: Entry, document: Entry, score: float) -> None:
        """Notes that a document was found with a score; of several, the highest counts."""
        self._database.execute(
            "INSERT INTO retrieved VALUES (?, ?, ?, ?) "
            "ON CONFLICT DO UPDATE SET score = max(score, excluded.score)",
            (split, query.number, document.number, score),
        )

    def ids(self) -> Iterator[str]:
        """Yields the ids of all documents and queries."""
        rows = self._database.execute("SELECT doc_id FROM documents UNION ALL SELECT query_id FROM queries")
        return (row[0] for row in rows)

    def judgements(self, split: str) -> Iterator[tuple[int, str, int, str]]:
        """Yields number and id of each query, and of each document that is relevant to it, in order."""
        return self._database.execute(
            "SELECT query, query_id, document, doc_id FROM judgements "
            "JOIN queries ON queries.number = query + 1 JOIN documents ON documents.number = document + 1 "
            "WHERE split = ? ORDER BY query, document",
            (split,),
        )

    def ranking(self, split: str) -> Iterator[tuple[str, str, float]]:
        """Yields the ids of each query and of what was found for it, with scores, the best first."""
        return self._database.execute(
            "SELECT query_id, doc_id, score FROM retrieved "
            "JOIN queries ON queries.number = query + 1 JOIN documents ON documents.number = document + 1 "
            "WHERE split = ? ORDER BY query, score DESC, document",
            (split,),
        )


def _place(inserted: sqlite3.Cursor) -> int:
    if inserted.lastrowid is None:
        raise RuntimeError("sqlite has not numbered a row")
    return inserted.lastrowid - 1
