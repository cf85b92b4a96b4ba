"""The one sink: Parquet shards of bounded size, written aside and published by the launcher.

Beam's own WriteToParquet writes empty shards, leaves old ones of earlier runs, and bounds no size.
"""

import hashlib
import uuid
from collections.abc import Iterable
from typing import IO, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from anchormine.datasets.distributions import TableDistributions, add_up, measure_table
from anchormine.schemas.arrow_rows import to_table
from anchormine.transforms.files import create_file
from anchormine.transforms.waiting_rows import WaitingRows

ROW_GROUP_ROWS = 50_000  # as large as readers like them; of anchors they take about 20 MB
# In memory. A group is there about twice while it is written: whole, and as Parquet has it. Rows of long
# texts, of which even the larger limit allows few, make smaller groups.
MAX_GROUP_BYTES = 32 << 20
LONG_ROW_BYTES, LONG_GROUP_BYTES = 1 << 10, 8 << 20
MAX_SHARD_BYTES = 256 << 20
# So many tables with so few bytes are joined while they wait: each takes up to 20 kB besides its rows.
_PIECES, _PIECES_BYTES = 256, 4 << 20
_COMPRESSION_LEVEL = 3
_TABLE_CHARACTERS = 2 << 20  # of the texts of rows that become one table
# That are encoded at a time, before a page is found to be full: of long texts Arrow's 1,024 make one of 8 MB.
_BATCH_ROWS = 256


class Part(NamedTuple):
    """A written file that has no name yet.

    Attributes:
        table: folder of the table in the dataset, such as "pairs/rqp".
        split: "train" or "validation".
        order: place of the file among those of its table.
        path: where it is now.
        rows: how many it has.
        bytes: its size.
        sha256: of it, in hex.
        distributions: of its columns.
    """

    table: str
    split: str
    order: tuple[int, int]
    path: str
    rows: int
    bytes: int
    sha256: str
    distributions: TableDistributions


class ShardWriter:
    """Writes rows that come in order to files of bounded size; where they are cut depends on rows alone."""

    def __init__(
        self,
        folder: str,
        table: str,
        schema: pa.Schema,
        group: int = 0,
        split: str = "train",
        max_bytes: int = MAX_SHARD_BYTES,
        row_group_rows: int = ROW_GROUP_ROWS,
    ) -> None:
        """Opens nothing yet: a table without rows has no file.

        Args:
            folder: for the files, until they are published.
            table: folder of the table in the dataset.
            schema: of the rows.
            group: place of this writer's rows among those of the table.
            split: "train" or "validation".
            max_bytes: after which a new file is begun.
            row_group_rows: rows that are in memory, and then in a row group; fewer where rows are long.
        """
        self._folder, self._table, self._schema = folder, table, schema
        self._group, self._split, self._max_bytes = group, split, max_bytes
        self._row_group_rows = row_group_rows
        self._waiting: list[pa.Table] = []
        self._joined = 0  # tables at the start of `_waiting` that stay as they are
        self._waiting_rows = self._waiting_bytes = 0
        self._file: _ShardFile | None = None
        self.parts: list[Part] = []

    def write(self, rows: pa.Table) -> None:
        """Takes rows whose columns are those of the schema."""
        if rows.num_rows:
            self._waiting.append(rows.select(self._schema.names).cast(self._schema))
            self._waiting_rows += rows.num_rows
            self._waiting_bytes += rows.nbytes
        if len(self._waiting) - self._joined >= _PIECES:
            self._join()
        while self._waiting_rows >= self._row_group_rows:
            self._write_group(self._row_group_rows)
        are_long = self._waiting_bytes > LONG_ROW_BYTES * self._waiting_rows
        if self._waiting_bytes >= (LONG_GROUP_BYTES if are_long else MAX_GROUP_BYTES):
            self._write_group(self._waiting_rows)

    def write_records(self, records: Iterable[tuple]) -> None:
        """Takes rows, whose values are in the schema's order: few at a time where their texts are long."""
        some: WaitingRows[tuple] = WaitingRows(None, _TABLE_CHARACTERS)
        for record in records:
            some.add(record)
            if some.are_enough:
                self.write(to_table(some.take(), self._schema))
        self.write(to_table(some.take(), self._schema))

    def close(self) -> list[Part]:
        """Writes what waits, and returns the files."""
        if self._waiting_rows:
            self._write_group(self._waiting_rows)
        self._end_file()
        return self.parts

    def _join(self) -> None:
        pieces = self._waiting[self._joined :]
        if sum(piece.nbytes for piece in pieces) <= _PIECES_BYTES:
            self._waiting[self._joined :] = [pa.concat_tables(pieces).combine_chunks()]
        self._joined = len(self._waiting)

    def _write_group(self, count: int) -> None:
        group, rest = _divide(self._waiting, count)
        self._waiting, self._waiting_rows, self._waiting_bytes = [rest], rest.num_rows, rest.nbytes
        self._joined = 1
        if self._file is None:
            name = f"{self._table.replace('/', '-')}-{self._split}-{self._group:06d}-{len(self.parts):06d}"
            name = f"{name}-{uuid.uuid4().hex}"  # another attempt of the same bundle writes another file
            self._file = _ShardFile(f"{self._folder}/{name}.parquet", self._table, self._schema)
        self._file.write(group)
        del group
        pa.default_memory_pool().release_unused()  # else the allocator keeps it, and takes more
        if self._file.sink.bytes >= self._max_bytes:
            self._end_file()

    def _end_file(self) -> None:
        if self._file is None:
            return
        order = (self._group, len(self.parts))
        self.parts.append(Part(self._table, self._split, order, self._file.path, *self._file.close()))
        self._file = None


def _divide(tables: list[pa.Table], count: int) -> tuple[pa.Table, pa.Table]:
    """Takes tables out of a list, and returns copies of their first rows, and of the others.

    The copies go column by column, and what was copied is let go: a slice would hold all that it is of.
    """
    schema = tables[0].schema
    columns = pa.concat_tables(tables).columns[::-1]
    tables.clear()
    first, others = [], []
    while columns:
        column = columns.pop()
        first.append(column.slice(0, count).combine_chunks())
        others.append(column.slice(count).combine_chunks())
        del column
    return pa.table(first, schema=schema), pa.table(others, schema=schema)


class _ShardFile:
    def __init__(self, path: str, table: str, schema: pa.Schema) -> None:
        self.path, self._table = path, table
        self._distributions: TableDistributions = {}
        self.sink = _HashingSink(create_file(path))
        self._rows = 0
        self._writer = pq.ParquetWriter(
            self.sink,
            schema,
            compression="zstd",
            compression_level=_COMPRESSION_LEVEL,
            write_statistics=True,
            write_batch_size=_BATCH_ROWS,
            write_page_checksum=True,  # what reads it tells a flipped bit
        )

    def write(self, rows: pa.Table) -> None:
        """Writes a row group, whose columns have one chunk each."""
        self._rows += rows.num_rows
        self._distributions = add_up((self._distributions, measure_table(self._table, rows)))
        self._writer.write_table(rows, row_group_size=rows.num_rows)

    def close(self) -> tuple[int, int, str, TableDistributions]:
        self._writer.close()
        self.sink.close()
        return self._rows, self.sink.bytes, self.sink.digest.hexdigest(), self._distributions


class _HashingSink:
    """A file that counts and hashes what is written to it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.digest = hashlib.sha256()
        self.bytes = 0
        self.closed = False

    def write(self, data: bytes) -> int:
        data = bytes(data)
        self.digest.update(data)
        self.bytes += len(data)
        self._stream.write(data)
        return len(data)

    def tell(self) -> int:
        return self.bytes

    def flush(self) -> None:
        pass

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self._stream.close()
