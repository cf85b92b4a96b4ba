"""The lines of files whose members are whole, broken, cut off or packed in another way."""

from __future__ import annotations

import gzip
import random
from io import BytesIO

import pytest

from anchormine.archives.compression import Damage
from anchormine.clueweb22.member_lines import MemberLine, member_lines
from anchormine.clueweb22.offsets import first_difference, missing_end, parse_offsets
from tests.clueweb22.clueweb22_files import members, offsets

LINES = [
    b'{"n": %d, "text": "%s"}\n' % (n, bytes(random.Random(n).choices(range(97, 123), k=300)))
    for n in range(9)
]
PACKED = members(*LINES)
FILE = b"".join(PACKED)
STARTS = [sum(map(len, PACKED[:n])) for n in range(len(PACKED) + 1)]


def read(data: bytes, limit: int = 1 << 20) -> tuple[list[MemberLine], list[Damage], list[int]]:
    damages: list[Damage] = []
    starts: list[int] = []
    lines = list(member_lines(BytesIO(data), damages, starts, limit))
    return lines, damages, starts


def texts(lines: list[MemberLine]) -> list[bytes]:
    return [line.text + b"\n" for line in lines]


def test_whole() -> None:
    lines, damages, starts = read(FILE)
    assert lines == [
        MemberLine(start, 0, end, text[:-1], len(text) - 1, False)
        for start, end, text in zip(STARTS, STARTS[1:], LINES, strict=False)
    ]
    assert (damages, starts) == ([], STARTS[:-1])


def test_one_member_for_all() -> None:
    """As a tool that packs a file anew writes it; the last line lacks its end."""
    lines, damages, _ = read(gzip.compress(b"".join(LINES)[:-1]))
    assert texts(lines) == LINES
    assert [line.place for line in lines] == ["0", *(f"0:{n}" for n in range(1, 9))]
    assert damages == []


def test_pages_without_links_have_empty_lines() -> None:
    lines, damages, starts = read(b"".join(members(b"\n", LINES[0], b"\n", b"\n", LINES[1], b"")))
    assert texts(lines) == LINES[:2]
    assert len(starts) == 6
    assert damages == []


def test_a_broken_member_costs_itself() -> None:
    data = bytearray(FILE)
    data[STARTS[3] + 100] ^= 0x10
    lines, (damage,), _ = read(bytes(data))
    assert texts(lines) == LINES[:3] + LINES[4:]
    assert STARTS[3] <= damage.offset <= STARTS[4] == damage.offset + damage.bytes_skipped
    assert damage.reason.startswith(f"damaged gzip member (it starts at byte {STARTS[3]}): ")


def test_a_member_whose_sum_is_wrong_is_not_believed() -> None:
    data = bytearray(FILE)
    data[STARTS[4] - 8] ^= 1
    lines, (damage,), _ = read(bytes(data))
    assert texts(lines) == LINES[:3] + LINES[4:]
    assert damage.reason.endswith("incorrect data check")


@pytest.mark.parametrize("kept", [1, 10, 60, len(PACKED[5]) - 30])
def test_a_file_that_is_cut_off(kept: int) -> None:
    size = STARTS[5] + kept
    lines, (damage,), _ = read(FILE[:size])
    assert texts([line for line in lines if not line.is_cut]) == LINES[:5]
    assert all(LINES[5].startswith(line.text) for line in lines if line.is_cut)
    assert damage.offset + damage.bytes_skipped == size


def test_bytes_between_members() -> None:
    data = b"".join([*PACKED[:2], b"garbage", *PACKED[2:4]])
    lines, damages, _ = read(data + bytes(700))
    assert texts(lines) == LINES[:4]
    assert damages == [
        Damage(STARTS[2], 7, "no gzip member starts here", "file"),
        Damage(len(data), 700, "zero bytes up to the file's end", "file"),
    ]


def test_a_line_that_is_too_long() -> None:
    """It is not held, in whatever pieces it comes, and the lines around it are read."""
    long = b'{"n": 1, "text": "' + b"x" * 3_000_000 + b'"}\n'
    for data in (
        b"".join(members(LINES[0], long, LINES[2])),
        gzip.compress(LINES[0] + long + LINES[2]),
        gzip.compress(LINES[0] + long) + PACKED[2],
    ):
        lines, damages, _ = read(data, 1000)
        assert texts(lines)[::2] == [LINES[0], LINES[2]]
        assert (lines[1].text, lines[1].length, len(lines), damages) == (long[:1000], len(long) - 1, 3, [])


def test_any_flip_costs_at_most_the_member_it_is_in() -> None:
    for seed in range(300):
        draw = random.Random(seed)
        data = bytearray(FILE)
        place = draw.randrange(len(data))
        data[place] ^= 1 << draw.randrange(8)
        lines, damages, _ = read(bytes(data))
        hit = sum(start <= place for start in STARTS[:-1]) - 1
        # Flips of the time and the like change nothing.
        whole = texts([line for line in lines if not line.is_cut])
        assert whole == (LINES[:hit] + LINES[hit + 1 :] if damages else LINES), (seed, place)


def test_any_mutation_ends() -> None:
    for seed in range(200):
        draw = random.Random(seed)
        data = bytearray(FILE)
        for _ in range(draw.randrange(1, 5)):
            start = draw.randrange(len(data))
            data[start : start + draw.randrange(200)] = draw.randbytes(draw.randrange(200))
        lines, damages, _ = read(bytes(data))
        assert {line.text + b"\n" for line in lines if not line.is_cut} <= {*LINES}, seed
        assert all(
            0 <= damage.offset <= damage.offset + damage.bytes_skipped <= len(data) for damage in damages
        )


def test_offsets_that_fit() -> None:
    listed = parse_offsets(offsets(PACKED))
    assert listed == STARTS
    assert missing_end(listed, len(FILE)) is None
    assert first_difference(listed, STARTS[:-1], len(FILE)) is None
    assert first_difference(listed[:-1], STARTS[:-1], len(FILE)) is None
    assert first_difference([*listed[:4], *listed[3:]], STARTS[:-1], len(FILE)) is None
    assert first_difference(listed[1:], STARTS[:-1], len(FILE)) is None


def test_offsets_that_do_not_fit() -> None:
    starts, size = STARTS[:-1], len(FILE)
    assert missing_end(STARTS, STARTS[7]) == size
    assert first_difference([*STARTS[:3], *STARTS[4:]], starts, size) == STARTS[3]
    assert first_difference([*STARTS[:3], STARTS[3] - 1, *STARTS[3:]], starts, size) == STARTS[3] - 1
    assert first_difference(STARTS[:3], starts, size) == STARTS[3]
    assert first_difference([], starts, size) == 0


@pytest.mark.parametrize(
    "data", [b"", b"12\n", b"0000000000\nx\n", b"0000000000 0000000001\n", b"\x1f\x8b\x08"]
)
def test_what_is_no_list_of_offsets(data: bytes) -> None:
    assert parse_offsets(data) is None
