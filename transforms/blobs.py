"""Rows as bytes: what goes through a shuffle, many rows at a time."""

import marshal
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

import zstandard

K = TypeVar("K", bound=Hashable)
R = TypeVar("R", bound=tuple)
_LEVEL = 1


def pack(rows: Iterable[tuple]) -> bytes:
    """Returns rows of plain values as bytes."""
    return zstandard.compress(marshal.dumps([tuple(row) for row in rows]), _LEVEL)


def pack_divided(rows: Iterable[R], key: Callable[[R], K]) -> Iterator[tuple[K, bytes]]:
    """Yields the rows of each key together, as bytes."""
    divided: dict[K, list[R]] = {}
    for row in rows:
        divided.setdefault(key(row), []).append(row)
    return ((value, pack(same)) for value, same in divided.items())


def pack_placed(
    kind: str, rows: Iterable[R], place: Callable[[R], tuple[K, int]]
) -> Iterator[tuple[K, tuple[int, str, bytes]]]:
    """Yields rows for a grouping: (key, (bucket, kind, bytes)), by the key and the bucket of each."""
    return ((key, (bucket, kind, data)) for (key, bucket), data in pack_divided(rows, place))


def unpack(data: bytes, record: type[R]) -> Iterator[R]:
    """Yields the rows that `pack` wrote, as records."""
    return (record(*row) for row in marshal.loads(zstandard.decompress(data)))
