"""Damaged crawl files: what is lost, what is reported, and that every byte is accounted for."""

from __future__ import annotations

import gzip
from itertools import product
from random import Random

import pytest

from anchormine.archives.compression import Damage
from anchormine.web.records.crawl_formats import crawl_format
from tests.web.crawl_files import arc, frames, members, page, pages, read, response, urls, warc
from tests.web.damaged_crawls import COUNT, ENDLESS, NAMES, PLAIN, RECORDS, starts


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]


@pytest.mark.parametrize("pack", [members, frames])
def test_a_flipped_byte_costs_one_record(pack) -> None:
    data, places = pack(RECORDS), starts(pack)
    kind = "gzip member" if pack is members else "zstd frame"
    whole = read(data)[0]
    for at in range(places[4], places[5], 7):
        records, damages = read(flipped(data, at))
        good = [record for record in records if record.problem != "damaged" and record.url != whole[4].url]
        assert [record.body for record in records if record.url == whole[4].url and not record.problem] in (
            [],
            [whole[4].body],  # where the line ends behind it are broken
        )
        if not damages:  # in the fields of gzip's head that say nothing of the content
            assert pack is members
            assert at - places[4] < 10
            continue
        assert good == [*whole[:4], *whole[5:]]
        (damage,) = damages
        assert places[4] <= damage.offset
        assert damage.offset + damage.bytes_skipped == places[5]
        assert kind in damage.reason


@pytest.mark.parametrize("pack", [members, frames])
def test_the_first_and_the_last_record(pack) -> None:
    data, places = pack(RECORDS), starts(pack)
    records, damages = read(flipped(data, 1))
    assert urls(records) == NAMES[1:]
    assert [damage[:2] for damage in damages] == [(0, places[1])]
    assert crawl_format(flipped(data, 1)) == "warc"
    records, damages = read(data + b"garbage")
    assert urls(records) == NAMES
    assert [damage[:2] for damage in damages] == [(len(data), 7)]


@pytest.mark.parametrize("pack", [members, frames, b"".join])
@pytest.mark.parametrize(("size", "expected"), [(250_000, "warc"), (270_000, None)])
def test_a_damaged_start_of_a_file_of_any_name(pack, size: int, expected: str | None) -> None:
    data = Random(3).randbytes(size) + pack(RECORDS)
    assert crawl_format(data[: 1 << 18]) == expected
    assert urls(read(data)[0]) == NAMES


@pytest.mark.parametrize("pack", [members, frames, b"".join])
@pytest.mark.parametrize("number", [5, COUNT])
def test_zero_bytes_to_the_end_are_listed(pack, number: int) -> None:
    """As a download leaves them that made room for the file and was broken off."""
    data = pack(RECORDS[:number])
    records, damages = read(data + bytes(100_000))
    assert urls(records) == NAMES[:number]
    assert [record.problem for record in records] == [""] * number
    assert [damage[:2] for damage in damages] == [(len(data), 100_000)]


@pytest.mark.parametrize("foreign", [b"G" * 15, b"G" * 17, b"G" * 5000, b"WARC/1.0 G" * 10, b"G\n" * 9])
def test_foreign_bytes_between_records_cost_none(foreign: bytes) -> None:
    before = b"".join(RECORDS[:4])
    data = before + foreign + b"".join(RECORDS[4:])
    records, (damage,) = read(data)
    assert damage[:2] == (len(before), len(foreign))
    packed, (_,) = read(gzip.compress(data, mtime=0))
    for found in (records, packed):
        assert urls(found) == NAMES
        assert [record.problem for record in found] == [""] * COUNT


@pytest.mark.parametrize("size", range(61_436, 61_441))
def test_members_behind_garbage_of_any_size(size: int) -> None:
    """The next is sought step by step, and may start astride of two."""
    first = members(RECORDS[:1])
    records, (damage,) = read(first + b"G" * size + members(RECORDS[1:]))
    assert (urls(records), damage[:2]) == (NAMES, (len(first), size))


@pytest.mark.parametrize("number", [4, COUNT - 3, COUNT - 1])
def test_a_flipped_bit_costs_no_member_behind_it(number: int) -> None:
    """One in a member's head may announce a field that the next members would be; and near the file's end
    there may not be enough behind one to show that what comes of it is no text.
    """
    data, places = members(RECORDS), starts(members)
    others = NAMES[:number] + NAMES[number + 1 :]
    for at, bit in product(range(places[number], places[number + 1]), range(8)):
        records, damages = read(data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])
        good = urls(record for record in records if record.problem != "damaged")
        assert [url for url in good if url != NAMES[number]] == others
        assert all(places[number] <= damage.offset <= places[number + 1] for damage in damages)


def test_members_that_are_broken_one_after_the_other() -> None:
    """Each is cut before its checksum: what it holds is read as far as it goes, and the next is found."""
    small = [warc(response(b"<html>"), url=f"http://a.example/{name}") for name in NAMES]
    data = b"".join(gzip.compress(record, mtime=0)[:-8] for record in small)
    records, damages = read(data)
    assert urls(records) == NAMES
    assert [record.problem for record in records] == ["damaged"] * (COUNT - 1) + [""]
    assert len(damages) == COUNT


def test_junk_of_less_than_a_byte_is_told_once() -> None:
    small = b"".join(warc(response(b"<html>")) + b"junk\n\n" for _ in range(2000))
    records, damages = read(gzip.compress(small, mtime=0))
    assert len(records) == 2000
    empty = [damage for damage in damages if not damage.bytes_skipped]
    assert [damage.reason for damage in empty] == ["no record starts here"]


def test_an_extra_field_as_long_as_the_rest_of_the_file() -> None:
    first, *others = (gzip.compress(record, mtime=0) for record in RECORDS)
    announced = len(b"".join(others)) + len(first) - 12
    data = first[:3] + b"\x04" + first[4:10] + announced.to_bytes(2, "little") + first[12:] + b"".join(others)
    records, (damage,) = read(data)
    assert urls(records) == NAMES[1:]
    reason = "damaged gzip member (it starts at byte 0): it has no end"
    assert damage == Damage(0, len(first), reason, "file")


@pytest.mark.parametrize("pack", [members, lambda records: gzip.compress(b"".join(records), mtime=0)])
def test_members_within_a_whole_member_are_no_records(pack) -> None:
    """Those of a crawl file that was captured: they are not compressed once more."""
    crawl = response(members(pages(200)), "Content-Type: application/warc\r\n")
    written = [*RECORDS[:2], warc(crawl, url="http://a.example/crawl"), *RECORDS[2:]]
    records, damages = read(pack(written))
    assert urls(records) == [*NAMES[:2], "crawl", *NAMES[2:]]
    assert [record.problem for record in records] == [""] * (COUNT + 1)
    assert damages == []


def test_garbage_between_records() -> None:
    garbage = b"The monkeys are a coming!\r\n\r\n" * 9
    data = RECORDS[0] + garbage + RECORDS[1]
    records, damages = read(data)
    assert records[0] == read(RECORDS[0])[0][0]
    assert urls(records) == ["0", "1"]
    assert damages == [Damage(len(RECORDS[0]), len(garbage), "no record starts here", "file")]
    first, second, third = members([RECORDS[0]]), members([garbage]), members([RECORDS[1]])
    records, damages = read(first + second + third)
    assert urls(records) == ["0", "1"]
    assert damages == [Damage(len(first), len(second), "no record starts here", "file")]
    records, damages = read(first + garbage + third)
    assert urls(records) == ["0", "1"]
    assert damages == [Damage(len(first), len(garbage), "no gzip member starts here", "file")]


def test_garbage_in_arc() -> None:
    good, garbage = (
        [arc(response(b"<p>a")), arc(response(b"<p>b"), "http://b.example/")],
        b"\nhttp://c.exam 9\n" * 5,
    )
    records, damages = read(good[0] + garbage + good[1])
    assert [record.body for record in records] == [b"<p>a", b"<p>b"]
    assert damages == [Damage(len(good[0]) + 1, len(garbage) - 1, "no record starts here", "file")]


def test_a_head_without_an_end_costs_no_record_behind_it() -> None:
    endless = b"WARC/1.0\r\nWARC-Type: " + b"x" * (1 << 18)
    packed = gzip.compress(endless, mtime=0)
    for data, size in ((endless + PLAIN, len(endless)), (packed + members(RECORDS), len(packed))):
        records, damages = read(data)
        assert ([record.problem for record in records], urls(records)) == ([""] * COUNT, NAMES)
        assert damages == [Damage(0, size, ENDLESS, "file")]


def test_a_head_that_is_too_long_costs_its_record() -> None:
    head, _, block = RECORDS[1].partition(b"\r\n")
    long = head + b"\r\nX-Long: " + b"x" * (1 << 18) + b"\r\n" + block
    records, damages = read(b"".join([RECORDS[0], long, *RECORDS[2:]]))
    assert urls(records) == [NAMES[0], *NAMES[2:]]
    assert damages == [Damage(len(RECORDS[0]), len(long), ENDLESS, "file")]


def test_a_member_behind_bytes_that_two_begin_with() -> None:
    packed = members(RECORDS[:3]) + b"\x1f\x8b\x08" * 2 + members(RECORDS[3:])
    records, (damage,) = read(packed)
    assert urls(records) == NAMES
    assert (damage.offset, damage.bytes_skipped) == (len(members(RECORDS[:3])), 6)


def test_zero_bytes_in_a_head() -> None:
    """A download that left out a part: what the head says may be of two records."""
    at, until = len(RECORDS[0]) + 60, len(RECORDS[0] + RECORDS[1]) + 60
    records, damages = read(PLAIN[:at] + bytes(until - at) + PLAIN[until:])
    assert [(record.url[-1:], record.problem) for record in records] == [
        ("0", ""),
        ("2", "damaged"),
        *((name[-1], "") for name in NAMES[3:]),
    ]
    reason = "the head of the record that starts here holds zero bytes"
    assert damages == [Damage(len(RECORDS[0]), 0, reason, "file")]


def test_zero_bytes_in_the_address_of_arc() -> None:
    """The line goes on in that of another record: neither's page is of the address that it gives."""
    records = [arc(response(page(number)), f"http://a.example/{number}") for number in range(4)]
    data = b"".join(records)
    at, until = len(records[0]) + 12, len(records[0] + records[1]) + 14
    found, damages = read(data[:at] + bytes(until - at) + data[until:])
    assert [(record.url[-1:], record.problem) for record in found] == [("0", ""), ("2", "damaged"), ("3", "")]
    reason = "the head of the record that starts here holds zero bytes"
    assert damages == [Damage(len(records[0]), 0, reason, "file")]


def test_a_head_that_is_damaged() -> None:
    """It costs its record, also where it is the first or the line before it is damaged too."""
    offsets = [record.offset for record in read(PLAIN)[0]]
    for number in (0, 5):
        records, damages = read(flipped(PLAIN, offsets[number]))
        assert urls(records) == NAMES[:number] + NAMES[number + 1 :]
        assert [damage[:2] for damage in damages] == [(offsets[number], len(RECORDS[number]))]
    records, damages = read(flipped(PLAIN, offsets[5] - 1))
    assert urls(records) == NAMES
    assert [damage[:2] for damage in damages] == [(offsets[5] - 1, 1)]


@pytest.mark.parametrize(
    ("pack", "at", "words"), [(members, -6, "incorrect data check"), (frames, -1, "checksum")]
)
def test_a_wrong_checksum(pack, at: int, words: str) -> None:
    data, end = pack(RECORDS[:2]), len(pack(RECORDS[:1]))
    records, (damage,) = read(flipped(data, end + at))
    assert [record.problem for record in records] == ["damaged", ""]
    assert damage.offset + damage.bytes_skipped == end
    assert words in damage.reason


def test_the_wrong_checksum_of_a_frame_of_many_records() -> None:
    """It costs the last of them, and no other of the last block."""
    data = frames([PLAIN])
    whole = read(data)[0]
    records, damages = read(flipped(data, len(data) - 1))
    assert [(one.url, one.body) for one in records] == [(one.url, one.body) for one in whole]
    assert [record.problem for record in records] == [""] * (COUNT - 1) + ["damaged"]
    assert [(*damage[:2], "checksum" in damage.reason) for damage in damages] == [(len(data) - 4, 4, True)]


@pytest.mark.parametrize("missing", [1, 4])
def test_a_frame_that_is_cut_off_in_its_checksum(missing: int) -> None:
    data = frames(RECORDS)
    records, damages = read(data[:-missing])
    assert (urls(records), [record.problem for record in records]) == (NAMES, [""] * COUNT)
    reason = f"cut off: the zstd frame that starts at byte {starts(frames)[-2]} has no end"
    assert damages == [Damage(len(data) - 4, 4 - missing, reason, "file")]
