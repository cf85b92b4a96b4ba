"""Crawl files that are cut off, written on after that, or joined of several: where their records end."""

from __future__ import annotations

import gzip
from random import Random

import pytest
import zstandard

from anchormine.archives.compression import Damage
from anchormine.web.records.zstd_heads import block_head, frame_head
from tests.web.crawl_files import arc, frames, members, pages, read, response, urls, warc
from tests.web.damaged_crawls import (
    COUNT,
    ENDLESS,
    NAMES,
    PLAIN,
    RECORDS,
    SMALL,
    WRONG_LENGTH,
    one_member,
    starts,
)

BODY = b"<p>One.</p>"


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
    block = head + 3 + block_head(data[head : head + 3]).size
    records, (damage,) = read(data[:block] + frames(RECORDS[1:2]))
    assert [(record.url[-1], record.problem) for record in records] == [("0", "damaged"), ("1", "")]
    assert damage[:2] == (block, 0)


def unchecked(records: list[bytes]) -> bytes:
    """Frames without checksums."""
    return b"".join(zstandard.ZstdCompressor().compress(record) for record in records)


IMAGE = warc(response(Random(5).randbytes(300_000)), url="http://a.example/image")


@pytest.mark.parametrize("pack", [frames, unchecked])
@pytest.mark.parametrize("cut", [500, 100_000, 200_000, 299_000])
def test_a_frame_that_is_cut_in_a_block_that_is_not_compressed(pack, cut: int) -> None:
    """Such a block gives whatever is in its place: here the frames of the next records."""
    first, image, others = pack(RECORDS[:1]), pack([IMAGE]), pack(RECORDS[1:])
    for count in (200, 1):  # the last block has its end in others, or beyond the end of the file
        records, (damage,) = read(first + image[:cut] + others * count)
        assert urls(records) == [NAMES[0], "image", *NAMES[1:] * count]
        assert [record.problem for record in records] == ["", "damaged", *[""] * len(NAMES[1:]) * count]
        reason = f"damaged zstd frame (it starts at byte {len(first)}): it has no end"
        assert damage == Damage(len(first) + cut, 0, reason, "file")


@pytest.mark.parametrize("pack", [frames, unchecked])
def test_a_frame_that_is_cut_before_a_byte_that_its_block_repeats(pack) -> None:
    """The next frame begins with any byte: that is none to repeat."""
    zeros = pack([warc(response(bytes(500_000)), url="http://a.example/zeros")])
    repeated = (1 << 1 | 1 << 17 << 3).to_bytes(3, "little")
    for place in (zeros.index(repeated), zeros.rindex(repeated)):
        for others, names in ((RECORDS, NAMES), (RECORDS[:1], NAMES[:1])):
            records, (damage,) = read(zeros[: place + 3] + pack(others))
            assert [(record.url.rpartition("/")[2], record.problem) for record in records] == [
                ("zeros", "damaged"),
                *((name, "") for name in names),
            ]
            reason = "damaged zstd frame (it starts at byte 0): it has no end"
            assert damage == Damage(place, 3, reason, "file")


@pytest.mark.parametrize("pack", [frames, unchecked])
@pytest.mark.parametrize("missing", [1, 3, 7, 2000])
def test_a_block_that_is_not_compressed_and_lacks_bytes(pack, missing: int) -> None:
    first, image, others = pack(RECORDS[:1]), pack([IMAGE]), pack(RECORDS[1:])
    for at in (5000, 150_000, 290_000):
        records, damages = read(first + image[:at] + image[at + missing :] + others)
        assert urls(records) == [NAMES[0], "image", *NAMES[1:]]
        assert [one.problem for one in records[:1] + records[2:]] == [""] * COUNT
        assert records[1].problem in (
            "damaged",
            "wrong_length",
        )  # where line ends are taken for what is missing
        assert all(len(first) < damage.offset <= len(first + image) - missing for damage in damages)


@pytest.mark.parametrize("pack", [frames, unchecked])
def test_frames_within_a_whole_frame_are_no_records(pack) -> None:
    """Those of a crawl file that was captured: they are not compressed once more."""
    crawl = warc(response(pack(RECORDS * 20)), url="http://a.example/crawl")
    for written in ([*RECORDS[:2], crawl, *RECORDS[2:]], [*RECORDS, crawl]):
        records, damages = read(pack(written))
        assert [one.body for one in records] == [read(record)[0][0].body for record in written]
        assert ([one.problem for one in records], damages) == ([""] * (COUNT + 1), [])


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


@pytest.mark.parametrize("left", [1, 50, 250], ids="{} bytes of it are left".format)
@pytest.mark.parametrize("url", ["http://a.example/2", "https://a.example/?next=/2&a=b"])
def test_an_arc_file_that_is_cut_off_in_a_line_and_written_on(left: int, url: str) -> None:
    """What is left may end in an address, of a link: the one behind it is the record's."""
    body = b'<p><a href="http://b.example/' + b"x" * 300
    first = arc(response(body), "http://a.example/0")
    cut = arc(response(body), "http://a.example/1")[: -len(body) - 1] + body[:left]
    records, damages = read(first + cut + arc(response(BODY), url) + first)
    assert [(record.url, record.problem, record.body) for record in records] == [
        ("http://a.example/0", "", body),
        ("http://a.example/1", "wrong_length", body[:left]),
        (url, "", BODY),
        ("http://a.example/0", "", body),
    ]
    assert [damage.reason for damage in damages] == [WRONG_LENGTH]


@pytest.mark.parametrize("url", ["http://a.example/2", "https://a.example/2"])
def test_an_arc_file_with_zero_bytes_between_records(url: str) -> None:
    records = [arc(response(BODY), "http://a.example/1"), b"\0" * 4096, arc(response(BODY), url)]
    found, damages = read(b"".join(records))
    assert [(record.url, record.problem) for record in found] == [("http://a.example/1", ""), (url, "")]
    assert damages == [Damage(len(records[0]), 4096, "no record starts here", "file")]


def test_a_line_of_a_page_that_ends_as_a_head_of_arc_is_none() -> None:
    """Where the length is wrong, the fields within a line leave no doubt or do not count."""
    lines = [
        b"see http://b.example/ 10 20200102030405 text/html 5",
        b"as http://b.example/ 1.2.3.4 2020 text/html 5",
        b"as http://b.example/ 1.2.3.4 20200102030405 some text 5",
    ]
    body = b"<p>" + b"\n<p>".join(lines) + b"\n"
    first = arc(response(body), "http://a.example/1", 5000)
    records, damages = read(first + arc(response(BODY), "http://a.example/2"))
    assert [(record.url[-1], record.problem) for record in records] == [("1", "wrong_length"), ("2", "")]
    assert [damage.reason for damage in damages] == [WRONG_LENGTH]
