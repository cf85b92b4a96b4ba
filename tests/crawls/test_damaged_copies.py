"""Real crawl files, cut, overwritten or with bits flipped: hundreds in one run of `anchormine web`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from anchormine.web.urls import canonical_url
from tests.crawls.command_results import Result, mine, rows, section
from tests.pipelines.command_runs import funnel
from tests.web.crawl_files import FOLDER, needs_crawls, read
from tests.web.test_crawl_mutations import mutated
from tests.web.test_web_real_crawls import described_reasons

pytestmark = [pytest.mark.data, pytest.mark.slow, needs_crawls]

COPIES = 500
LARGEST = 400_000  # bytes of a file that is copied
# A flipped bit makes another kind, which is unknown, or damaged where a checksum tells of it.
KINDS = {"warcinfo", "request", "metadata", "unknown", "damaged"}


def originals() -> list[Path]:
    return [path for path in sorted(FOLDER.rglob("*")) if path.is_file() and path.stat().st_size < LARGEST]


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copies")
    files = originals()
    assert len(files) == 25
    for seed in range(COPIES):
        path = files[seed % len(files)]
        (folder / f"{seed:03d}-{path.name}").write_bytes(mutated(path.read_bytes(), seed))
    return folder


@pytest.fixture(scope="module")
def mined(copies: Path, tmp_path_factory: pytest.TempPathFactory) -> Result:
    return mine(tmp_path_factory.mktemp("mined") / "folder", copies)


def test_none_stops_the_run(mined: Result) -> None:
    assert mined.status == 0
    assert "Traceback" not in mined.err
    found = funnel(mined.folder, "web")  # each is in balance
    assert (found["files"]["read"], found["files"]["unreadable"]) == (COPIES, 17)  # cut to almost nothing
    assert found["records"]["written"] == found["pages"]["read"]
    for unit in ("records", "pages", "links"):
        rejects = [row for row in rows(mined.folder, "rejects/web") if row["unit"] == unit]
        reasons: Counter[str] = Counter()
        for row in rejects:
            reasons[row["reason"]] += row["records"]
        assert sum(reasons.values()) == sum(found[unit]["rejected"].values()) + found[unit]["unreadable"]
    assert found["pages"]["rejected"].keys() | found["links"]["rejected"].keys() <= described_reasons()
    assert found["records"]["rejected"].keys() == KINDS


def test_every_byte_of_each_is_in_its_verdict(copies: Path, mined: Result) -> None:
    """Records and damages cover a file without a gap, as `read` checks; the manifest has all of them."""
    verdicts: Counter[str] = Counter()
    for entry in section(mined.folder, "web")["inputs"]:
        data = (copies / entry["path"].rpartition("/")[2]).read_bytes()
        assert entry["bytes"] == len(data)
        verdicts[entry["verdict"]] += 1
        if entry["verdict"] == "unreadable":
            assert not entry.get("records")
            continue
        records, damages = read(data)
        assert entry["records"] == len(records)
        places = [(place["offset"], place["bytes_skipped"], place["reason"]) for place in entry["places"]]
        assert places == [(damage.offset, damage.bytes_skipped, damage.reason) for damage in damages]
        assert (entry["verdict"] == "complete") == (not damages)
    assert verdicts == {"damaged": 483, "unreadable": 17}


def test_every_row(mined: Result) -> None:
    pages = {row["page_id"]: row for row in rows(mined.folder, "pages")}
    count = 0
    for row in rows(mined.folder, "anchors"):
        assert row["sentence"][row["start"] : row["end"]] == row["anchor"] != ""
        if row["sentence_start"] is not None:
            assert pages[row["source_page_id"]]["text"].startswith(row["sentence"], row["sentence_start"])
        count += 1
    assert count == funnel(mined.folder, "web")["links"]["written"] == 7_075
    assert len(pages) == funnel(mined.folder, "web")["pages"]["written"] == 198


def test_addresses_that_are_none(mined: Result) -> None:
    """Flipped bytes make other addresses, where neither a checksum of its own nor a digest tells of them."""
    known = {canonical_url(record.url) for path in originals() for record in read(path.read_bytes())[0]}
    garbled = Counter(
        row["warc_file"].partition("-")[2] for row in rows(mined.folder, "pages") if row["url"] not in known
    )
    assert garbled == {
        "clueweb09-en0040-54-sample.warc.gz": 25,  # one member, and no digests
        "invalid-warcfile-digest-fields.warc": 2,
        "invalid-arcfile-record-then-garbage.arc": 1,
    }
