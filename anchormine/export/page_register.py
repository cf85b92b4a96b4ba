"""The pages of a folder with their places and titles, on disk: what links are looked up in."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa

from anchormine.export.catalogue import CACHE_BYTES
from anchormine.export.job import ExportJob

NOWHERE = -1


class PageRegister:
    """Pages by page_id."""

    def __init__(self, path: Path, job: ExportJob) -> None:
        """Reads the pages.

        Args:
            path: of a file that is not there yet.
            job: the export.
        """
        self._database = sqlite3.connect(path, isolation_level=None)
        self._database.executescript(
            f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -{CACHE_BYTES >> 10};"
            "CREATE TABLE pages (page_id TEXT PRIMARY KEY, place INTEGER, title TEXT) WITHOUT ROWID; BEGIN;"
        )
        pages = enumerate(job.rows("pages", ("page_id", "title")))
        rows = ((page["page_id"], place, page["title"]) for place, page in pages)
        self._database.executemany("INSERT OR IGNORE INTO pages VALUES (?, ?, ?)", rows)

    def close(self) -> None:
        """Closes its file."""
        self._database.close()

    def title(self, page_id: str) -> str | None:
        """The title of a page; None of one that is not there."""
        found = self._database.execute("SELECT title FROM pages WHERE page_id = ?", (page_id,)).fetchone()
        return found[0] if found else None

    def places(self, page_ids: pa.Array) -> np.ndarray:
        """Looks pages up, each once.

        Args:
            page_ids: strings, or null.

        Returns:
            Their places among the pages, from 0, int64 [n]; `NOWHERE` for null and for one that is not there.
        """
        coded = page_ids.dictionary_encode()
        known = [self._place(page_id) for page_id in coded.dictionary.to_pylist()]
        codes = coded.indices.fill_null(len(known)).to_numpy(zero_copy_only=False)
        return np.array([*known, NOWHERE], np.int64)[codes]

    def _place(self, page_id: str) -> int:
        found = self._database.execute("SELECT place FROM pages WHERE page_id = ?", (page_id,)).fetchone()
        return found[0] if found else NOWHERE


@contextmanager
def page_register(job: ExportJob) -> Iterator[PageRegister]:
    """Opens the register of the folder's pages."""
    path = job.output.scratch / "pages.sqlite"
    register = PageRegister(path, job)
    try:
        yield register
    finally:
        register.close()
        path.unlink()
