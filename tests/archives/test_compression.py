"""Compressed bytes, undone: how much of them is in memory at a time."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable
from io import BytesIO
from random import Random

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


def _undone(data: bytes, kind: str) -> tuple[bytes, list[tuple[int, int]]]:
    """All that a file gives, and the bytes of each damage."""
    damages: list[Damage] = []
    given = b"".join(decompress(BytesIO(data), kind, damages))
    return given, [(place.offset, place.offset + place.bytes_skipped) for place in damages]


@pytest.mark.parametrize("cut", [1 << 15, (1 << 15) + 1, (1 << 16) - 7, 40_000])
@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, zstandard.compress])
def test_a_stream_behind_one_that_was_cut_short_is_read(compress: Callable[[bytes], bytes], cut: int) -> None:
    """Wherever it starts: its first bytes are taken for the rest of the other, which breaks later."""
    first, second = (bytes(Random(seed).choices(b"abcdefgh \n", k=300_000)) for seed in (1, 2))
    data = compress(first)[:cut]
    given, ((start, end),) = _undone(data + compress(second), compression_of(data))
    assert given.endswith(second)
    assert first.startswith(given.removesuffix(second)[:60_000])  # a few bytes behind may be made up
    assert start <= end == cut


def test_frames_that_are_skipped() -> None:
    """As pzstd writes one before each, and others write an index behind the last."""
    texts = [bytes(Random(seed).choices(b"abcdefgh \n", k=9_000)) for seed in (1, 2)]
    frames = [zstandard.compress(text) for text in texts]
    sizes = [b"\x50\x2a\x4d\x18\4\0\0\0" + len(frame).to_bytes(4, "little") for frame in frames]
    index = b"\x5e\x2a\x4d\x18\x11\0\0\0" + bytes(17)
    parallel = b"".join(size + frame for size, frame in zip(sizes, frames, strict=True))
    assert compression_of(parallel) == "zst"
    assert _undone(parallel, "zst") == (b"".join(texts), [])
    assert _undone(frames[0] + index, "zst") == (texts[0], [])


def test_no_frame_to_skip_is_sought_behind_damage() -> None:
    """Where one stands by chance, what follows would be passed over without a word."""
    text = bytes(Random(1).choices(b"abcdefgh \n", k=9_000))
    chance = b"no frame \x50\x2a\x4d\x18\xff\xff\0\0 this is"
    data = zstandard.compress(b"one") + chance
    given = _undone(data + zstandard.compress(text), "zst")
    assert given == (b"one" + text, [(len(data) - len(chance), len(data))])
