"""Rows as bytes: what goes through a shuffle, many rows at a time."""

import marshal
from collections.abc import Iterable, Iterator
from typing import TypeVar

import zstandard

R = TypeVar("R", bound=tuple)
_LEVEL = 1


def pack(rows: Iterable[tuple]) -> bytes:
    """Returns rows of plain values as bytes."""
    return zstandard.compress(marshal.dumps([tuple(row) for row in rows]), _LEVEL)


def unpack(data: bytes, record: type[R]) -> Iterator[R]:
    """Yields the rows that `pack` wrote, as records."""
    return (record(*row) for row in marshal.loads(zstandard.decompress(data)))
