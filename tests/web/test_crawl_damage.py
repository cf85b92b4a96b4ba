"""Damaged crawl files: what is lost, what is reported, and that every byte is accounted for."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from hashlib import blake2b
from io import BytesIO
from itertools import product
from random import Random
from time import process_time

import pytest
import zstandard

from anchormine.archives.compression import Damage
from anchormine.web.records.crawl_formats import crawl_format
from anchormine.web.records.crawl_records import RecordLimits, read_crawl
from anchormine.web.records.zstd_frames import block_size, frame_head
from tests.web.crawl_files import (
    FOLDER,
    arc,
    frames,
    members,
    needs_crawls,
    page,
    pages,
    read,
    response,
    urls,
    warc,
)

COUNT = 12
RECORDS = pages(COUNT)
NAMES = [str(number) for number in range(COUNT)]
PLAIN = b"".join(RECORDS)
ENDLESS = "the head that starts here has no end, or none within 256 KiB"
SECONDS = 5.0  # of CPU time, for what takes milliseconds


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]


def starts(pack) -> list[int]:
    """Where each record starts in a file of members or frames, and where that ends."""
    sizes = [len(pack([record])) for record in RECORDS]
    return [sum(sizes[:number]) for number in range(COUNT + 1)]


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


def test_a_frame_whose_blocks_would_reach_beyond_the_end() -> None:
    data, places = frames(RECORDS), starts(frames)
    block = places[4] + frame_head(data[places[4] :]).size
    head = (2 << 1 | 100_000 << 3).to_bytes(3, "little")
    records, (damage,) = read(data[:block] + head + data[block + 3 :])
    assert urls(records) == NAMES[:4] + NAMES[5:]
    assert damage == Damage(
        places[4],
        places[5] - places[4],
        f"damaged zstd frame (it starts at byte {places[4]}): the file ends within it",
        "file",
    )


def test_a_frame_that_is_cut_behind_a_block() -> None:
    data = frames(pages(1, 300_000))
    head = frame_head(data).size
    block = head + 3 + block_size(data[head : head + 3])[1]
    records, (damage,) = read(data[:block] + frames(RECORDS[1:2]))
    assert [(record.url[-1], record.problem) for record in records] == [("0", "damaged"), ("1", "")]
    assert damage[:2] == (block, 0)


@pytest.mark.parametrize("pack", [members, frames])
def test_a_member_that_is_cut_within_a_file(pack) -> None:
    data, places = pack(RECORDS), starts(pack)
    for cut in (places[4] + 5, (places[4] + places[5]) // 2, places[5] - 2):
        records, _ = read(data[:cut] + data[places[5] :])
        assert urls([record for record in records if record.problem != "damaged"]) == NAMES[:4] + NAMES[5:]


def test_a_member_that_is_cut_costs_none_that_its_rest_is_taken_for() -> None:
    """Compressed bytes behind a cut may go on to be inflated, through whole members."""
    packed = [members([record]) for record in pages(COUNT, 20_000)]
    before, behind = b"".join(packed[:4]), b"".join(packed[5:])
    for size in range(30, len(packed[4]), 175):
        records, damages = read(before + packed[4][:size] + behind)
        whole = [record for record in records if record.problem != "damaged"]
        assert urls(whole) == NAMES[:4] + NAMES[5:]
        assert all(record.problem == "" for record in whole)
        assert [damage.offset + damage.bytes_skipped for damage in damages] == [len(before) + size]


@pytest.mark.parametrize("pack", [members, lambda records: gzip.compress(b"".join(records), mtime=0)])
def test_members_within_a_whole_member_are_no_records(pack) -> None:
    """Those of a crawl file that was captured: they are not compressed once more."""
    crawl = response(members(pages(200)), "Content-Type: application/warc\r\n")
    written = [*RECORDS[:2], warc(crawl, url="http://a.example/crawl"), *RECORDS[2:]]
    records, damages = read(pack(written))
    assert urls(records) == [*NAMES[:2], "crawl", *NAMES[2:]]
    assert [record.problem for record in records] == [""] * (COUNT + 1)
    assert damages == []


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (members(RECORDS), "cut off: the gzip member that starts at byte {start} has no end"),
        (frames(RECORDS), "cut off: the zstd frame that starts at byte {start} has no end"),
        (gzip.compress(PLAIN, mtime=0), "cut off: the gzip member that starts at byte 0 has no end"),
        (PLAIN, "cut off: the record that starts at byte {start} has no end"),
    ],
    ids=["members", "frames", "gzip", "plain"],
)
def test_a_file_that_is_cut_off(data: bytes, reason: str) -> None:
    offsets = [record.offset for record in read(data)[0]]
    cut = (offsets[6] + offsets[7]) // 2
    records, damages = read(data[:cut])
    assert urls(records)[:6] == NAMES[:6]
    assert [record.problem for record in records] == [""] * 6 + ["truncated"] * (len(records) - 6)
    (damage,) = damages
    assert damage.reason == reason.format(start=offsets[6])
    assert damage.offset + damage.bytes_skipped == cut


def test_a_file_that_is_cut_off_behind_its_last_page() -> None:
    records, damages = read(PLAIN[:-3])
    assert urls(records) == NAMES
    reason = f"cut off: the record that starts at byte {records[-1].offset} lacks the blank line at its end"
    assert damages == [Damage(len(PLAIN) - 3, 0, reason, "file")]
    records, damages = read(members(RECORDS)[:-3])
    assert urls(records) == NAMES
    assert damages[0].reason.startswith("cut off: ")


def test_arc_may_end_with_its_last_document() -> None:
    records, damages = read(b"".join(ARC)[:-1])
    assert ([(record.body, record.problem) for record in records], damages) == (
        [(record.body, "") for record in read(b"".join(ARC))[0]],
        [],
    )


def test_records_may_end_with_other_line_ends_than_the_last() -> None:
    crlf, lf = RECORDS[0], RECORDS[1].removesuffix(b"\r\n\r\n") + b"\n\n"
    for data in (crlf + lf, lf + crlf):
        records, damages = read(data)
        assert ([record.problem for record in records], damages) == (["", ""], [])
        for missing in (1, 2):
            (damage,) = read(data[:-missing])[1]
            assert damage.reason.endswith("lacks the blank line at its end")


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


ARC = [arc(response(b"<p>a"), "http://a.example/a"), arc(response(b"<p>b"), "http://a.example/b")]
WARC = RECORDS[:2]
JOINED = "records of another form or packing start here; give the files that were joined one by one"


@pytest.mark.parametrize("pack", [members, frames])
@pytest.mark.parametrize(("first", "second"), [(ARC, WARC), (WARC, ARC)])
def test_files_of_both_forms_that_were_joined(pack, first: list[bytes], second: list[bytes]) -> None:
    records, damages = read(pack(first) + pack(second))
    assert records[:2] == read(pack(first))[0]
    assert [(record.url, record.body) for record in records[2:]] == [
        (record.url, record.body) for record in read(pack(second))[0]
    ]
    assert ([record.problem for record in records], damages) == ([""] * 4, [])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (b"".join(ARC), b"".join(WARC)),
        (b"".join(WARC), b"".join(ARC)),
        (members(WARC), b"".join(WARC)),
        (frames(WARC), b"".join(ARC)),
        (b"".join(WARC), members(WARC)),
    ],
    ids=["arc warc", "warc arc", "gz plain", "zst plain", "plain gz"],
)
def test_joined_files_that_are_read_in_part(first: bytes, second: bytes) -> None:
    records, damages = read(first + second)
    assert records == read(first)[0]
    assert damages == [Damage(len(first), len(second), JOINED, "file")]


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


@pytest.mark.parametrize("pack", [b"".join, lambda records: gzip.compress(b"".join(records), mtime=0)])
def test_a_file_that_is_cut_off_in_a_head_and_written_on(pack) -> None:
    """Wherever the cut is, what is behind it keeps its own address and text."""
    before, cut, behind = b"".join(RECORDS[:4]), RECORDS[4], b"".join(RECORDS[5:])
    whole = read(b"".join([before, behind]))[0]
    for size in range(1, cut.index(b"\r\n\r\n")):
        records, damages = read(pack([before, cut[:size], behind]))
        assert [(one.url, one.body, one.problem) for one in records] == [
            (one.url, one.body, "") for one in whole
        ]
        if pack == b"".join:
            line = cut.index(b"\n")
            reason = ENDLESS if size > line else "no record starts here"
            assert damages == [Damage(len(before), size, reason, "file")]
        assert len(damages) == 1


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


def one_member(records: list[bytes]) -> bytes:
    return gzip.compress(b"".join(records), mtime=0)


WRONG_LENGTH = "the record that starts here is of another length than it announces"
SMALL = RecordLimits(payload_bytes=10_000)  # beside which 64 KiB of a block are kept


@pytest.mark.parametrize("until", [0, 1500], ids=["up to a head", "up to the middle of a record"])
@pytest.mark.parametrize("size", [20, 40], ids=["small", "over the limit"])
@pytest.mark.parametrize("pack", [b"".join, one_member])
def test_zero_bytes_over_many_records(pack, size: int, until: int) -> None:
    """A download that left out a part: the record before it has another length than it announces."""
    records = pages(60)
    behind = b"".join(records[size:])
    hole = bytes(len(b"".join(records[5:size])) - 1500 + until)
    data = pack([*records[:5], records[5][:1500], hole, behind[until:]])
    assert len(data) == len(pack(records)) or pack is one_member
    first = size + (1 if until else 0)
    found, damages = read(data, SMALL if size == 40 else None)
    assert [(one.url[17:], one.problem) for one in found] == [
        *((str(number), "") for number in range(5)),
        ("5", "too_large" if size == 40 else "wrong_length"),
        *((str(number), "") for number in range(first, 60)),
    ]
    assert damages == [Damage(found[5].offset, 0, WRONG_LENGTH, "file")]


@pytest.mark.parametrize("length", [0, 1000, 120_000, 200_000, 10**12])
@pytest.mark.parametrize("pack", [b"".join, members, frames, one_member])
def test_a_wrong_length_of_what_is_too_large(pack, length: int) -> None:
    large = warc(response(page(50, 150_000)), url="http://a.example/large", length=length)
    for records in ([RECORDS[0], large, *RECORDS[1:]], [RECORDS[0], large]):
        data = pack(records)
        found, damages = read(data, SMALL)
        assert [(one.url[17:], one.problem) for one in found if one.problem] == [("large", "too_large")]
        assert urls(found) == ["0", "large", *NAMES[1 : len(records) - 1]]
        at = found[1].offset
        is_cut = len(records) == 2 and length > 150_000
        cut = Damage(len(data), 0, f"cut off: the record that starts at byte {at} has no end", "file")
        assert damages == [cut if is_cut else Damage(at, 0, WRONG_LENGTH, "file")]


class Pipe:
    """A stream that cannot go back."""

    def __init__(self, data: bytes) -> None:
        self.read = BytesIO(data).read


@pytest.mark.parametrize("pack", [b"".join, members, frames, one_member])
def test_a_pipe_gives_what_a_file_does(pack) -> None:
    """But for crawl files that were captured, and are too large to be kept."""
    whole = warc(response(page(50, 150_000)), url="http://a.example/whole")
    bent = warc(response(page(50, 150_000)), url="http://a.example/bent", length=200_000)
    data = pack([RECORDS[0], whole, RECORDS[1], bent, *RECORDS[2:]])
    damages: list[Damage] = []
    assert (list(read_crawl(Pipe(data), damages, SMALL)), damages) == read(data, SMALL)
    assert len(damages) == 1


@pytest.mark.parametrize("length", [1000, 120_000, 200_000, 10**12])
@pytest.mark.parametrize("pack", [b"".join, one_member])
def test_a_wrong_length_of_a_captured_crawl_that_is_too_large(pack, length: int) -> None:
    """Its records cannot be told from those of the file."""
    inner = warc(response(page(60)), url="http://b.example/inner") + bytes(150_000) + b"\r\n\r\n"
    large = warc(response(inner), url="http://a.example/large", length=length)
    found, damages = read(pack([RECORDS[0], large, *RECORDS[1:]]), SMALL)
    assert [(one.url[7:], one.problem) for one in found] == [
        ("a.example/0", ""),
        ("a.example/large", "wrong_length"),
        ("b.example/inner", ""),
        *((f"a.example/{name}", "") for name in NAMES[1:]),
    ]
    lost = [damage.reason for damage in damages]
    assert lost == [WRONG_LENGTH, "no record starts here"]
    assert damages[0][:2] == (found[1].offset, 0)


@pytest.mark.parametrize("size", [1000, 100_000])
@pytest.mark.parametrize("pack", [b"".join, one_member])
def test_a_file_that_is_cut_off_in_a_line_and_written_on(pack, size: int) -> None:
    cut = warc(response(b"x" * 200_000), url="http://a.example/cut")[:size]
    found, damages = read(pack([RECORDS[0], cut, *RECORDS[1:]]), SMALL)
    assert [(one.url[17:], one.problem) for one in found] == [
        ("0", ""),
        ("cut", "wrong_length" if size == 1000 else "too_large"),
        *((name, "") for name in NAMES[1:]),
    ]
    assert damages == [Damage(found[1].offset, 0, WRONG_LENGTH, "file")]


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


def test_a_wrong_checksum() -> None:
    data = members(RECORDS[:2])
    at = len(members(RECORDS[:1])) - 6
    records, damages = read(flipped(data, at))
    assert [record.problem for record in records] == ["damaged", ""]
    assert "incorrect data check" in damages[0].reason


MUTATIONS = 560


def mutated(data: bytes, seed: int) -> bytes:
    """A copy that is cut, or has bits flipped, bytes overwritten, put in or taken out."""
    draws = Random(seed)
    at = draws.randrange(len(data))
    what = seed % 6
    if what == 0:
        return data[:at]
    if what == 1:
        return data[:at] + draws.randbytes(draws.randrange(1, 2000)) + data[at:]
    if what == 2:
        return data[:at] + data[at + draws.randrange(1, 20_000) :]
    if what == 3:
        gap = draws.randrange(1, 500)
        return data[:at] + bytes(gap) + data[at + gap :]
    changed = bytearray(data)
    for _ in range(1 if what == 4 else 20):
        changed[draws.randrange(len(data))] ^= 1 << draws.randrange(8)
    return bytes(changed)


def check_mutations(files: list[bytes], count: int) -> None:
    """Every byte of each is in the verdict, in bounded time, and what was not touched is read."""
    for seed in range(count):
        original = files[seed % len(files)]
        data = mutated(original, seed)
        began = process_time()
        records, _ = read(data)
        assert process_time() - began < SECONDS
        if seed % 6 == 4 and original[:3] == b"\x1f\x8b\x08" and original.count(b"\x1f\x8b\x08") > 20:
            kept = {digest(record.body) for record in records}
            lost = sum(digest(record.body) not in kept for record in read(original)[0])
            assert lost <= 1


def digest(body: bytes) -> bytes:
    return blake2b(body, digest_size=16).digest()


def test_mutations() -> None:
    whole = [*RECORDS, arc(response(b"<p>x"))]
    files = [
        PLAIN,
        members(RECORDS * 3),
        frames(RECORDS),
        gzip.compress(PLAIN, mtime=0),
        zstandard.compress(PLAIN),
    ]
    check_mutations([*files, b"".join(arc(response(record)) for record in whole)], 120)


@pytest.mark.data
@needs_crawls
def test_mutations_of_real_files() -> None:
    names = [
        "commoncrawl-50-records",
        "http-return-codes",
        "clueweb09-ja-eucjp",
        "clueweb09-en0040-54-sample",
    ]
    files = [(FOLDER / f"{name}.warc.gz").read_bytes() for name in names]
    files.append((FOLDER / "blackbook.arc.gz").read_bytes()[:400_000])
    files.append(zlib.decompress(files[3], 31))
    files += [path.read_bytes() for path in sorted((FOLDER / "malformed").glob("*arc"))]
    check_mutations(files, MUTATIONS)


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
    "empty members": gzip.compress(b"", mtime=0) * 20_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_take_bounded_time(name: str) -> None:
    began = process_time()
    _, damages = read(HOSTILE[name])
    assert process_time() - began < 2 * SECONDS
    assert len(damages) < 3
