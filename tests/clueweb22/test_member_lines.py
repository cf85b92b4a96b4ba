"""The lines of files whose members are whole, broken, cut off or packed in another way."""

from __future__ import annotations

import gzip
import random
import tracemalloc
from io import BytesIO

import pytest

from anchormine.archives.compression import Damage
from anchormine.clueweb22.member_lines import MemberLine, member_lines
from anchormine.clueweb22.offsets import first_difference, is_of_file, missing_end, parse_offsets
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


def believed(lines: list[MemberLine]) -> list[MemberLine]:
    return [line for line in lines if not (line.is_part or line.is_damaged)]


def covered(lines: list[MemberLine], damages: list[Damage], size: int) -> bool:
    """Tells whether each byte of a file without empty lines is of a line, or listed, and none is both."""
    stretches = [(line.begin, line.end) for line in believed(lines)]
    stretches += [(damage.offset, damage.offset + damage.bytes_skipped) for damage in damages]
    ends = [end for _, end in sorted(stretches)]
    return [start for start, _ in sorted(stretches)] == [0, *ends[:-1]] and ends[-1] == size


def test_whole() -> None:
    lines, damages, starts = read(FILE)
    assert lines == [
        MemberLine(start, 0, start, end, text[:-1], len(text) - 1)
        for start, end, text in zip(STARTS, STARTS[1:], LINES, strict=False)
    ]
    assert (damages, starts) == ([], STARTS[:-1])


def test_one_member_for_all() -> None:
    """As a tool that packs a file anew writes it; the last line lacks its end."""
    lines, damages, _ = read(gzip.compress(b"".join(LINES)[:-1], mtime=0))
    assert texts(lines) == LINES
    assert [line.place for line in lines] == ["0", *(f"0:{n}" for n in range(1, 9))]
    assert damages == []


def test_one_member_whose_pieces_come_to_just_the_limit() -> None:
    """Bytes that shrink much are decoded in pieces of one size; the line under way then goes on."""
    lines = [b'{"n": %d, "text": "%s"}\n' % (n, b"word " * 40) for n in range(12_000)]
    found, damages, starts = read(gzip.compress(b"".join(lines), mtime=0))
    assert [(line.number, line.text + b"\n", line.length + 1) for line in found] == [
        (n, line, len(line)) for n, line in enumerate(lines)
    ]
    assert (damages, starts) == ([], [0])


def test_pages_without_links_have_empty_lines() -> None:
    lines, damages, starts = read(b"".join(members(b"\n", LINES[0], b"\n", b"\n", LINES[1], b"")))
    assert texts(lines) == LINES[:2]
    assert len(starts) == 6
    assert damages == []


def test_a_broken_member_costs_itself() -> None:
    """And is listed from its start on."""
    data = bytearray(FILE)
    data[STARTS[3] + 100] ^= 0x10
    lines, (damage,), _ = read(bytes(data))
    assert texts(believed(lines)) == LINES[:3] + LINES[4:]
    assert (damage.offset, damage.offset + damage.bytes_skipped) == (STARTS[3], STARTS[4])
    assert damage.reason.startswith(f"damaged gzip member (it starts at byte {STARTS[3]}): ")


def test_a_member_whose_sum_is_wrong_is_not_believed() -> None:
    """Its line is given all the same, for it to be set aside."""
    data = bytearray(FILE)
    data[STARTS[4] - 8] ^= 1
    lines, damages, _ = read(bytes(data))
    assert [line.is_damaged for line in lines] == [n == 3 for n in range(9)]
    assert texts(lines) == LINES
    reason = (
        f"damaged gzip member (it starts at byte {STARTS[3]}): "
        "Error -3 while decompressing data: incorrect data check"
    )
    assert damages == [Damage(STARTS[3], len(PACKED[3]), reason, "file")]


def test_zeros_over_the_end_of_a_member() -> None:
    """The two members are lost, and no byte of them is left out."""
    data = bytearray(FILE)
    data[STARTS[4] - 30 : STARTS[4] + 30] = bytes(60)
    lines, damages, _ = read(bytes(data))
    assert texts(believed(lines)) == LINES[:3] + LINES[5:]
    assert covered(lines, damages, len(data))
    assert sum(damage.bytes_skipped for damage in damages) == STARTS[5] - STARTS[3]


@pytest.mark.parametrize("kept", [1, 10, 60, len(PACKED[5]) - 30])
def test_a_file_that_is_cut_off(kept: int) -> None:
    size = STARTS[5] + kept
    lines, (damage,), _ = read(FILE[:size])
    assert texts(believed(lines)) == LINES[:5]
    assert all(LINES[5].startswith(line.text) and line.is_part for line in lines[5:])
    assert (damage.offset, damage.offset + damage.bytes_skipped) == (STARTS[5], size)


def test_a_file_that_is_cut_off_behind_its_last_line() -> None:
    """Only the sum of the last member is missing."""
    size = STARTS[6] - 8
    lines, damages, _ = read(FILE[:size])
    assert texts(believed(lines)) == LINES[:6]
    reason = f"cut off: the gzip member that starts at byte {STARTS[5]} has no end"
    assert damages == [Damage(size - 1, 1, reason, "file")]


@pytest.mark.parametrize("how", ["zeros", "cut"])
def test_one_member_for_all_that_breaks(how: str) -> None:
    """The lines before the damage are kept; the last that was decoded is not to be believed, or a part."""
    draw = random.Random(1)
    often = [1 / n for n in range(1, 27)]  # as letters are
    letters = [bytes(draw.choices(range(97, 123), often, k=400)) for _ in range(300)]
    whole = [b'{"n": %d, "text": "%s"}\n' % (n, of_line) for n, of_line in enumerate(letters)]
    data = bytearray(gzip.compress(b"".join(whole), mtime=0))
    place = len(data) * 9 // 10
    data[place:] = bytes(40) + data[place + 40 :] if how == "zeros" else b""
    lines, (damage,), _ = read(bytes(data))
    kept = texts(believed(lines))
    assert kept == whole[: len(kept)]
    assert 265 < len(kept) < 272  # not exact, as each zlib packs in its own way
    doubt = "; its records before that were read, and may be wrong in places"
    assert damage.reason.endswith(doubt) is (how == "zeros")
    assert covered(lines, [damage], len(data))


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
        gzip.compress(LINES[0] + long + LINES[2], mtime=0),
        gzip.compress(LINES[0] + long, mtime=0) + PACKED[2],
    ):
        lines, damages, _ = read(data, 1000)
        assert texts(lines)[::2] == [LINES[0], LINES[2]]
        assert (lines[1].text, lines[1].length, len(lines), damages) == (long[:1000], len(long) - 1, 3, [])


@pytest.mark.parametrize("rest", [b"x" * 16_000_000, (b"x" * 4000 + b'"}\n{"n": 2, "text": "') * 4000])
def test_little_is_held_of_a_long_member(rest: bytes) -> None:
    """Be it one line or many."""
    data = gzip.compress(b'{"n": 1, "text": "' + rest + b'x"}\n', mtime=0)
    tracemalloc.start()
    try:
        found = sum(1 for _ in member_lines(BytesIO(data), [], [], 1000))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found == rest.count(b"\n") + 1
    assert peak < 6 << 20


def test_any_flip_costs_at_most_the_member_it_is_in() -> None:
    for seed in range(300):
        draw = random.Random(seed)
        data = bytearray(FILE)
        place = draw.randrange(len(data))
        data[place] ^= 1 << draw.randrange(8)
        lines, damages, _ = read(bytes(data))
        hit = sum(start <= place for start in STARTS[:-1]) - 1
        # Flips of the time and the like change nothing.
        assert texts(believed(lines)) == (LINES[:hit] + LINES[hit + 1 :] if damages else LINES), (seed, place)
        assert covered(lines, damages, len(data)), (seed, place)


def test_any_mutation_ends() -> None:
    for seed in range(200):
        draw = random.Random(seed)
        data = bytearray(FILE)
        for _ in range(draw.randrange(1, 5)):
            start = draw.randrange(len(data))
            data[start : start + draw.randrange(200)] = draw.randbytes(draw.randrange(200))
        lines, damages, _ = read(bytes(data))
        assert {*texts(believed(lines))} <= {*LINES}, seed
        assert covered(lines, damages, len(data)), seed


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
    ("starts", "size", "is_of"),
    [
        (STARTS[:5], STARTS[5], True),
        ([*STARTS[:2], *STARTS[3:5]], STARTS[5] + 9, True),
        ([0], STARTS[5], False),
        ([0, 7], STARTS[2], False),
    ],
    ids=["cut between members", "damaged and cut", "one member", "other members"],
)
def test_whose_offsets_they_are(starts: list[int], size: int, is_of: bool) -> None:
    assert is_of_file(STARTS, starts, size) is is_of


@pytest.mark.parametrize(
    "data", [b"", b"12\n", b"0000000000\nx\n", b"0000000000 0000000001\n", b"\x1f\x8b\x08"]
)
def test_what_is_no_list_of_offsets(data: bytes) -> None:
    assert parse_offsets(data) is None
