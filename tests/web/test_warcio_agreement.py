"""The records of real crawl files are those of warcio, wherever that gets through; and where it does not."""

from __future__ import annotations

import re
from io import BytesIO
from typing import NamedTuple

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.web.crawl_files import FOLDER, needs_crawls, read

pytestmark = [pytest.mark.data, needs_crawls]

FILES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file())
# Where warcio stops: records that it gives until then, how it fails, and how many there are.
LINE, IN_ONE = "Unknown archive format, first line: ", "\n    ERROR: non-chunked gzip file detected"
STOPS: dict[str, tuple[int, str, int]] = {
    "clueweb09-en0040-54-sample.warc.gz": (1, f"{LINE}['WARC-Type:', 'response']", 101),
    "malformed/broken.warc": (8, f"{LINE}['Accept-Ranges:', 'bytes']", 6),  # with lines of a head as records
    "malformed/corrupt_two_warcinfo.wet.gz": (1, IN_ONE, 7),
    "malformed/example-bad-non-chunked.warc.gz": (1, IN_ONE, 6),
    "malformed/example-wrong-chunks.warc.gz": (1, f"{LINE}['<!doctype', 'html>']", 2),
    "malformed/invalid-arcfile-record-then-garbage.arc": (1, f"{LINE}['http://www.bt.dk/node/100']", 1),
    "malformed/invalid-warcfile-record-then-garbage.warc": (  # it takes the garbage for a record
        2, f"{LINE}['Donkey', 'Kong', 'country...']", 1,
    ),
    "malformed/transfer_compression_brotli.warc.gz": (
        2, "'brotli.Decompressor' object has no attribute 'unused_data'", 5,
    ),
}  # fmt: skip
# The others by kind, the same of both.
KINDS = {
    "warcinfo": 24, "request": 559, "response": 5601, "metadata": 287, "revisit": 124, "resource": 42,
    "conversion": 17,
}  # fmt: skip
WITH_BODY = ("response", "resource", "revisit", "conversion")  # of others nothing is kept


class Record(NamedTuple):
    """What both readers say of a record; status of a capture, and body, where pages may be in it."""

    kind: str
    url: str
    date: str
    status: int | None
    body: bytes


def ours(data: bytes) -> list[Record]:
    return [
        Record(
            record.kind,
            record.url,
            record.date or "",
            record.status if record.kind in WITH_BODY else None,
            record.body if record.kind in WITH_BODY else b"",
        )
        for record in read(data)[0]
    ]


def theirs(data: bytes) -> tuple[list[Record], str]:
    """The records that warcio gives, and the error that it ends with."""
    records = []
    try:
        for record in ArchiveIterator(BytesIO(data), arc2warc=True):
            head, http, kind = record.rec_headers, record.http_headers, record.rec_type
            url, date = head.get_header("WARC-Target-URI") or "", head.get_header("WARC-Date") or ""
            body = record.content_stream().read()
            if kind == "revisit":
                body = body.strip()  # one has a line end where its head promises gzip
            captured = kind in WITH_BODY
            status = int(http.get_statuscode()) if http and captured else None
            records.append(Record(kind, url, date, status, body if captured else b""))
    except Exception as error:  # of whatever kind
        return records, str(error)
    return records, ""


def in_seconds(record: Record, own: Record) -> Record:
    """A record of warcio's with its date as we give it; with our own where it has none."""
    date = re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z", record.date)
    return record._replace(date=f"{date[1]}Z" if date else own.date)


@pytest.mark.parametrize("name", [name for name in FILES if name not in STOPS])
def test_records_are_those_of_warcio(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    found = ours(data)
    expected, error = theirs(data)
    assert error == ""
    assert [in_seconds(*both) for both in zip(expected, found, strict=True)] == found
    dated = sum(in_seconds(record, record._replace(date="")).date != "" for record in expected)
    assert dated == (0 if name == "clueweb09-ja-eucjp.warc.gz" else len(expected))  # there 2008-10-294T...


@pytest.mark.parametrize("name", STOPS)
def test_where_warcio_stops(name: str) -> None:
    count, error, all_of_them = STOPS[name]
    data = (FOLDER / name).read_bytes()
    records, said = theirs(data)
    assert (len(records), said[: len(error)], len(ours(data))) == (count, error, all_of_them)


def test_how_many_are_compared() -> None:
    kinds: dict[str, int] = {}
    for name in FILES:
        for record in [] if name in STOPS else read((FOLDER / name).read_bytes())[0]:
            kinds[record.kind] = kinds.get(record.kind, 0) + 1
    assert kinds == KINDS
    assert (len(FILES), len(STOPS)) == (34, 8)
