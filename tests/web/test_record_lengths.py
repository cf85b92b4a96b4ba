"""Announced lengths that take for a record's own what stands behind it."""

from __future__ import annotations

import pytest

from anchormine.archives.compression import Damage
from anchormine.web.records.crawl_records import CrawlRecord, RecordLimits
from tests.web.crawl_files import arc, frames, members, read, response, urls, warc
from tests.web.damaged_crawls import one_member

WRONG = "the record that starts here is of another length than it announces"
NO_LENGTH = "the record that starts here announces no length"
BODY = b"<p>One.</p>"


def _records(more: int, last: bytes = BODY) -> list[bytes]:
    """Three, of which the second announces more bytes than it has."""
    block = response(last)
    return [warc(response(BODY)), warc(block, length=len(block) + more), warc(response(BODY))]


def _found(records: list[CrawlRecord]) -> list[tuple[bytes, str]]:
    return [(record.body, record.problem) for record in records]


@pytest.mark.parametrize("pack", [b"".join, members, frames])
@pytest.mark.parametrize("more", [1, 2, 3, 4])
def test_line_ends_behind_a_record_are_not_its_own(pack, more: int) -> None:
    written = _records(more)
    records, damages = read(pack(written))
    assert _found(records) == [(BODY, ""), (BODY, "wrong_length"), (BODY, "")]
    assert [(damage.offset, damage.reason) for damage in damages] == [(len(pack(written[:1])), WRONG)]


@pytest.mark.parametrize("pack", [members, frames])
@pytest.mark.parametrize("more", [2, 4])
def test_the_last_record_of_a_compressed_file_is_whole_whatever_it_announces(pack, more: int) -> None:
    written = _records(more)[:2]
    records, damages = read(pack(written))
    assert _found(records) == [(BODY, ""), (BODY, "wrong_length")]
    assert [(damage.offset, damage.reason) for damage in damages] == [(len(pack(written[:1])), WRONG)]


@pytest.mark.parametrize("pack", [b"".join, members, frames])
@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n", b"\r\n\r\n"])
def test_a_page_may_end_with_line_ends(pack, end: bytes) -> None:
    records, damages = read(pack(_records(0, BODY + end)))
    assert _found(records) == [(BODY, ""), (BODY + end, ""), (BODY, "")]
    assert damages == []


@pytest.mark.parametrize("pack", [b"".join, members, frames])
@pytest.mark.parametrize("end", [b"", b"\r", b"\n", b"\r\n", b"\r\n\r\n"])
def test_a_page_of_no_announced_length_may_end_with_line_ends(pack, end: bytes) -> None:
    written = [warc(response(BODY)), warc(response(BODY + end), length=""), warc(response(BODY))]
    records, damages = read(pack(written))
    assert _found(records) == [(BODY, ""), (BODY + end, ""), (BODY, "")]
    assert damages == [Damage(len(pack(written[:1])), 0, NO_LENGTH, "file")]


@pytest.mark.parametrize("pack", [b"".join, members])
def test_records_may_have_one_line_end_behind_them(pack) -> None:
    block = response(BODY + b"\r\n")
    records, damages = read(pack([warc(block)[:-2]] * 3))
    assert _found(records) == [(BODY + b"\r\n", "")] * 3
    assert damages == []


def test_the_last_record_of_a_file_may_be_cut_off_in_its_line_ends() -> None:
    data = b"".join(_records(0, BODY + b"\r\n")[:2])[:-2]
    records, damages = read(data)
    assert _found(records) == [(BODY, ""), (BODY + b"\r\n", "")]
    assert [damage.reason.partition(":")[0] for damage in damages] == ["cut off"]


@pytest.mark.parametrize("pack", [b"".join, members, frames])
@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("more", [2, 3, 4, 5, 6, 40])
def test_the_start_of_an_address_behind_a_document_is_not_its_own(pack, scheme: str, more: int) -> None:
    """What is left of it looks like an address still, as does "ttp://a.example/2"."""
    block = response(BODY)
    written = [
        arc(block, f"{scheme}://a.example/0"),
        arc(block, f"{scheme}://a.example/1", length=len(block) + more),
        arc(block, f"{scheme}://a.example/2"),
    ]
    records, damages = read(pack(written))
    assert [record.url for record in records] == [f"{scheme}://a.example/{number}" for number in range(3)]
    assert _found(records) == [(BODY, ""), (BODY, "wrong_length"), (BODY, "")]
    assert [(damage.offset, damage.reason) for damage in damages] == [(len(pack(written[:1])), WRONG)]


@pytest.mark.parametrize("size", [0, 100_000], ids=["small", "over the limit"])
@pytest.mark.parametrize("pack", [b"".join, one_member])
def test_a_block_that_holds_records_and_ends_at_a_blank_line_is_too_long(pack, size: int) -> None:
    """A crawl that was captured is one record, where another follows it."""
    body = b"<p>One.</p>" + b"x" * size + b"\r\n\r\n<p>Two.</p>"
    plain = [warc(response(body), url=f"http://a.example/{number}") for number in range(3)]
    reach = len(b"".join(plain)) - len(b"\r\n\r\n<p>Two.</p>\r\n\r\n") - plain[0].index(b"\r\n\r\n") - 4
    first = warc(response(body), url="http://a.example/0", length=reach)
    limits = RecordLimits(payload_bytes=len(response(body)) + 100)
    data = pack([first, *plain[1:]])
    records, damages = read(data, limits)
    assert [(record.url[-1], record.problem, record.body) for record in records] == [
        ("0", "wrong_length", body),
        ("1", "", body),
        ("2", "", body),
    ]
    assert [(damage.offset, damage.reason) for damage in damages] == [(0, WRONG)]

    captured = warc(response(b"".join(plain)), url="http://a.example/3")
    records, damages = read(pack([captured, plain[0]]), limits)
    assert (urls(records), damages) == (["3", "0"], [])
    assert records[0].problem == "too_large"
