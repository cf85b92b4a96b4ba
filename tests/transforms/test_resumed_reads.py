"""A file system that fails in the middle of a file: once, and for good."""

from __future__ import annotations

import bz2
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from anchormine.archives.compression import Damage
from anchormine.pipelines.cli import main
from anchormine.transforms import resumed_reads
from anchormine.transforms.crawl_reading import FileRecords, FileToRead
from anchormine.transforms.resumed_reads import ReadStopped, ResumedFile
from anchormine.web.records.crawl_records import RecordLimits
from tests.pipelines.command_runs import QUIET, checksums, funnel, read_table
from tests.transforms import memory_files
from tests.transforms.memory_files import FAILURES, FILES
from tests.web.crawl_files import pages, response, warc
from tests.wiki.small_dumps import dump, page, unit_row

ALWAYS = 10**9
PAGES = [page(n, f"Page {n}", f"Text {n} and [[page {n % 40 + 1}]]. " + "More. " * 200) for n in range(1, 41)]
WHOLE = dump(*PAGES)


@pytest.fixture(autouse=True)
def store(monkeypatch) -> None:
    monkeypatch.setattr(resumed_reads, "PAUSES_SECONDS", (0.0, 0.0, 0.0))
    for held in (FILES, FAILURES):
        held.clear()
    memory_files.ACCOUNTS.clear()


def put(name: str, data: bytes, at: int = 0, times: int = 0) -> str:
    path = f"mem://bucket/{name}"
    FILES[path] = data
    FAILURES[path] = (at, times)
    return path


def inputs(folder: Path, step: str = "wiki") -> list[dict[str, Any]]:
    return json.loads((folder / "manifest.json").read_text())["steps"][step]["inputs"]


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("start", [0, 7])
def test_a_file_is_opened_again_where_it_was(times: int, start: int) -> None:
    data = bytes(range(256)) * 40
    path = put("a", data, 5000, times)
    with ResumedFile(path, start) as stream:
        assert b"".join(iter(lambda: stream.read(999), b"")) == data[start:]
    FAILURES[path] = (5000, times)
    with io.BufferedReader(ResumedFile(path, start)) as buffered:
        assert buffered.read() == data[start:]


def test_the_last_attempt() -> None:
    path = put("a", bytes(10_000), 5000, 4)
    with ResumedFile(path) as stream:
        assert len(stream.read(9000)) == 5000
        with pytest.raises(ReadStopped) as caught:
            stream.read(9000)
    stop = caught.value
    assert (stop.offset, stop.reason) == (5000, "cannot be read (connection reset), after 4 attempts")
    assert FAILURES[path] == (5000, 0)


def test_a_file_that_is_not_there_is_not_waited_for(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(resumed_reads, "PAUSES_SECONDS", (60.0,))
    with pytest.raises(ReadStopped, match=r"cannot be read \(No such file or directory\)$"):
        ResumedFile(str(tmp_path / "no")).read(1)


@pytest.mark.parametrize("compress", [bytes, bz2.compress], ids=["plain", "bz2"])
def test_a_failure_that_passes_changes_nothing(tmp_path, compress) -> None:
    data = compress(WHOLE)
    for name, times in (("well", 0), ("failing", 3)):
        path = put("w.xml", data, len(data) // 2, times)
        assert main(["wiki", path, "--output", str(tmp_path / name), *QUIET]) == 0
    assert checksums(tmp_path / "well") == checksums(tmp_path / "failing")
    for name in ("well", "failing"):
        assert inputs(tmp_path / name) == [
            {
                "path": "mem://bucket/w.xml",
                "bytes": len(data),
                "sha256": hashlib.sha256(data).hexdigest(),
                "verdict": "complete",
                "places": [],
            }
        ]


def test_a_failure_that_stays_keeps_what_came_before(tmp_path, capsys) -> None:
    at = WHOLE.index(b"<title>Page 21</title>")
    path = put("w.xml", WHOLE, at, ALWAYS)
    assert main(["wiki", path, "--output", str(tmp_path / "out"), *QUIET]) == 0
    reason = "cannot be read (connection reset), after 4 attempts"
    assert capsys.readouterr().err.splitlines() == [
        f"anchormine: {path}: damaged at byte {at}: {reason}, and 1 more place (see manifest.json)"
    ]
    start = WHOLE.rindex(b"<page>", 0, at)
    assert inputs(tmp_path / "out") == [
        {
            "path": path,
            "bytes": len(WHOLE),
            "sha256": None,
            "verdict": "damaged",
            "places": [
                {"offset": at, "bytes_skipped": len(WHOLE) - at, "reason": reason},
                {
                    "offset": start,
                    "bytes_skipped": at - start,
                    "reason": "cut off: the file ends within a page",
                },
            ],
        }
    ]
    assert [row["title"] for row in read_table(tmp_path / "out", "pages")] == [
        f"Page {n}" for n in range(1, 21)
    ]
    rows = funnel(tmp_path / "out", "wiki")
    assert rows["files"] == unit_row("files", 1, 1)
    assert rows["pages"] == unit_row("pages", 21, 20, unreadable=1)
    assert main(["wiki", path, "--output", str(tmp_path / "two"), "--strict", *QUIET]) == 3


def test_a_compressed_file_that_stops(tmp_path, capsys) -> None:
    data = bz2.compress(dump(*PAGES[:20])[: -len("</mediawiki>\n")]) + bz2.compress(
        "".join(PAGES[20:]).encode() + b"</mediawiki>\n"
    )
    second = data.rindex(b"BZh9")
    path = put("w.xml.bz2", data, second + 30, ALWAYS)
    assert main(["wiki", path, "--output", str(tmp_path / "out"), *QUIET]) == 0
    (entry,) = inputs(tmp_path / "out")
    assert entry["places"][0] == {
        "offset": second + 30,
        "bytes_skipped": len(data) - second - 30,
        "reason": "cannot be read (connection reset), after 4 attempts",
    }
    assert [row["title"] for row in read_table(tmp_path / "out", "pages")] == [
        f"Page {n}" for n in range(1, 21)
    ]


def test_a_file_that_cannot_be_read_at_all(tmp_path, capsys) -> None:
    bad, good = put("bad.xml", WHOLE, 0, ALWAYS), put("good.xml", WHOLE)
    reason = "cannot be read (connection reset), after 4 attempts; see that it can be read, or leave it out"
    assert main(["wiki", bad, "--output", str(tmp_path / "one"), *QUIET]) == 1
    assert capsys.readouterr().err == f"anchormine: {bad}: {reason}; nothing was published\n"
    assert main(["wiki", bad, good, "--output", str(tmp_path / "two"), *QUIET]) == 0
    assert [entry["verdict"] for entry in inputs(tmp_path / "two")] == ["unreadable", "complete"]
    assert inputs(tmp_path / "two")[0]["places"] == [
        {"offset": 0, "bytes_skipped": len(WHOLE), "reason": reason}
    ]
    assert len(read_table(tmp_path / "two", "pages")) == 40


def test_lines_of_harp(tmp_path, capsys) -> None:
    line = json.dumps({"sentence": "A b .", "tokenized_sentence": ["A", "b", "."], "anchors": []}) + "\n"
    data = (line * 5000).encode()
    at = len(line) * 4000 + 5
    path = put("lines.json", data, at, ALWAYS)
    assert main(["harp", path, "--output", str(tmp_path / "out"), *QUIET]) == 0
    reason = "after line 4000: cannot be read (connection reset), after 4 attempts"
    assert capsys.readouterr().err == f"anchormine: {path}: 1 unreadable lines; the first: {reason}\n"
    offset = len(line) * 4000
    assert inputs(tmp_path / "out", "harp") == [
        {
            "path": path,
            "bytes": len(data),
            "sha256": None,
            "verdict": "damaged",
            "places": [{"offset": offset, "bytes_skipped": len(data) - offset, "reason": reason}],
        }
    ]
    assert funnel(tmp_path / "out", "harp")["sentences"]["read"] == 4000
    assert main(["harp", path, "--output", str(tmp_path / "two"), "--strict", *QUIET]) == 3


@pytest.mark.parametrize("times", [0, 3, ALWAYS])
def test_a_crawl_file_that_is_gone_back_in(times: int) -> None:
    """A length that is wrong is followed first; what is read again is neither told nor reported again."""
    large = warc(response(bytes(300_000)), url="http://a.example/large", length=10**9)
    records = pages(200)
    data = b"".join([records[0], large, *records[1:]])
    at = len(large) + 550_000
    path = put("a.warc", data, at, times)
    told: list[int] = []
    read = FileRecords(FileToRead(0, path, "a.warc", len(data), None), RecordLimits(10_000), told.append)
    found = [(record.url, record.problem) for record in read]
    end = len(data)
    places = [
        Damage(
            len(records[0]), 0, "the record that starts here is of another length than it announces", "file"
        )
    ]
    if times == ALWAYS:
        end = at
        failed = Damage(at, len(data) - at, "cannot be read (connection reset), after 4 attempts", "file")
        cut = f"cut off: the record that starts at byte {data.rindex(b'WARC/1.0', 0, at)} has no end"
        places = [failed, *places, Damage(at, 0, cut, "file")]
    numbers = [n for n in range(1, 200) if data.index(records[n]) < end]
    last = "truncated" if times == ALWAYS else ""
    assert found == [
        ("http://a.example/0", ""),
        ("http://a.example/large", "too_large"),
        *((f"http://a.example/{n}", last if n == numbers[-1] else "") for n in numbers),
    ]
    assert read.damages == places
    assert sum(told) == end
