"""Rows to Arrow tables and bytes, and back."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import pyarrow as pa

R = TypeVar("R", bound=tuple)


def to_table(rows: Sequence[tuple], schema: pa.Schema) -> pa.Table:
    """Returns rows, whose values are in the schema's order, as a table."""
    columns: Iterable[Sequence] = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.table(arrays, schema=schema)


def to_rows(table: pa.Table, record: type[R]) -> Iterator[R]:
    """Yields the rows of a table as records; its columns are in the order of the record's fields."""
    columns = (column.to_pylist() for column in table.columns)
    return (record(*values) for values in zip(*columns, strict=True))


def to_ipc(table: pa.Table) -> bytes:
    """Returns a table as bytes, lightly compressed: what goes through a shuffle."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def from_ipc(data: bytes) -> pa.Table:
    """Returns the table that `to_ipc` wrote."""
    return pa.ipc.open_stream(pa.BufferReader(data)).read_all()
