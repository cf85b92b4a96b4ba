"""Pairs of keys of 64 bits as bytes: what goes through a shuffle where two things belong together."""

from collections.abc import Iterable

import numpy as np


def pack_keys(pairs: Iterable[tuple[int, int]] | np.ndarray) -> bytes:
    """Returns pairs of keys, such as those of a query and a page, as bytes."""
    rows = pairs if isinstance(pairs, np.ndarray) else list(pairs)
    return np.array(rows, np.uint64).reshape(-1, 2).tobytes()


def unpack_keys(parts: Iterable[bytes]) -> np.ndarray:
    """Returns the pairs that `pack_keys` was given, [n, 2] uint64."""
    return np.frombuffer(b"".join(parts), np.uint64).reshape(-1, 2)
