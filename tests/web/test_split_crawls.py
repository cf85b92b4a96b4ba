"""Crawl files that were packed in pieces which start anywhere in records: a damaged one costs no other."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from itertools import accumulate
from random import Random

import pytest

from anchormine.archives.compression import Damage
from anchormine.web.records.crawl_records import CrawlRecord, read_crawl
from tests.web.crawl_files import Pipe, frames, members, page, pages, read, response, urls, warc

COUNT = 40
RECORDS = pages(COUNT)
PLAIN = b"".join(RECORDS)
NAMES = [str(number) for number in range(COUNT)]
ENDS = list(accumulate(len(record) for record in RECORDS))
SIZE = 10_000  # of a piece, before it is packed

Pack = Callable[[bytes], bytes]


def member(data: bytes) -> bytes:
    return members([data])


def frame(data: bytes) -> bytes:
    return frames([data])


def blocked_member(data: bytes) -> bytes:
    """As bgzip writes it: an extra field in its head says how long it is."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    packed = packer.compress(data) + packer.flush()
    extra = b"BC\x02\0" + (len(packed) + 25).to_bytes(2, "little")
    head = b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0" + extra
    return head + packed + zlib.crc32(data).to_bytes(4, "little") + len(data).to_bytes(4, "little")


def frame_behind_its_size(data: bytes) -> bytes:
    """As pzstd writes it: a frame that is skipped says how long it is."""
    packed = frame(data)
    return b"\x50\x2a\x4d\x18\x04\0\0\0" + len(packed).to_bytes(4, "little") + packed


PACKS = [member, blocked_member, frame, frame_behind_its_size]


def pieces(pack: Pack) -> list[bytes]:
    return [pack(PLAIN[at : at + SIZE]) for at in range(0, len(PLAIN), SIZE)]


def outside(*numbers: int) -> list[str]:
    """The names of the records that have nothing in some pieces."""
    lost = [(SIZE * number, SIZE * (number + 1)) for number in numbers]
    spans = zip(NAMES, [0, *ENDS], ENDS, strict=False)
    return [name for name, start, end in spans if all(end <= first or start >= last for first, last in lost)]


def sound(records: list[CrawlRecord]) -> list[tuple[str, bytes]]:
    """The names and bodies of the records without a problem."""
    return [(name, one.body) for name, one in zip(urls(records), records, strict=True) if not one.problem]


def among(records: list[CrawlRecord], wanted: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """The names and bodies of the sound records, of those that are wanted."""
    return [one for one in sound(records) if one in wanted]


def expected(names: list[str]) -> list[tuple[str, bytes]]:
    return [(name, one.body) for name, one in zip(NAMES, read(PLAIN)[0], strict=True) if name in names]


@pytest.mark.parametrize("pack", PACKS)
def test_a_flipped_bit_costs_one_piece(pack: Pack) -> None:
    parts = pieces(pack)
    start, end = len(parts[0]), len(parts[0] + parts[1])
    data, wanted = b"".join(parts), expected(outside(1))
    for at in range(start, end, 61):
        records, damages = read(data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :])
        assert among(records, wanted) == wanted
        assert all(start <= damage.offset < end + len(parts[2]) for damage in damages)


@pytest.mark.parametrize("pack", PACKS)
def test_a_piece_that_is_cut_costs_no_other(pack: Pack) -> None:
    parts, wanted = pieces(pack), expected(outside(2))
    for size in range(1, len(parts[2]), 97):
        records, _ = read(b"".join([*parts[:2], parts[2][:size], *parts[3:]]))
        assert among(records, wanted) == wanted


@pytest.mark.parametrize("pack", PACKS)
def test_pieces_whose_first_bytes_are_damaged(pack: Pack) -> None:
    """What is lost is what they hold, and the rest of the record that goes on behind them."""
    parts = pieces(pack)
    data = b"".join([*parts[:2], b"XXXX" + parts[2][4:], *parts[3:5], b"XXXX" + parts[5][4:], *parts[6:]])
    records, damages = read(data)
    wanted = expected(outside(2, 5))
    assert among(records, wanted) == wanted
    assert len(damages) == 4  # two pieces, and two rests of records


@pytest.mark.parametrize("pack", PACKS)
def test_pieces_that_come_through_a_pipe(pack: Pack) -> None:
    parts = pieces(pack)
    data = b"".join([*parts[:3], bytes(len(parts[3])), *parts[4:]])
    damages: list[Damage] = []
    assert (list(read_crawl(Pipe(data), damages)), damages) == read(data)
    assert len(damages) == 2


def test_pieces_of_more_than_is_looked_ahead() -> None:
    noise = Random(1).randbytes(3 << 20)
    written = [*RECORDS[:3], *(warc(noise, url=f"http://a.example/{n}", kind="resource") for n in "abc")]
    plain = b"".join([*written, RECORDS[3]])
    middle = len(plain) // 2
    for packs in ((member, members), (frame, frames)):
        first, second = (packs[0](plain[:middle]), packs[0](plain[middle:]))
        records, damages = read(packs[1]([RECORDS[9]]) + b"X" + first[1:] + second)
        assert (urls(records), damages[0].offset) == (["9", "c", "3"], len(packs[1]([RECORDS[9]])))


@pytest.mark.parametrize("pack", [members, frames])
def test_what_was_captured_compressed_is_no_piece(pack) -> None:
    """It stands as it was sent in a record that compression makes no smaller, whole behind what is broken."""
    site = pack([page(COUNT)])
    sent = warc(response(Random(1).randbytes(2000) + site), url="http://a.example/map")
    packed = gzip.compress(sent, 0, mtime=0) if pack is members else frame(sent)
    first, start = pack(RECORDS[:2]), packed.index(site)
    data = first + packed[: start - 1000] + packed[start - 999 :] + pack(RECORDS[2:])
    records, (damage,) = read(data)
    assert sound(records) == expected(NAMES)
    assert damage.offset + damage.bytes_skipped == len(first + packed) - 1


def test_what_was_sent_compressed_in_a_file_that_was_joined_is_no_piece() -> None:
    first = members(RECORDS)
    bodies = (members([page(number)]) for number in range(COUNT))
    plain = b"".join(warc(response(body, "Content-Encoding: gzip\r\n")) for body in bodies)
    records, damages = read(first + plain)
    assert urls(records) == NAMES
    assert [damage[:2] for damage in damages] == [(len(first), len(plain))]
