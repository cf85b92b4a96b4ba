"""Compressed bytes, undone: how much of them is in memory at a time."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable
from io import BytesIO

import pytest
import zstandard

from anchormine.archives.compression import Damage, compression_of, decompress

MB = 1 << 20


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, zstandard.compress])
@pytest.mark.parametrize("end", [0, -20])
def test_few_bytes_that_give_very_many_are_undone_in_pieces(
    compress: Callable[[bytes], bytes], end: int
) -> None:
    data = compress(bytes(200 * MB))
    data, kind = data[: len(data) + end], compression_of(data)
    damages: list[Damage] = []
    sizes = [len(piece) for piece in decompress(BytesIO(data), kind, damages)]
    assert max(sizes) < 40 * MB
    if end:
        assert [(place.offset, place.bytes_skipped) for place in damages] == [(len(data), 0)]
        assert sum(sizes) < 200 * MB
    else:
        assert (sum(sizes), damages) == (200 * MB, [])
