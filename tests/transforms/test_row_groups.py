"""Row groups of a shard: bounded by rows, and by bytes where texts are long."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from anchormine.transforms import parquet_shards
from anchormine.transforms.parquet_shards import Part, ShardWriter

SCHEMA = pa.schema([("text", pa.string())])


@pytest.mark.parametrize(
    ("characters", "groups"), [(10, [100]), (600, [20, 20, 20, 20, 20]), (1100, [10] * 10)]
)
def test_long_rows_make_smaller_groups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, characters: int, groups: list[int]
) -> None:
    monkeypatch.setattr(parquet_shards, "MAX_GROUP_BYTES", 12_000)
    monkeypatch.setattr(parquet_shards, "LONG_GROUP_BYTES", 11_000)
    writer = ShardWriter(str(tmp_path), "terms/rop", SCHEMA)
    texts = [f"{number:0{characters}d}" for number in range(100)]
    for start in range(0, 100, 10):
        writer.write(pa.table([texts[start : start + 10]], schema=SCHEMA))
    (part,) = writer.close()
    file = pq.ParquetFile(part.path)
    assert [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)] == groups
    assert (part.rows, file.read()["text"].to_pylist()) == (100, texts)


def test_a_file_ends_with_the_group_that_fills_it(tmp_path: Path) -> None:
    texts = [hashlib.sha512(b"%d" % number).hexdigest() for number in range(100)]  # about 64 bytes each

    def parts_of(max_bytes: int) -> list[Part]:
        writer = ShardWriter(str(tmp_path), "terms/rop", SCHEMA, 3, max_bytes=max_bytes, row_group_rows=10)
        writer.write(pa.table([texts], schema=SCHEMA))
        return writer.close()

    for max_bytes, rows in ((1, [10] * 10), (1_500, [20] * 5), (1 << 20, [100])):
        parts = parts_of(max_bytes)
        assert [part.rows for part in parts] == rows
        assert [part.order for part in parts] == [(3, number) for number in range(len(rows))]
        written = pa.concat_tables(pq.read_table(part.path) for part in parts)
        assert written["text"].to_pylist() == texts


def test_small_tables_are_joined_while_they_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    joined = []
    concat_tables = pa.concat_tables

    def counted(tables: list[pa.Table]) -> pa.Table:
        joined.append(len(tables))
        return concat_tables(tables)

    monkeypatch.setattr(pa, "concat_tables", counted)
    texts = [f"text {number}" for number in range(5000)]
    small = ShardWriter(str(tmp_path), "terms/rop", SCHEMA, row_group_rows=4500)
    for text in texts:
        small.write(pa.table([[text]], schema=SCHEMA))
    large = ShardWriter(str(tmp_path), "terms/rop", SCHEMA, row_group_rows=4500)
    large.write(pa.table([texts], schema=SCHEMA))
    (part,), (expected,) = small.close(), large.close()
    assert (part.rows, part.sha256) == (expected.rows, expected.sha256)
    assert max(joined) < 300


def test_records_of_long_texts_are_few_in_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much all have: a column of one table holds 2 GB."""
    schema = pa.schema([("text", pa.string()), ("texts", pa.list_(pa.string())), ("number", pa.int64())])
    records = [(f"{number:0100d}", ["x" * 40, "y" * number], number) for number in range(100)]
    writer = ShardWriter(str(tmp_path), "terms/rop", schema)
    rows: list[int] = []

    def write(self: ShardWriter, table: pa.Table) -> None:
        rows.append(table.num_rows)
        taken(self, table)

    taken = ShardWriter.write
    monkeypatch.setattr(ShardWriter, "write", write)
    monkeypatch.setattr(parquet_shards, "_TABLE_CHARACTERS", 5_000)
    writer.write_records(iter(records))
    (part,) = writer.close()
    assert rows[:3] == [33, 27, 24]  # of 140 characters at first, one more in each
    assert (sum(rows), part.rows) == (100, 100)
    assert [tuple(row.values()) for row in pq.read_table(part.path).to_pylist()] == records


def test_rows_that_wait_hold_none_that_were_written(tmp_path: Path) -> None:
    before = pa.total_allocated_bytes()
    writer = ShardWriter(str(tmp_path), "terms/rop", SCHEMA, row_group_rows=7900)
    writer.write(pa.table([[f"{number:01000d}" for number in range(8000)]], schema=SCHEMA))
    assert pa.total_allocated_bytes() - before < 4_000_000  # of 8 MB; a file that is open takes up to 3 MB
    (part,) = writer.close()
    assert part.rows == 8000
