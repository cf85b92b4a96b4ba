"""Zstandard frames of many blocks of a few bytes, to take time: each costs no more, whatever follows."""

from __future__ import annotations

import pytest

from anchormine.archives.compression import Damage
from anchormine.web.records.zstd_heads import MAGIC
from tests.growth import LINEAR, growth_of, least_seconds
from tests.web.crawl_files import frames, page, read, response, warc
from tests.web.damaged_crawls import RECORDS, SECONDS

HEAD = MAGIC + b"\x00\x58"
NO_BLOCK = b"\xff\xff\xff"
BODY = page(0, 300)
COUNT = 300
BROKEN = "damaged zstd frame (it starts at byte {}): no head of a block"
CUT = "cut off: the zstd frame that starts at byte {} has no end"
JOINED = "damaged zstd frame (it starts at byte {}): it has no end"
CORRUPT = "damaged zstd frame (it starts at byte {}): zstd decompressor error: Data corruption detected"


def block_of(data: bytes, kind: int = 0) -> bytes:
    """A block that is not compressed; of kind 2, one that is said to be."""
    return (len(data) << 3 | kind << 1).to_bytes(3, "little") + data


FIRST = HEAD + block_of(warc(response(BODY)))


def of_small_blocks(data: bytes, end: bytes, count: int) -> bytes:
    return FIRST + block_of(data) * count + end


@pytest.mark.parametrize("end", [NO_BLOCK, b""], ids=["broken", "cut off"])
@pytest.mark.parametrize("data", [b"x", b""], ids=["a byte each", "empty"])
def test_time_grows_with_the_blocks_of_a_frame_without_an_end(data: bytes, end: bytes) -> None:
    assert growth_of(lambda count: read(of_small_blocks(data, end, count))) <= LINEAR


@pytest.mark.parametrize(
    ("end", "problem", "reason"), [(NO_BLOCK, "damaged", BROKEN), (b"", "", CUT)], ids=["broken", "cut off"]
)
@pytest.mark.parametrize("data", [b"x", b""], ids=["a byte each", "empty"])
def test_the_record_before_the_small_blocks_is_read(
    data: bytes, end: bytes, problem: str, reason: str
) -> None:
    """Blocks that hold nothing belong to it."""
    size = len(FIRST) if data else len(of_small_blocks(data, b"", COUNT))
    (record,), damages = read(of_small_blocks(data, end, COUNT))
    assert (record.offset, record.size, record.body, record.problem) == (0, size, BODY, problem)
    missing = len(of_small_blocks(data, end, COUNT)) - size
    assert damages == [Damage(size, missing, reason.format(0), "file")]


def test_frames_behind_small_blocks_are_read() -> None:
    cut = of_small_blocks(b"x", b"", COUNT)
    records, damages = read(cut + frames(RECORDS[:2]))
    whole = [read(frames([record]))[0][0].body for record in RECORDS[:2]]
    assert [(record.body, record.problem) for record in records] == [
        (BODY, "damaged"), (whole[0], ""), (whole[1], "")
    ]  # fmt: skip
    assert damages == [Damage(len(FIRST), len(cut) - len(FIRST), BROKEN.format(0), "file")]


FRAME = HEAD + block_of(b"WARC/1.0\r\n")
STEP = len(block_of(FRAME))


def nested(kind: int, count: int) -> bytes:
    """Frames of which each starts in a block of the one before: all go on through the same blocks."""
    return FRAME + block_of(FRAME, kind) * count + NO_BLOCK


@pytest.mark.parametrize(("kind", "reason"), [(0, JOINED), (2, CORRUPT)], ids=["raw", "compressed"])
def test_frames_that_start_in_small_blocks_take_bounded_time(kind: int, reason: str) -> None:
    """Each is given up where the next one starts."""
    found: list[Damage] = []

    def read_all() -> None:
        records, found[:] = read(nested(kind, 3000))
        assert records == []

    assert least_seconds(read_all, enough=SECONDS) < SECONDS
    starts = range(0, 3000 * STEP, STEP)
    assert found == [
        *(Damage(start, STEP, reason.format(start), "file") for start in starts),
        Damage(3000 * STEP, STEP, BROKEN.format(3000 * STEP), "file"),
    ]
