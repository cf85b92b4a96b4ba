"""A table of a dataset folder in slices that are read in parallel; they depend on the table alone."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import IO, NamedTuple, TypeVar

import pyarrow as pa
from apache_beam.coders import registry
from apache_beam.io.filesystem import BeamIOError

from anchormine.datasets.table_file import TableFile
from anchormine.errors import CommandError
from anchormine.transforms.coders import NestedRecordCoder
from anchormine.transforms.files import open_file

_BATCH_ROWS = 1024  # in memory at a time
R = TypeVar("R", bound=NamedTuple)


class TableSlice(NamedTuple):
    """Some rows of a table.

    Attributes:
        number: of the slice.
        paths: the shards that it is in, and one more on each side.
        rows: of each shard.
        start: first row, counted from the start of the first of these shards.
        end: row after the last.
        last: row after the last that may be looked at.
    """

    number: int
    paths: tuple[str, ...]
    rows: tuple[int, ...]
    start: int
    end: int
    last: int


registry.register_coder(TableSlice, NestedRecordCoder)


def slice_table(
    shards: Sequence[tuple[str, int]], step: int, limit: int | None = None, skip: int = 0
) -> list[TableSlice]:
    """Cuts a table into slices.

    Args:
        shards: (path, rows) of each, in order.
        step: rows of a slice.
        limit: how many rows of the table count; all by default.
        skip: how many of these are in no slice.
    """
    total = sum(rows for _, rows in shards)
    end = total if limit is None else min(limit, total)
    ends = list(accumulate(rows for _, rows in shards))
    slices = []
    for number, start in enumerate(range(skip, end, step)):
        stop = min(start + step, end)
        # A sentence may reach from one shard into the next.
        first = max(_shard_of(ends, start) - 1, 0)
        used = shards[first : _shard_of(ends, stop - 1) + 2]
        before = ends[first] - shards[first][1]
        paths, rows = tuple(path for path, _ in used), tuple(count for _, count in used)
        last = min(end - before, sum(rows))
        slices.append(TableSlice(number, paths, rows, start - before, stop - before, last))
    return slices


def cut_slices(slices: Sequence[TableSlice], step: int) -> list[TableSlice]:
    """Cuts slices into smaller ones of so many rows, numbered anew."""
    parts = [
        part._replace(start=start, end=min(start + step, part.end))
        for part in slices
        for start in range(part.start, part.end, step)
    ]
    return [part._replace(number=number) for number, part in enumerate(parts)]


def _shard_of(ends: Sequence[int], row: int) -> int:
    return next(number for number, end in enumerate(ends) if end > row)


def read_slice(
    part: TableSlice, columns: Sequence[str], before: int = 0, after: int = 0
) -> Iterator[pa.Table]:
    """Yields the rows of a slice, as many of the rows before and behind it as are asked for and are there.

    Args:
        part: of a table.
        columns: which.
        before: how many rows more at its start.
        after: how many rows more at its end.
    """
    start, end = max(0, part.start - before), min(part.end + after, part.last)
    position = 0
    for path, rows in zip(part.paths, part.rows, strict=True):
        if position < end and position + rows > start:
            yield from _read_rows(path, columns, start - position, end - position)
        position += rows


def read_records(part: TableSlice, record: type[R]) -> Iterator[list[R]]:
    """Yields the rows of a slice as records, some at a time; its columns are those of the record's names."""
    names: Sequence[str] = record._fields
    for table in read_slice(part, names):
        yield list(map(record, *(table[name].to_pylist() for name in names)))


def _read_rows(path: str, columns: Sequence[str], start: int, end: int) -> Iterator[pa.Table]:
    """Yields rows `start` to `end` of a file; only the row groups that hold them are read."""
    with _open_shard(path) as stream:
        file = TableFile(stream, path)
        position = 0
        for group, rows in enumerate(file.group_rows):
            if position < end and position + rows > start:
                yield from _read_group(file, group, columns, max(start - position, 0), end - position)
            position += rows


def _read_group(
    file: TableFile, group: int, columns: Sequence[str], start: int, end: int
) -> Iterator[pa.Table]:
    """Yields rows of a row group, some at a time: the texts of all its pages can be hundreds of MB."""
    position = 0
    for batch in file.batches(columns, _BATCH_ROWS, [group]):
        first, last = max(start - position, 0), min(end - position, batch.num_rows)
        if first < last:
            yield pa.Table.from_batches([batch.slice(first, last - first)])
        position += batch.num_rows
        if position >= end:
            return


def _open_shard(path: str) -> IO[bytes]:
    try:
        return open_file(path)
    except (OSError, BeamIOError) as error:
        raise CommandError(
            f"{path}: named in the manifest, but cannot be read ({error}); run the step that wrote it again"
        ) from None
