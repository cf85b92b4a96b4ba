"""Links by a page that they belong to, in the order of the pages, however many there are.

They are divided into files by ranges of pages, so that at most the links of one range are in memory.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

LINKS_PER_RANGE = 200_000
MAX_RANGES = 100  # files that are open at once; beyond 20 million links the ranges grow


class LinksByPage:
    """Takes links in any order, and then gives those of one page after the other."""

    def __init__(self, scratch: Path, schema: pa.Schema, pages: int, links: int) -> None:
        """Settles the ranges.

        Args:
            scratch: a folder for the files.
            schema: of the links.
            pages: how many there are.
            links: how many there are, about.
        """
        ranges = min(MAX_RANGES, max(1, -(-links // LINKS_PER_RANGE)))
        self._span = max(1, -(-pages // ranges))
        self._scratch = scratch
        self._schema = schema.append(pa.field("place", pa.int64()))
        self._writers: dict[int, pa.ipc.RecordBatchStreamWriter] = {}
        self._range = -1
        self._table = self._schema.empty_table()
        self._places = np.zeros(0, np.int64)

    def add(self, links: pa.RecordBatch, places: np.ndarray) -> None:
        """Takes links.

        Args:
            links: that have the schema.
            places: of the page that each belongs to, int64 [n].
        """
        columns = [links.column(name) for name in self._schema.names[:-1]]
        placed = pa.record_batch([*columns, pa.array(places)], schema=self._schema)
        ranges = places // self._span
        for number in np.unique(ranges).tolist():
            self._writer(number).write_batch(placed.filter(pa.array(ranges == number)))

    def _writer(self, number: int) -> pa.ipc.RecordBatchStreamWriter:
        if number not in self._writers:
            options = pa.ipc.IpcWriteOptions(compression="lz4")
            path = str(self._path(number))
            self._writers[number] = pa.ipc.new_stream(pa.OSFile(path, "wb"), self._schema, options=options)
        return self._writers[number]

    def _path(self, number: int) -> Path:
        return self._scratch / f"links-{number}.arrows"

    def finish(self) -> None:
        """Ends the taking of links."""
        for writer in self._writers.values():
            writer.close()

    def of_page(self, place: int) -> pa.Table:
        """The links of a page, in the order in which they were taken; pages are asked for in their order."""
        if place // self._span != self._range:
            self._range = place // self._span
            self._load()
        first, end = np.searchsorted(self._places, [place, place + 1]).tolist()
        return self._table.slice(first, end - first)

    def _load(self) -> None:
        path = self._path(self._range)
        table = self._schema.empty_table()
        if path.exists():
            with pa.OSFile(str(path), "rb") as stream:
                table = pa.ipc.open_stream(stream).read_all()
            path.unlink()
        places = table.column("place").to_numpy()
        order = np.argsort(places, kind="stable")
        self._table, self._places = table.take(pa.array(order)), places[order]
