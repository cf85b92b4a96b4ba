"""Crawl files that are made to take memory or time: neither grows with what they inflate to or repeat."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from io import BytesIO

import pytest

from anchormine.archives.compression import Damage
from anchormine.web.records.crawl_records import RecordLimits, read_crawl
from tests.growth import least_seconds
from tests.web.crawl_files import frames, members, read, response, urls, warc
from tests.web.damaged_crawls import NAMES, PLAIN, RECORDS, SECONDS

BOMB = 1 << 30


def peak(data: bytes, limits: RecordLimits) -> tuple[list[str], int]:
    """The problems of a file's records, and the bytes of memory that reading it took at most."""
    tracemalloc.start()
    try:
        problems = [record.problem for record in read_crawl(BytesIO(data), [], limits)]
        return problems, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def zeros(size: int, wbits: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, wbits)
    block = bytes(1 << 20)
    return b"".join(packer.compress(block) for _ in range(size >> 20)) + packer.flush()


def test_memory_does_not_grow_with_what_a_page_inflates_to() -> None:
    inner = warc(response(zeros(BOMB, 31), "Content-Encoding: gzip\r\nContent-Type: text/html\r\n"))
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    head = warc(response(b""), length=BOMB + 19).removesuffix(b"\r\n\r\n")
    outer = (
        packer.compress(head)
        + b"".join(packer.compress(bytes(1 << 20)) for _ in range(BOMB >> 20))
        + packer.flush()
    )
    for data in (inner, members([inner]), outer):
        problems, most = peak(
            data + (members if data[0] == 0x1F else b"".join)(RECORDS[:1]), RecordLimits(1 << 20)
        )
        assert problems == ["too_large", ""]
        assert most < 12 << 20


def test_memory_does_not_grow_with_the_file() -> None:
    small = [peak(data * 2, RecordLimits())[1] for data in (PLAIN, members(RECORDS), frames(RECORDS))]
    large = [peak(data * 40, RecordLimits())[1] for data in (PLAIN, members(RECORDS), frames(RECORDS))]
    assert all(most < 2 * least + (1 << 20) for least, most in zip(small, large, strict=True))


SKIPPED = b"\x50\x2a\x4d\x18\0\0\0\0"


@pytest.mark.parametrize(
    ("pack", "empty"),
    [(members, members([b""])), (frames, frames([b""])), (frames, SKIPPED)],
    ids=["members", "frames", "frames to skip"],
)
def test_memory_does_not_grow_with_members_that_hold_nothing(pack, empty: bytes) -> None:
    """They belong to the record before them."""
    first, second = (pack([record]) for record in RECORDS[:2])
    few, many = (first + empty * count + second for count in (1, 50_000))
    for data in (few, many):
        records, damages = read(data)
        assert (urls(records), damages) == (NAMES[:2], [])
        at = len(data) - len(second)
        assert [(one.offset, one.size, one.source, one.problem) for one in records] == [
            (0, at, 0, ""),
            (at, len(second), at, ""),
        ]
    assert peak(many, RecordLimits())[1] < peak(few, RecordLimits())[1] + (1 << 20)


# Of each, a block holds many more, and the next starts in one of these: all decode to the end of the file.
_NESTED_MEMBER = b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + b"\0\xfa\xff\x05\0"
_NESTED_FRAME = b"\x28\xb5\x2f\xfd\x00\x38" + (131_064 << 3).to_bytes(3, "little")
HOSTILE = {
    "first lines of heads": b"WARC/1.0\r\nWARC-Type: x\r\n" * 100_000,
    "heads within lines": b"WARC/1.0\r\nWARC-A: " * 100_000
    + b"\n"
    + b"x: WARC/1.0\r\nWARC-A: b\r\n" * 100_000,
    "heads in heads": (b"WARC/1.0\r\nWARC-A: b\r\n" * 13_000 + b"WARC-Type: x\r\n") * 3,
    "heads without records": b"WARC/1.0\r\nWARC-Type: x\r\n\r\n" * 20_000,
    "lengths beyond the end": (b"WARC/1.0\r\nContent-Length: 30000000\r\n\r\n" * 20_000),
    "lengths beyond many members": gzip.compress(b"WARC/1.0\r\nContent-Length: 900000\r\n\r\n", mtime=0)
    * 60_000,
    "lengths over the limit": b"WARC/1.0\r\nContent-Length: 99999999999\r\n\r\n" * 20_000,
    "lengths over the limit in members": gzip.compress(
        b"WARC/1.0\r\nContent-Length: 9999999999\r\n\r\n", mtime=0
    )
    * 20_000,
    "lengths over the limit and no heads": gzip.compress(
        b"WARC/1.0\r\nContent-Length: 9999999999\r\n\r\n" * 20_000, mtime=0
    ),
    "fields between blank lines": b"WARC/1.0\r\n" + b"WARC-A: 1\r\n\r\n" * 200_000,
    "line ends": RECORDS[0] + b"\r\n" * 4_000_000 + RECORDS[1],
    "one long line": b"http://" + b"a " * 2_000_000,
    "lines like ARC's": b"http://a b c d 1\n" * 200_000,
    "signatures": b"\x1f\x8b\x08\x00" * 50_000,
    "frames": b"\x28\xb5\x2f\xfd\x00" * 50_000,
    "members in members": _NESTED_MEMBER * 100_000,
    "members in members that break": (_NESTED_MEMBER * 30_000 + b"\xff" * 70_000) * 2,
    "frames in frames": _NESTED_FRAME * 100_000,
    "frames in frames that break": (_NESTED_FRAME * 50_000 + b"\xff" * 140_000) * 2,
    "signatures in blocks of frames": (_NESTED_FRAME[:6] + b"\0\0\x10" + b"\x28\xb5\x2f\xfd" * 32_768) * 3,
    "members that hold no record": (members([b"hello"]) * 2 + b"x") * 10_000,
    "empty members": gzip.compress(b"", mtime=0) * 20_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_take_bounded_time(name: str) -> None:
    found: list[Damage] = []

    def read_all() -> None:
        _, found[:] = read(HOSTILE[name])

    assert least_seconds(read_all, enough=2 * SECONDS) < 2 * SECONDS
    assert len(found) < 3
