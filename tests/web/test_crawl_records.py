"""Reading whole crawl files: every format, every kind of record, and what is bent but not broken."""

from __future__ import annotations

import gzip
import re
from io import BytesIO
from urllib.parse import quote

import pytest
import zstandard

from anchormine.archives.compression import Damage
from anchormine.errors import UsageError
from anchormine.web.records.crawl_formats import crawl_format, unread_packing
from anchormine.web.records.crawl_records import CrawlRecord, RecordLimits, read_crawl
from anchormine.web.records.record_heads import Reference
from tests.web.crawl_files import arc, frames, members, page, pages, read, response, urls, warc

COUNT = 12
RECORDS = pages(COUNT)
BODIES = [page(number) for number in range(COUNT)]
HERE = b"http://a.example/here"
ARC_HEAD = arc(
    b"1 0 Alexa Internet\nURL IP-address Archive-date Content-type Archive-length\n", "filedesc://a.arc"
)
ARC_RECORDS = [ARC_HEAD, *(arc(response(page(n)), f"http://a.example/{n}") for n in range(COUNT))]


def dictionary_file(compress_dictionary: bool) -> bytes:
    dictionary = zstandard.train_dictionary(2048, [*RECORDS * 4])
    data = dictionary.as_bytes()
    data = zstandard.compress(data) if compress_dictionary else data
    compressor = zstandard.ZstdCompressor(dict_data=dictionary)
    frame = b"\x5d\x2a\x4d\x18" + len(data).to_bytes(4, "little") + data
    return frame + b"".join(compressor.compress(record) for record in RECORDS)


def with_line_ends(number: int, end: bytes) -> bytes:
    block = response(BODIES[number]).replace(b"\r\n", end)
    head, _, rest = warc(block, url=f"http://a.example/{number}").partition(block)
    return head.replace(b"\r\n", end) + block + rest.replace(b"\r\n", end)


WHOLE = b"".join(RECORDS)
FILES = {
    "plain": WHOLE,
    "gzip by member": members(RECORDS),
    "gzip of the whole": gzip.compress(WHOLE, mtime=0),
    "gzip members across records": members([WHOLE[:5000], WHOLE[5000:5001], WHOLE[5001:]]),
    "gzip with empty members": members([*RECORDS[:5], b"", *RECORDS[5:], b""]),
    "zstd by frame": frames(RECORDS),
    "zstd of the whole": zstandard.compress(WHOLE),
    "zstd with a dictionary": dictionary_file(False),
    "zstd with a compressed dictionary": dictionary_file(True),
    "lines that end in LF": b"".join(with_line_ends(number, b"\n") for number in range(COUNT)),
    "lines that end in CR CR LF": b"".join(with_line_ends(number, b"\r\r\n") for number in range(COUNT)),
    "members of such lines": members(with_line_ends(number, b"\r\r\n") for number in range(COUNT)),
    "no blank lines between": b"".join(record.removesuffix(b"\r\n\r\n") for record in RECORDS),
}


@pytest.mark.parametrize("name", FILES)
def test_formats(name: str) -> None:
    data = FILES[name]
    records, damages = read(data)
    assert urls(records) == [str(number) for number in range(COUNT)]
    assert [record.body for record in records] == BODIES
    assert damages == []
    assert {record.problem for record in records} == {""}
    assert crawl_format(data[: 1 << 18]) == "warc"


@pytest.mark.parametrize("compressed", [False, True])
def test_a_dictionary_with_a_flipped_bit(compressed: bool) -> None:
    """Where it can still be read, what is packed by it may be other text; where not, nothing is read."""
    data = dictionary_file(compressed)
    size = 8 + int.from_bytes(data[4:8], "little")
    flips = [data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :] for at in range(8, size, 5)]
    broken = [
        flip for flip in flips if unread_packing(flip) == "its zstd dictionary is damaged; fetch it again"
    ]
    assert 0 < len(broken) < len(flips)
    assert all(read(flip)[0] == [] for flip in broken)
    assert any(read(flip)[0] for flip in flips)


@pytest.mark.parametrize("pack", [b"".join, lambda records: gzip.compress(b"".join(records), mtime=0)])
def test_heads_anywhere_in_what_is_read_at_once(pack) -> None:
    records, damages = read(pack(pages(4000, 100)))
    assert (urls(records), damages) == ([str(number) for number in range(4000)], [])


@pytest.mark.parametrize("pack", [b"".join, members])
def test_line_ends_that_were_made_those_of_windows(pack) -> None:
    """All of the file's, when its lengths were written already."""
    for records in (RECORDS, ARC_RECORDS):
        found, damages = read(pack([record.replace(b"\n", b"\r\n") for record in records]))
        assert [record.url for record in found] == [record.url for record in read(b"".join(records))[0]]
        assert [(record.status, record.body) for record in found[-COUNT:]] == [(200, body) for body in BODIES]
        assert {record.problem for record in found[-COUNT:]} == {"wrong_length"}
        assert damages == [Damage(found[-COUNT].offset, 0, WRONG_LENGTH, "file")]


def test_a_head_alone_whose_lines_end_in_two_carriage_returns() -> None:
    """A sample of pywb has such, and announces the length that it had before."""
    block = b"HTTP/1.0 302 \r\nLocation: http://a.example/b\r\nContent-Length: 0\r\n\r\n"
    data = warc(block).removesuffix(b"\r\n\r\n").replace(b"\n", b"\r\n")
    (record,), damages = read(data)
    assert (record.status, record.body, record.problem, damages) == (302, b"", "", [])
    assert record.headers == [("Location", "http://a.example/b"), ("Content-Length", "0")]


def test_frames_of_many_blocks() -> None:
    records = pages(3, 300_000)
    bodies = [page(number, 300_000) for number in range(3)]
    for data in (frames(records), zstandard.compress(b"".join(records))):
        found, damages = read(data)
        assert ([record.body for record in found], damages) == (bodies, [])


@pytest.mark.parametrize("data", [b"".join(ARC_RECORDS), members(ARC_RECORDS), frames(ARC_RECORDS)])
def test_arc(data: bytes) -> None:
    records, damages = read(data)
    assert [record.kind for record in records] == ["warcinfo"] + ["response"] * COUNT
    assert urls(records) == ["", *map(str, range(COUNT))]
    assert [record.body for record in records[1:]] == BODIES
    assert {record.date for record in records} == {"2020-01-02T03:04:05Z"}
    assert damages == []
    assert crawl_format(data[:2000]) == "arc"


def test_members_start_where_records_do() -> None:
    parts = [gzip.compress(record, mtime=0) for record in RECORDS]
    records, _ = read(b"".join(parts))
    sizes = [len(part) for part in parts]
    assert [(record.offset, record.size) for record in records] == [
        (sum(sizes[:number]), size) for number, size in enumerate(sizes)
    ]


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.ZstdCompressor().compress])
def test_where_records_can_be_read_from(compress) -> None:
    """Where they start; several that were compressed together from where that does."""
    parts = [compress(b"".join(RECORDS[first : first + 2])) for first in range(0, COUNT, 2)]
    starts = [sum(map(len, parts[:number])) for number in range(len(parts))]
    records, _ = read(b"".join(parts))
    assert [record.source for record in records] == [starts[number // 2] for number in range(COUNT)]
    records, _ = read(compress(b"".join(RECORDS)))
    assert [record.source for record in records] == [0] * COUNT
    records, _ = read(b"\r\n" + b"".join(RECORDS))
    assert [record.source for record in records] == [
        2 + sum(map(len, RECORDS[:number])) for number in range(COUNT)
    ]


def test_a_whole_record() -> None:
    data = warc(response(b"<p>x", "Content-Type: Text/HTML; charset=utf-8\r\nX-A: 1\r\n", "HTTP/2 404\r\n"))
    assert read(data) == (
        [
            CrawlRecord(
                offset=0,
                size=len(data),
                source=0,
                kind="response",
                url="http://a.example/",
                date="2020-01-02T03:04:05Z",
                media_type="text/html",
                content_type="Text/HTML; charset=utf-8",
                status=404,
                headers=[("Content-Type", "Text/HTML; charset=utf-8"), ("X-A", "1")],
                body=b"<p>x",
                problem="",
                refers_to=None,
            )
        ],
        [],
    )


def test_kinds() -> None:
    request = b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"
    revisited = (
        "WARC-Refers-To-Target-URI: <http://b.example/>\r\nWARC-Refers-To-Date: 2019-01-01T00:00:00Z\r\n"
    )
    text, fields = "text/plain", "application/warc-fields"
    data = b"".join(
        [
            warc(b"software: x\r\n", kind="warcinfo", content_type=fields),
            warc(request, kind="request", content_type="application/http; msgtype=request"),
            warc(response(b"", status="HTTP/1.1 304 Not Modified\r\n"), kind="revisit", fields=revisited),
            warc(b"fetchTimeMs: 3\r\n", kind="metadata", content_type=fields),
            warc(b"the page's text", kind="conversion", content_type=text),
            warc(b"<p>a resource", kind="resource", content_type="text/html; charset=utf-8"),
            warc(b"more of it", kind="continuation", content_type=""),
            warc(b"1.2.3.4\n", url="dns:a.example", content_type="text/dns"),
            warc(b"?", kind="X-Own"),
            warc(b"?").replace(b"WARC-Type: response\r\n", b""),
        ]
    )
    records, damages = read(data)
    assert [(r.kind, r.media_type, r.status, r.body, r.problem) for r in records] == [
        ("warcinfo", fields, None, b"", ""),
        ("request", "application/http", None, b"", ""),
        ("revisit", "text/html", 304, b"", ""),
        ("metadata", fields, None, b"", ""),
        ("conversion", text, None, b"the page's text", ""),
        ("resource", "text/html", None, b"<p>a resource", ""),
        ("continuation", "", None, b"", ""),
        ("response", "text/dns", None, b"1.2.3.4\n", ""),
        ("x-own", "application/http", None, b"", ""),
        ("unknown", "application/http", None, b"", ""),
    ]
    assert [r.refers_to for r in records if r.refers_to] == [
        Reference("http://b.example/", "2019-01-01T00:00:00Z")
    ]
    assert damages == []


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("2009-03-67T15:35:34-0700", "2009-03-08T22:35:34Z"),  # ClueWeb09: day 67 of the year
        ("2016-05-06T07:08:09.123456Z", "2016-05-06T07:08:09Z"),
        ("2016", "2016-01-01T00:00:00Z"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"),
        ("20160506070809", "2016-05-06T07:08:09Z"),  # as ARC has it
        ("2016-02-30T00:00:00Z", None),
        ("20160230070809", None),
        ("yesterday", None),
    ],
)
def test_dates(written: str, date: str | None) -> None:
    data = warc(response(b"x")).replace(b"2020-01-02T03:04:05Z", written.encode())
    assert [record.date for record in read(data)[0]] == [date]


@pytest.mark.parametrize(
    ("digits", "date"),
    [
        ("20080430204825", "2008-04-30T20:48:25Z"),
        ("20080430204825123", "2008-04-30T20:48:25Z"),
        ("20080430", "2008-04-30T00:00:00Z"),
        ("20080431000000", None),
    ],
)
def test_dates_of_arc(digits: str, date: str | None) -> None:
    data = arc(response(b"x")).replace(b"20200102030405", digits.encode())
    assert [record.date for record in read(data)[0]] == [date]


def test_addresses_of_old_wget() -> None:
    (record,), _ = read(warc(response(b"x"), url="<http://a.example/b c>"))
    assert record.url == "http://a.example/b%20c"


def test_an_address_on_a_line_of_its_own() -> None:
    (record,), _ = read(warc(response(b"x"), url="\r\n http://a.example/b"))
    assert record.url == "http://a.example/b"


@pytest.mark.parametrize("encoding", ["utf-8", "cp1251", "koi8-r"])
@pytest.mark.parametrize("form", [warc, arc])
def test_addresses_in_raw_bytes(form, encoding: str) -> None:
    """Bytes that are not UTF-8 are those that were asked for, and are no characters of Latin-1."""
    raw = "http://a.example/путь?q=Ж и".encode(encoding)
    (record,), damages = read(form(response(b"x"), url="http://a.example/here").replace(HERE, raw))
    address = "http://a.example/путь?q=Ж%20и"
    assert damages == []
    assert record.url == (address if encoding == "utf-8" else quote(address, "/:?=%", encoding))


@pytest.mark.parametrize("fold", ["", "\r\n "])
def test_what_a_revisit_and_an_answer_name_in_raw_bytes(fold: str) -> None:
    """Each field by itself: one in UTF-8 stays, and so does what is no address."""
    answer = response(
        b"", f"LOCATION: {fold}/é\r\nLink: {fold}</é?é>; rel=canonical\r\nX: é\r\nServer: é\r\n"
    )
    block = answer.replace("é".encode(), b"\xe9", 4)
    named = f"WARC-Refers-To-Target-URI: {fold}http://a.example/é\r\n"
    data = warc(block, kind="revisit", url="http://a.example/é", fields=named)
    (record,), _ = read(data.replace("a.example/é\r\nCon".encode(), b"a.example/\xe9\r\nCon"))
    assert (record.url, record.refers_to) == (
        "http://a.example/é",
        Reference("http://a.example/%E9", None),
    )
    assert record.headers == [
        ("LOCATION", "/%E9"), ("Link", "</%E9?%E9>; rel=canonical"), ("X", "é"), ("Server", "é"),
    ]  # fmt: skip


@pytest.mark.parametrize("fold", ["\r\n ", " \r\n\t", "\n  "])
def test_fields_whose_values_stand_on_lines_of_their_own(fold: str) -> None:
    head, _, block = RECORDS[3].partition(b"\r\n\r\n")
    answer = block.replace(b": ", f":{fold}".encode(), 1)
    head = re.sub(rb"(?<=Length: )\d+", b"%d" % (len(answer) - 4), head)
    data = head.replace(b": ", f":{fold}".encode()) + b"\r\n\r\n" + answer + RECORDS[4]
    assert [record[3:] for record in read(data)[0]] == [record[3:] for record in read(WHOLE)[0][3:5]]
    assert read(data)[1] == []


@pytest.mark.parametrize("pack", [b"".join, members, frames])
def test_heads_in_small_letters(pack) -> None:
    """As names of fields are read, and as the reader of warcio takes them."""
    small = [re.sub(rb"(?m)^(WARC\S+|Content-\S+)|T03:04:05Z", lambda m: m[0].lower(), r) for r in RECORDS]
    records, damages = read(pack(small))
    assert (urls(records), [record.body for record in records]) == ([*map(str, range(COUNT))], BODIES)
    assert {(record.kind, record.date) for record in records} == {("response", "2020-01-02T03:04:05Z")}
    assert damages == []
    assert crawl_format(pack(small)[: 1 << 18]) == "warc"


def test_an_address_that_ends_as_a_head_begins() -> None:
    (record,), damages = read(warc(response(b"x"), url="http://a.example/WARC/1.0"))
    assert (record.url, record.body, damages) == ("http://a.example/WARC/1.0", b"x", [])


def test_arc_without_ip_addresses() -> None:
    """The specification's own example has 0 for one."""
    data = b"".join(ARC_RECORDS)
    for written in (b" 0 ", b" - "):
        records, damages = read(data.replace(b" 1.2.3.4 ", written))
        assert ([record.body for record in records], damages) == ([one.body for one in read(data)[0]], [])


def test_blank_lines_in_a_head() -> None:
    data = RECORDS[0].replace(b"WARC-Date", b"\r\nWARC-Date") + RECORDS[1]
    records, damages = read(data)
    assert [(record.url[-1], record.date, record.body) for record in records] == [
        (str(number), "2020-01-02T03:04:05Z", BODIES[number]) for number in range(2)
    ]
    assert damages == []


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_blank_lines_in_heads_wherever_pieces_of_the_file_end(pack) -> None:
    """What follows a blank line decides, be it read already or not."""
    heads = [record.replace(b"Content-Length", b"\r\nContent-Length") for record in RECORDS]
    head = heads[1].index(b"\r\n\r\n") + 4
    overhead = len(warc(response(b"a" * 60_000))) - 60_000
    for behind in range(-2, 20):  # the first 64 KiB end so many bytes behind the blank line
        filling = warc(response(b"a" * ((1 << 16) - overhead - head - behind)))
        (_, *records), damages = read(pack(filling + heads[1] + heads[2]))
        assert [(record.url[-1], record.body) for record in records] == [("1", BODIES[1]), ("2", BODIES[2])]
        assert damages == []


WRONG_LENGTH = "the record that starts here is of another length than it announces"
BENT_LENGTHS = {
    "too small": (-7, "wrong_length"),
    "much too small": (-2000, "wrong_length"),
    "too large": (9, "wrong_length"),
    "beyond the next": (5000, "wrong_length"),
    "beyond the end": (10**6, "wrong_length"),
    "huge": (10**12, "wrong_length"),
}


@pytest.mark.parametrize("name", BENT_LENGTHS)
@pytest.mark.parametrize("pack", [b"".join, members, frames])
def test_wrong_lengths(name: str, pack) -> None:
    """The next line that starts a record decides."""
    by, problem = BENT_LENGTHS[name]
    block = response(BODIES[3])
    bent = warc(block, url="http://a.example/3", length=len(block) + by)
    records, damages = read(pack([*RECORDS[:3], bent, *RECORDS[4:]]))
    assert urls(records) == [str(number) for number in range(COUNT)]
    assert [record.body for record in records] == BODIES
    assert [record.problem for record in records] == [""] * 3 + [problem] + [""] * (COUNT - 4)
    assert damages == [Damage(records[3].offset, 0, WRONG_LENGTH, "file")]


@pytest.mark.parametrize("pack", [members, frames])
@pytest.mark.parametrize("count", [1, 3])
def test_a_length_that_ends_behind_a_later_record(pack, count: int) -> None:
    """The members between tell that these are records of the file."""
    block = response(BODIES[3])
    behind = sum(map(len, RECORDS[4 : 4 + count]))
    bent = warc(block, url="http://a.example/3", length=len(block) + behind + 4)
    records, damages = read(pack([*RECORDS[:3], bent, *RECORDS[4:]]))
    assert [record.body for record in records] == BODIES
    assert [record.problem for record in records] == [""] * 3 + ["wrong_length"] + [""] * (COUNT - 4)
    assert damages == [Damage(records[3].offset, 0, WRONG_LENGTH, "file")]
    whole = [arc(response(body), f"http://a.example/{n}") for n, body in enumerate(BODIES)]
    bent = arc(block, "http://a.example/3", len(block) + sum(map(len, whole[4 : 4 + count])) + 1)
    records, damages = read(pack([*whole[:3], bent, *whole[4:]]))
    assert [record.body for record in records] == BODIES
    assert [record.problem for record in records] == [""] * 3 + ["wrong_length"] + [""] * (COUNT - 4)
    assert damages == [Damage(records[3].offset, 0, WRONG_LENGTH, "file")]


@pytest.mark.parametrize("by", [-7, -2000])
@pytest.mark.parametrize("pack", [b"".join, members, frames])
def test_too_small_a_length_at_the_end(by: int, pack) -> None:
    block = response(BODIES[COUNT - 1])
    bent = warc(block, url=f"http://a.example/{COUNT - 1}", length=len(block) + by)
    records, damages = read(pack([*RECORDS[: COUNT - 1], bent]))
    assert [record.body for record in records] == BODIES
    assert [record.problem for record in records] == [""] * (COUNT - 1) + ["wrong_length"]
    assert damages == [Damage(records[-1].offset, 0, WRONG_LENGTH, "file")]


@pytest.mark.parametrize("length", ["", "many", "-5", "1e3"])
def test_no_length(length: str) -> None:
    bent = warc(response(BODIES[0]), url="http://a.example/0", length=length)
    records, damages = read(bent + b"".join(RECORDS[1:]))
    assert [record.body for record in records] == BODIES
    assert damages == [Damage(0, 0, "the record that starts here announces no length", "file")]


def test_pages_about_crawls() -> None:
    """A record within a record is text, where the lengths are right."""
    nested = response(b"<pre>\n" + WHOLE + b"</pre>")
    for pack in (b"".join, members):
        records, damages = read(pack([warc(nested, url="http://a.example/n"), *RECORDS]))
        assert urls(records) == ["n", *map(str, range(COUNT))]
        assert records[0].body == b"<pre>\n" + WHOLE + b"</pre>"
        assert damages == []


@pytest.mark.parametrize("inner", [WHOLE, b"".join(ARC_RECORDS)], ids=["warc", "arc"])
@pytest.mark.parametrize("limit", [10_000, 10_000_000])
@pytest.mark.parametrize(
    "pack", [b"".join, members, frames, lambda records: gzip.compress(b"".join(records), mtime=0)]
)
def test_crawl_files_that_were_captured(pack, limit: int, inner: bytes) -> None:
    """They are one record each, also where they are too large to be kept."""
    inner = b"\n" + inner + bytes(1 << 20) + inner
    large = [warc(response(inner), url=f"http://a.example/{name}") for name in "ab"]
    records, damages = read(pack([RECORDS[0], *large, *RECORDS[1:]]), RecordLimits(limit))
    problem = "too_large" if limit < len(inner) else ""
    assert [(record.url[17:], record.body, record.problem) for record in records] == [
        ("0", BODIES[0], ""),
        *((name, b"" if problem else inner, problem) for name in "ab"),
        *((str(number), BODIES[number], "") for number in range(1, COUNT)),
    ]
    assert damages == []


def test_limits() -> None:
    large = warc(
        response(b"<p>" + b"x" * 100_000, "Content-Type: text/html\r\nX-A: 1\r\n"), url="http://a.example/l"
    )
    bomb = warc(
        response(gzip.compress(bytes(100_000), mtime=0), "Content-Encoding: gzip\r\n"),
        url="http://a.example/b",
    )
    for pack in (b"".join, members, frames):
        data = pack([RECORDS[0], large, bomb, RECORDS[1]])
        records, damages = read(data, RecordLimits(payload_bytes=10_000))
        assert [(r.url[17:], r.body, r.problem, r.status) for r in records] == [
            ("0", BODIES[0], "", 200),
            ("l", b"", "too_large", 200),
            ("b", b"", "too_large", 200),
            ("1", BODIES[1], "", 200),
        ]
        assert records[1].headers[1] == ("X-A", "1")
        assert damages == []
        assert [r.problem for r in read(data, RecordLimits(payload_bytes=100_003))[0]] == [""] * 4
        records, damages = read(pack([RECORDS[0], large]), RecordLimits(payload_bytes=10_000))
        assert ([r.problem for r in records], damages) == (["", "too_large"], [])
    with pytest.raises(UsageError, match="payload_bytes is 0; give 1 or more"):
        RecordLimits(0)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"<mediawiki>",
        gzip.compress(b"<mediawiki>", mtime=0),
        zstandard.compress(b"x"),
        b"BZh91AY&SY",
        bytes(99),
    ],
)
def test_no_crawl(data: bytes) -> None:
    assert crawl_format(data) is None
    records, damages = read(data)
    assert records == []
    assert sum(damage.bytes_skipped for damage in damages) == len(data)


@pytest.mark.parametrize("size", [1, 4, 5])
def test_a_file_that_ends_in_its_first_bytes(size: int) -> None:
    for data in (gzip.compress(RECORDS[0], mtime=0), zstandard.compress(RECORDS[0])):
        assert (crawl_format(data[:size]), unread_packing(data[:size])) == (None, None)


def test_any_size_of_reads() -> None:
    """What is read does not depend on how the stream gives its bytes."""

    class Dripping(BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            return super().read(min(size or 0, 777))

    data = FILES["gzip by member"]
    assert list(read_crawl(Dripping(data), [])) == read(data)[0]
