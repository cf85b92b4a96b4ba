"""Real crawl files: every page found, every byte accounted for, and the verdict on what is malformed."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeadersParser

from anchormine.archives.compression import Damage
from anchormine.web.encodings.charsets import decode_text
from anchormine.web.http.head_fields import parse_fields
from anchormine.web.http.media_types import sniff_media_type
from anchormine.web.records.crawl_formats import crawl_format
from anchormine.web.records.crawl_records import CrawlRecord
from tests.web.crawl_files import FOLDER, frames, members, needs_crawls, read

pytestmark = [pytest.mark.data, needs_crawls]

HTML = ("text/html", "application/xhtml+xml")
# Records of each kind; captures that are HTML, by status: as gzip members cut apart, and fields found in them
# by regular expressions, give them too. ClueWeb09's sample in Japanese has 29 pages, not 100.
KNOWN: dict[str, tuple[dict[str, int], dict[int, int]]] = {
    "blackbook.arc.gz": ({"warcinfo": 1, "response": 299}, {200: 94, 301: 1, 302: 5, 404: 40}),
    "blackbook.warc.gz": (
        {"warcinfo": 1, "response": 299, "request": 261, "metadata": 261},
        {200: 94, 301: 1, 302: 5, 404: 40},
    ),
    "clueweb09-en0040-54-sample.warc.gz": ({"warcinfo": 1, "response": 100}, {200: 100}),
    "clueweb09-ja-eucjp.warc.gz": ({"warcinfo": 1, "response": 29}, {200: 29}),
    "commoncrawl-50-records.warc.gz": (
        {"warcinfo": 1, "request": 17, "response": 16, "metadata": 16},
        {200: 16},
    ),
    "commoncrawl-dolma-sample-0001.warc.gz": (
        {"warcinfo": 1, "request": 15, "response": 15, "metadata": 1, "resource": 2},
        {200: 15},
    ),
    "contextwiki-00000.warc.gz": ({"warcinfo": 1, "response": 1000}, {200: 1000}),
    "contextwiki-00001.warc.gz": ({"warcinfo": 1, "response": 791}, {200: 791}),
    "http-return-codes.warc.gz": (
        {"warcinfo": 1, "request": 31, "response": 31, "resource": 35},
        {200: 3, 404: 1},
    ),
    "iana.warc.gz": (
        {"warcinfo": 1, "request": 171, "response": 48, "revisit": 123},
        {200: 16, 302: 4},
    ),
    "kiwix-with-redirects.warc.gz": ({"request": 51, "response": 51, "resource": 3}, {200: 3, 301: 3}),
    "mtawiki-00000.warc.gz": ({"warcinfo": 1, "response": 1000}, {200: 1000}),
    "mtawiki-00001.warc.gz": ({"warcinfo": 1, "response": 1000}, {200: 1000}),
    "mtawiki-00002.warc.gz": ({"warcinfo": 1, "response": 1000}, {200: 1000}),
}


def is_html(record: CrawlRecord) -> bool:
    return record.kind == "response" and sniff_media_type(record.media_type, record.body) in HTML


@pytest.mark.parametrize("name", KNOWN)
def test_known_counts(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    records, damages = read(data)
    kinds, html = KNOWN[name]
    assert Counter(record.kind for record in records) == kinds
    assert Counter(record.status for record in records if is_html(record)) == html
    assert damages == []
    assert {record.problem for record in records} == {""}
    assert crawl_format(data[: 1 << 16]) == ("arc" if ".arc" in name else "warc")
    assert all(record.date for record in records if record.kind == "response")


def test_heads_are_read_as_warcio_reads_them() -> None:
    parser = StatusAndHeadersParser(["WARC/", "HTTP/"])
    heads = 0
    for path in sorted(FOLDER.glob("*.warc.gz")):
        for member in members_of(path.read_bytes()):
            for match in re.finditer(rb"^(?:WARC|HTTP)/.*?\n\r?\n", member, re.DOTALL | re.MULTILINE):
                expected = parser.parse(BytesIO(match[0]))
                assert parse_fields(match[0]) == (expected.statusline, expected.headers)
                heads += 1
    assert heads > 10_000


def test_the_same_crawl_in_both_formats() -> None:
    def captures(name: str) -> list[tuple[object, ...]]:
        records, _ = read((FOLDER / name).read_bytes())
        return [(r.url, r.date, r.status, r.headers, r.body) for r in records if r.kind == "response"]

    assert captures("blackbook.warc.gz") == captures("blackbook.arc.gz")


PACKINGS: dict[str, Callable[[list[bytes]], bytes]] = {
    "plain": b"".join,
    "members": members,
    "one member": lambda records: members([b"".join(records)]),
    "pieces": lambda records: members(_pieces(b"".join(records))),
    "frames": frames,
    "one frame": lambda records: frames([b"".join(records)]),
    "frames of pieces": lambda records: frames(_pieces(b"".join(records))),
}


def _pieces(data: bytes) -> list[bytes]:
    return [data[at : at + 65_280] for at in range(0, len(data), 65_280)]  # as bgzip has them


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize(
    "name",
    ["blackbook.arc.gz", "commoncrawl-50-records.warc.gz", "iana.warc.gz", "kiwix-with-redirects.warc.gz"],
)
def test_a_crawl_is_the_same_however_it_is_packed(name: str, packing: str) -> None:
    def told(data: bytes) -> tuple[list[CrawlRecord], list[Damage]]:
        records, damages = read(data)
        return [record._replace(offset=0, size=0, source=0) for record in records], damages

    data = (FOLDER / name).read_bytes()
    expected = told(data)
    assert expected[1] == []
    assert told(PACKINGS[packing](members_of(data))) == expected


def members_of(data: bytes) -> list[bytes]:
    members = []
    while data:
        inflater = zlib.decompressobj(31)
        members.append(inflater.decompress(data))
        data = inflater.unused_data
    return members


def test_encodings_of_clueweb() -> None:
    records, _ = read((FOLDER / "clueweb09-ja-eucjp.warc.gz").read_bytes())
    texts = [decode_text(record.body, record.content_type) for record in records if is_html(record)]
    assert Counter(text.encoding for text in texts) == {"euc-jp": 29}
    assert not any("\ufffd" in text.text for text in texts)


# Kinds in order, problems by record, damages as offset, bytes skipped and the start of the reason.
W, Q, R, M, V, S, C = "warcinfo", "request", "response", "metadata", "revisit", "resource", "conversion"
WRONG_LENGTH = "the record that starts here is of another length than it announces"
MALFORMED: dict[str, tuple[list[str], dict[int, str], list[tuple[int, int, str]]]] = {
    "Evil-Warc-Headers.warc": ([R], {0: "truncated"}, [(1258, 0, "cut off")]),
    "IAH-20080430204825-00000-blackbook-truncated.warc.gz": ([W, R, *([R, Q, M] * 7)], {}, []),
    "appended_zip_fragment_unexpected_eof.wet.gz": (
        [W] + [C] * 16,
        {16: "truncated"},
        [(51200, 0, "cut off")],
    ),
    "broken.warc": ([W, Q, M, R, Q, R], {5: "wrong_length"}, [(3058, 0, WRONG_LENGTH)]),
    "clipped.warc.gz": ([R], {0: "truncated"}, [(18184, 0, "cut off")]),
    "corrupt_two_warcinfo.wet.gz": ([W, C, C, W, C, C, C], {}, []),
    "example-bad-length.warc": (
        [W, W, R, Q, V, Q],
        {2: "wrong_length", 4: "wrong_length"},
        [(1197, 0, WRONG_LENGTH)],
    ),
    "example-bad-non-chunked.warc.gz": ([W, W, R, Q, V, Q], {}, []),
    "example-trunc.warc": ([W, W, R, Q], {2: "wrong_length"}, [(1197, 0, WRONG_LENGTH)]),
    "example-wget-bad-target-uri.warc.gz": ([W, Q, R, M, S, S], {}, []),
    "example-wrong-chunks.warc.gz": ([R, Q], {}, []),
    "invalid-arcfile-record-then-garbage.arc": ([R], {}, [(2329, 25, "no record")]),
    "invalid-warcfile-digest-fields.warc": ([R] * 4, {0: "damaged"}, [(0, 0, "the record that starts here")]),
    "invalid-warcfile-encoding-headers.warc.gz": ([W, R, R, R], {}, []),
    "invalid-warcfile-record-then-garbage.warc": ([R], {}, [(1135, 55, "no record")]),
    "transfer_compression_brotli.warc.gz": ([W, Q, R, M, S], {}, []),
    "transfer_compression_gzip_chunked.warc.gz": ([W, R, Q], {}, []),
    "transfer_compression_none_truncated.warc.gz": ([W, Q, R], {2: "truncated"}, [(1500, 0, "cut off")]),
    "whirlwind.warc.wat.gz": ([W, M], {}, []),
    "whirlwind.warc.wet.gz": ([W, C], {}, []),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_files(name: str) -> None:
    kinds, problems, damages = MALFORMED[name]
    records, found = read((FOLDER / "malformed" / name).read_bytes())
    assert [record.kind for record in records] == kinds
    assert {at: record.problem for at, record in enumerate(records) if record.problem} == problems
    assert [_place(damage, reason) for damage, (_, _, reason) in zip(found, damages, strict=True)] == damages


def _place(damage: Damage, reason: str) -> tuple[int, int, str]:
    return damage.offset, damage.bytes_skipped, damage.reason[: len(reason)]


@pytest.mark.parametrize(
    ("name", "start", "size"),
    [
        ("example-bad-length.warc", b"<!doctype html>", 1270),
        ("example-bad-non-chunked.warc.gz", b"<!doctype html>", 1270),
        ("example-trunc.warc", b"<!doctype html>", 1270),
        ("example-wrong-chunks.warc.gz", b"<!doctype html>", 1270),
        ("transfer_compression_brotli.warc.gz", b"<", None),
        ("transfer_compression_gzip_chunked.warc.gz", b"<", None),
    ],
)
def test_bodies_of_malformed_files(name: str, start: bytes, size: int | None) -> None:
    records, _ = read((FOLDER / "malformed" / name).read_bytes())
    (body,) = [record.body for record in records if record.kind == "response"]
    assert body.startswith(start)
    assert b"</html>" in body[-60:].lower()
    assert size is None or len(body) == size


def test_every_file_is_listed() -> None:
    def names(folder: Path) -> set[str]:
        return {path.name for path in folder.iterdir() if path.is_file()}

    assert names(FOLDER) == set(KNOWN)
    assert names(FOLDER / "malformed") == set(MALFORMED)
