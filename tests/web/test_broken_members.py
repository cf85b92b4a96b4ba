"""Records that stand together in a gzip member or zstd frame which turns out to be broken further on."""

from __future__ import annotations

import gzip

import pytest
import zstandard

from anchormine.archives.compression import Damage
from anchormine.web.records.crawl_records import read_crawl
from tests.web.crawl_files import Pipe, arc, page, pages, read, response, urls, warc
from tests.web.test_digests import UNFIT, digested, wrong

COUNT = 40
# What is decoded together with the wrong sum counts as damaged: of all files the last record, which is long.
LAST = warc(response(page(99, 40_000)), url="http://a.example/last")
RECORDS = [*(digested(number) for number in range(COUNT)), LAST]
NAMES = [*(str(number) for number in range(COUNT)), "last"]
NO_LENGTH = "the record that starts here announces no length"
UNFIT_FROM = (
    "the record that starts here does not fit its digest or length, or lacks them, in a member that is "
    "broken; of what follows there, only records that fit their digests are read"
)
CHECK = "damaged gzip member (it starts at byte 0): Error -3 while decompressing data: incorrect data check"
CHECK_OF_ZSTD = (
    "damaged zstd frame (it starts at byte 0): zstd decompressor error: Restored data doesn't match checksum"
)


def stored(records: list[bytes], flips: dict[int, tuple[bytes, bytes]]) -> bytes:
    """One gzip member that is not compressed, with other bytes in some of its records: its sum is wrong."""
    data = gzip.compress(b"".join(records), compresslevel=0, mtime=0)
    for number, (old, new) in flips.items():
        assert len(old) == len(new)
        assert records[number].count(old) == 1
        changed = records[number].replace(old, new)
        assert data.count(records[number]) == 1  # zlib's own blocks are of 64 KiB
        data = data.replace(records[number], changed)
    return data


def garbled(number: int) -> tuple[bytes, bytes]:
    return f"Page {number}. ".encode(), f"Pige {number}. ".encode()


def damaged(records: list) -> list[str]:
    return urls(record for record in records if record.problem == "damaged")


def test_what_fits_its_digest_is_read_and_nothing_else() -> None:
    """Wrong digests tell of the member here, however many they are: they are believed behind it, too."""
    flips = {number: garbled(number) for number in range(5, COUNT - 5)}
    data = stored(RECORDS, flips)
    records, damages = read(data)
    assert urls(records) == NAMES
    assert damaged(records) == [*map(str, flips), "last"]
    assert [damage.reason for damage in damages] == [UNFIT_FROM, CHECK]
    assert damages[0].offset == next(record.offset for record in records if urls([record]) == ["5"])

    following = gzip.compress(wrong(90), mtime=0)
    records, damages = read(data + following)
    assert damaged(records)[-1] == "90"
    assert [damage.reason for damage in damages] == [UNFIT_FROM, CHECK, UNFIT]


@pytest.mark.parametrize(
    ("flip", "problem", "reasons"),
    [
        ((b"-Digest: ", b"_Digest: "), "damaged", [UNFIT_FROM, CHECK]),
        ((b"Content-Length: ", b"Content-Langth: "), "", [NO_LENGTH, CHECK]),
        ((b"WARC-Type: response", b"WARC-Type: rescue-z"), "", [CHECK]),
    ],
    ids=["digests", "length", "type"],
)
def test_heads_that_are_garbled(flip: tuple[bytes, bytes], problem: str, reasons: list[str]) -> None:
    """Of a response without a digest nothing tells whether it is right; without its length it fits that."""
    whole, number = gzip.compress(b"".join(RECORDS), compresslevel=0, mtime=0), 7
    changed = RECORDS[number].replace(*flip)
    assert changed != RECORDS[number]
    found, damages = read(whole.replace(RECORDS[number], changed))
    assert urls(found) == NAMES
    assert found[number].problem == problem
    assert damaged(found) == ([str(number)] if problem else []) + ["last"]
    assert [damage.reason for damage in damages] == reasons


def test_a_file_without_digests_is_read_as_it_is() -> None:
    records, damages = read(stored([*pages(12, 300), LAST], {3: garbled(3)}))
    assert urls(records) == [*NAMES[:12], "last"]
    assert [record.problem for record in records] == [""] * 12 + ["damaged"]
    assert [damage.reason for damage in damages] == [CHECK]


@pytest.mark.parametrize(("count", "size"), [(4, 20), (20, 200)])
def test_a_wrong_sum_costs_the_last_record_however_small_the_member_is(count: int, size: int) -> None:
    data = bytearray(gzip.compress(b"".join(pages(count, size)), mtime=0))
    data[-6] ^= 1
    records, damages = read(bytes(data))
    assert [record.problem for record in records] == [""] * (count - 1) + ["damaged"]
    assert [record.body for record in records] == [page(number, size) for number in range(count)]
    assert [(damage.bytes_skipped, damage.reason) for damage in damages] == [(9, CHECK)]


def test_a_record_in_a_broken_member_that_garbage_follows_is_damaged() -> None:
    """Its length ends at a line end by chance; in a member that is whole what follows would be foreign."""
    body = b"<p>" + b"y" * 20_000
    block = response(body + b"\n</p>" + b"x" * 40_000)
    short = len(response(body))
    plain = arc(block, "http://a.example/0", len(block))
    bent = plain.replace(f" {len(block)}\n".encode(), f" {short}\n".encode())
    assert len(bent) == len(plain)
    data = gzip.compress(plain, compresslevel=0, mtime=0)
    records, damages = read(data.replace(plain, bent))
    assert [(record.problem, record.body) for record in records] == [("damaged", body)]
    assert [damage.reason for damage in damages] == [CHECK]

    records, damages = read(gzip.compress(bent, mtime=0))
    assert [(record.problem, record.body) for record in records] == [("", body)]


@pytest.mark.parametrize("place", [200, 1400, 2600, 3800, 8600])
def test_frames_of_zstd(place: int) -> None:
    """A bit of a page's text: it costs that page, and what is decoded together with the wrong sum."""
    broken = bytearray(zstandard.ZstdCompressor(write_checksum=True).compress(b"".join(RECORDS)))
    broken[place] ^= 4
    records, damages = read(bytes(broken))
    assert urls(records) == NAMES
    right = [record for record in records if not record.problem]
    assert len(right) == COUNT - 1
    assert all(record.body == page(int(record.url[len("http://a.example/") :]), 300) for record in right)
    assert damaged(records)[1:] == ["last"]
    assert [damage.reason for damage in damages] == [UNFIT_FROM, CHECK_OF_ZSTD]


def test_a_stream_that_cannot_go_back_is_read_as_it_comes() -> None:
    """Nothing is known of the sum before all is read: then wrong digests count as in any file."""
    damages: list[Damage] = []
    stream = Pipe(stored(RECORDS, {number: garbled(number) for number in range(5, 15)}))
    records = list(read_crawl(stream, damages))
    assert urls(records) == NAMES
    assert damaged(records) == [*map(str, range(5, 11)), "last"]
    told = f"{UNFIT}, as 3 more; they are read, since most digests of this file are wrong"
    assert [damage.reason for damage in damages] == [*[UNFIT] * 6, told, CHECK]


def test_members_that_are_whole_cost_no_record() -> None:
    """Wrong digests in one that is whole are the crawler's, and cost the records until they are most."""
    unfit = [wrong(number) for number in range(20)]
    records, damages = read(gzip.compress(b"".join([*RECORDS[:2], *unfit]), mtime=0))
    assert damaged(records) == ["0", "1", "2"]
    told = f"{UNFIT}, as 16 more; they are read, since most digests of this file are wrong"
    assert [damage.reason for damage in damages] == [UNFIT, UNFIT, UNFIT, told]
