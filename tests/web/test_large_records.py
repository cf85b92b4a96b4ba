"""Records of which not all is kept, beside damage: how far they reach, and what comes behind them."""

from __future__ import annotations

import pytest

from anchormine.archives.compression import Damage
from anchormine.web.records.crawl_records import read_crawl
from tests.web.crawl_files import Pipe, frames, members, page, pages, read, response, urls, warc
from tests.web.damaged_crawls import NAMES, RECORDS, SMALL, WRONG_LENGTH, one_member


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
