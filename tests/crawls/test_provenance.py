"""Where a row says that it comes from, there is the record: opened at that byte, of that URL and time."""

from __future__ import annotations

import gzip
import re
import zlib
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from anchormine.web.urls import canonical_url, page_id_of
from tests.crawls.command_results import Result, rows
from tests.web.crawl_files import FOLDER, needs_crawls

pytestmark = [pytest.mark.data, pytest.mark.slow, needs_crawls]

# All of each is one gzip member, so that byte is where this starts.
CLUEWEB = "clueweb09-en0040-54-sample.warc.gz"
ONE_MEMBER = (CLUEWEB, "corrupt_two_warcinfo.wet.gz", "example-bad-non-chunked.warc.gz")


class Head(NamedTuple):
    """What a record says of itself."""

    kind: str
    url: str
    date: str


def head_at(data: bytes) -> Head:
    """The head of the record that data starts with, read with no code of ours."""
    # In one file the end of another record stands before it.
    head, *_ = re.split(rb"\r?\n\r?\n", data.lstrip(), maxsplit=1)
    first, *lines = head.decode("latin-1").splitlines()
    if not first.startswith("WARC/"):
        url, _, date, *_ = first.split(" ")
        return Head("arc", url, date)
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    url = fields.get("warc-target-uri", "").strip("<>")
    return Head(fields["warc-type"], url, fields["warc-date"])


def opened(path: Path, offset: int) -> bytes:
    """The first bytes from an offset on, as a user of an index would open it."""
    with path.open("rb") as stream:
        stream.seek(offset)
        data = stream.read(1 << 16)
    return zlib.decompressobj(31).decompress(data, 1 << 15) if path.suffix == ".gz" else data


@pytest.fixture(scope="module")
def files() -> dict[str, Path]:
    return {path.name: path for path in FOLDER.rglob("*") if path.is_file()}


def test_pages(everything: Result, files: dict[str, Path]) -> None:
    kinds: Counter[str] = Counter()
    within = []
    for row in rows(everything.folder, "pages", ["url", "timestamp", "warc_file", "warc_offset"]):
        if row["warc_file"] in ONE_MEMBER:
            within.append((row["warc_offset"], row["url"]))
            continue
        found = head_at(opened(files[row["warc_file"]], row["warc_offset"]))
        assert canonical_url(found.url) == row["url"]
        kinds[found.kind] += 1
        if re.sub(r"\D", "", found.date)[:14] != re.sub(r"\D", "", row["timestamp"]):  # but for the fraction
            assert re.fullmatch(r"\d{4}-\d\d-\d{3}T.*", found.date)  # no date: that of the answer is taken
            kinds["without a date"] += 1
    assert kinds == {"response": 4972, "arc": 1, "without a date": 29}
    assert [offset for offset, _ in within] == [0] * 100  # all of them the sample's
    packed = gzip.decompress(files[CLUEWEB].read_bytes())
    named = re.findall(rb"^WARC-Target-URI: (.*?)\r?$", packed, re.MULTILINE)
    assert sorted(url for _, url in within) == sorted(canonical_url(url.decode()) or "" for url in named)


def test_rejects(everything: Result, files: dict[str, Path]) -> None:
    """The first record of each kind that is no capture has a row, and every capture that gives no page."""
    found: Counter[str] = Counter()
    for row in rows(everything.folder, "rejects/web"):
        name, _, offset = row["origin"].rpartition("@")
        if row["unit"] == "links":
            continue
        if name in ONE_MEMBER:
            assert offset == "0"
            found["in one member"] += 1
            continue
        head = head_at(opened(files[name], int(offset)))
        if row["unit"] == "records":
            assert row["reason"] == head.kind or (head.kind, row["reason"]) == ("arc", "warcinfo")
            assert row["excerpt"] in (head.url, "")
        elif row["record_id"]:
            assert row["record_id"] == page_id_of(canonical_url(head.url) or "")
        else:
            assert row["excerpt"] == head.url
        found[row["unit"]] += 1
    assert found == {"pages": 818, "records": 47, "in one member": 11}
