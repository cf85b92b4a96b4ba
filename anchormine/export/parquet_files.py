"""Parquet files of an export, in shards of bounded size."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa
import pyarrow.parquet as pq

from anchormine.export.export_folder import ExportFolder

ROW_GROUP_ROWS = 16_384
ROW_GROUP_BYTES = 32 << 20
SHARD_BYTES = 256 << 20


class ParquetShards:
    """Writes rows to `TABLE/SPLIT-00000-of-0000N.parquet`; where they are cut depends on the rows alone.

    At most a row group is in memory.

    Attributes:
        rows: how many there are so far.
    """

    def __init__(self, folder: ExportFolder, table: str, split: str, schema: pa.Schema) -> None:
        """Opens nothing yet: a table without rows has no file.

        Args:
            folder: of the export.
            table: folder of the table, below it.
            split: such as "train".
            schema: of the rows.
        """
        self._folder, self._prefix, self._schema = folder, f"{table}/{split}", schema
        self._waiting: list[pa.RecordBatch] = []
        self._shards: list[int] = []  # rows of each
        self._writer: pq.ParquetWriter | None = None
        self.rows = 0

    def write(self, rows: pa.RecordBatch) -> None:
        """Takes rows that have the schema."""
        self._waiting.append(rows)
        waiting = sum(batch.num_rows for batch in self._waiting)
        if waiting >= ROW_GROUP_ROWS or sum(batch.nbytes for batch in self._waiting) >= ROW_GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        group = pa.Table.from_batches(self._waiting, self._schema)
        self._waiting = []
        if not group.num_rows:
            return
        if self._writer is None:
            path = self._folder.place(self._unnamed(len(self._shards)))
            self._sink = path.open("wb")
            self._writer = pq.ParquetWriter(
                self._sink, self._schema, compression="zstd", write_page_checksum=True
            )
            self._shards.append(0)
        self._writer.write_table(group, row_group_size=group.num_rows)
        self._shards[-1] += group.num_rows
        self.rows += group.num_rows
        if self._sink.tell() >= SHARD_BYTES:
            self.close_shard()

    def close_shard(self) -> None:
        """Ends the file that is open, if there is one."""
        if self._writer is not None:
            self._writer.close()
            self._sink.close()
            self._writer = None

    def finish(self) -> None:
        """Writes what waits, and gives the files their names, now that it is known how many there are."""
        self._flush()
        self.close_shard()
        for number, rows in enumerate(self._shards):
            name = f"{self._prefix}-{number:05d}-of-{len(self._shards):05d}.parquet"
            self._folder.rename(self._unnamed(number), name)
            self._folder.add(name, rows)

    def _unnamed(self, number: int) -> str:
        return f"{self._prefix}-{number:05d}.unnamed"


@contextmanager
def parquet_shards(
    folder: ExportFolder, table: str, split: str, schema: pa.Schema
) -> Iterator[ParquetShards]:
    """Opens the files of a split, and lists them when they are complete."""
    shards = ParquetShards(folder, table, split, schema)
    try:
        yield shards
        shards.finish()
    finally:
        shards.close_shard()
