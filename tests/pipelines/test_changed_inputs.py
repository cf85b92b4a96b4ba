"""Files that something writes to, or takes away, while a command reads them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from anchormine.datasets.places import Places
from anchormine.pipelines import mining
from anchormine.pipelines.changed_inputs import WatchedInputs
from anchormine.pipelines.cli import main
from anchormine.pipelines.resumption import difference
from anchormine.pipelines.verdicts import input_entries
from anchormine.transforms.crawl_plan import CrawlFile
from anchormine.transforms.report import Report
from anchormine.transforms.resumed_reads import LEAVE_OUT
from tests.pipelines.command_runs import QUIET, funnel
from tests.pipelines.test_harp_command import LINES, write_lines
from tests.web.small_crawls import html, response, warc

PIER = response("http://harbour.example/", html("<p>A <a href=/pier>pier</a>.</p>"))
HARBOUR = response("http://harbour.example/pier", html("<p>A <a href=/>harbour</a>.</p>"))
UNREAD = "cannot be read (No such file or directory)"


def entry_of_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], change: Callable[[], object]
) -> tuple[int, dict[str, Any]]:
    """Runs a command whose last input file changes once it is planned: its status, and the file's entry."""
    run_to_end = mining.run_to_end

    def run_changed(pipeline: Any) -> None:
        change()
        run_to_end(pipeline)

    monkeypatch.setattr(mining, "run_to_end", run_changed)
    status = main([*command, "--output", str(tmp_path / "out"), *QUIET, "--strict"])
    steps = json.loads((tmp_path / "out/manifest.json").read_text())["steps"]
    entry = steps[command[0]]["inputs"][-1]
    assert entry.pop("path") == command[-1]
    return status, entry


def sizes(before: int, after: int) -> str:
    told = f"{before:,} bytes at first, {after:,} in the end"
    return f"changed while it was read ({told}); run again when nothing writes to it"


def changed_place(reason: str) -> dict[str, Any]:
    return {"offset": 0, "bytes_skipped": 0, "reason": reason}


def test_a_crawl_file_that_grows_is_not_complete(tmp_path: Path, monkeypatch, capsys) -> None:
    crawl, more = tmp_path / "in.warc", warc(PIER)
    crawl.write_bytes(more)
    size = len(more)

    def grow() -> None:
        with crawl.open("ab") as stream:
            stream.write(HARBOUR)

    status, entry = entry_of_changed(tmp_path, monkeypatch, ["web", str(crawl)], grow)
    words = sizes(size, size + len(HARBOUR))
    place = changed_place(words) | {"records_before": 0, "records_after": 3}
    assert entry == {"bytes": size, "sha256": None, "verdict": "damaged", "places": [place], "records": 3}
    assert f"anchormine: {crawl}: damaged at byte 0: {words}\n" in capsys.readouterr().err
    assert status == 3


def test_damage_that_a_change_makes_stands_behind_it(tmp_path: Path, monkeypatch) -> None:
    crawl, data = tmp_path / "in.warc", warc(PIER, HARBOUR)
    crawl.write_bytes(data)
    kept = len(data) - len(HARBOUR) - 20
    status, entry = entry_of_changed(
        tmp_path, monkeypatch, ["web", str(crawl)], lambda: os.truncate(crawl, kept)
    )
    changed, cut_off = entry.pop("places")
    assert changed == changed_place(sizes(len(data), kept)) | {
        "records_before": 0,
        "records_after": 2,
    }
    assert (cut_off["offset"], cut_off["reason"][:7], cut_off["records_before"]) == (kept, "cut off", 2)
    assert entry == {"bytes": len(data), "sha256": None, "verdict": "damaged", "records": 2}
    assert status == 3


def test_a_crawl_file_that_goes_before_it_is_read_is_unreadable(tmp_path: Path, monkeypatch, capsys) -> None:
    crawl, gone = tmp_path / "a.warc", tmp_path / "b.warc"
    crawl.write_bytes(warc(PIER))
    gone.write_bytes(warc(HARBOUR))
    size = gone.stat().st_size
    status, entry = entry_of_changed(tmp_path, monkeypatch, ["web", str(crawl), str(gone)], gone.unlink)
    words = f"{UNREAD}; {LEAVE_OUT}"
    place = {"offset": 0, "bytes_skipped": size, "reason": words, "records_before": 0, "records_after": 0}
    assert entry == {
        "bytes": size,
        "sha256": None,
        "verdict": "unreadable",
        "places": [place],
        "records": 0,
    }
    assert f"anchormine: {gone}: unreadable at byte 0: {words}\n" in capsys.readouterr().err
    assert funnel(tmp_path / "out", "web")["files"] == {
        "step": "web",
        "unit": "files",
        "read": 2,
        "written": 1,
        "rejected": {},
        "unreadable": 1,
    }
    assert status == 3


def test_sentences_of_harp_that_change(tmp_path: Path, monkeypatch, capsys) -> None:
    lines = write_lines(tmp_path / "in.json", LINES[:1])
    before = lines.stat()

    def rewrite() -> None:
        write_lines(lines, LINES[:1])
        os.utime(lines, ns=(before.st_atime_ns, before.st_mtime_ns + 1))

    status, entry = entry_of_changed(tmp_path, monkeypatch, ["harp", str(lines)], rewrite)
    words = sizes(before.st_size, before.st_size)
    assert entry == {
        "bytes": before.st_size,
        "sha256": None,
        "verdict": "damaged",
        "places": [changed_place(words)],
    }
    assert f"anchormine: {lines}: {words}\n" in capsys.readouterr().err
    assert status == 3


def test_a_file_that_is_read_in_parts_and_goes(tmp_path: Path) -> None:
    """It is unreadable if no part of it was read, and damaged if one was."""
    file = CrawlFile("w.xml.bz2", 90, None)
    report = tmp_path / "report.json"
    report.write_text(json.dumps([{"sha256": [file.path, None]}]))
    removed = "removed while it was read; put it back, and run again"

    def entry(*places: tuple[int, int, str]) -> dict[str, Any]:
        found = Places()
        for place in places:
            found.add(*place)
        (entry,) = input_entries([file], [found], [0], Report(str(report), {file.path: removed}))
        assert (entry.pop("path"), entry.pop("bytes"), entry.pop("sha256")) == (file.path, 90, None)
        return entry

    def shown(offset: int, skipped: int, reason: str) -> dict[str, Any]:
        return {"offset": offset, "bytes_skipped": skipped, "reason": reason}

    no_start, first, rest = (0, 0, "no <mediawiki> element at the start"), (0, 50, UNREAD), (50, 40, UNREAD)
    assert entry(first, no_start, rest) == {
        "verdict": "unreadable",
        "places": [shown(0, 50, f"{UNREAD}; {LEAVE_OUT}"), shown(*no_start), shown(*rest)],
    }
    assert entry(rest) == {"verdict": "damaged", "places": [changed_place(removed), shown(*rest)]}
    cut_off = (50, 40, "cut off")
    assert entry(first, cut_off) == {
        "verdict": "damaged",
        "places": [changed_place(removed), shown(*first), shown(*cut_off)],
    }


def test_what_has_become_of_files(tmp_path: Path) -> None:
    same, written, gone, missing = (str(tmp_path / name) for name in ("same", "written", "gone", "missing"))
    for path in (same, written, gone):
        Path(path).write_bytes(b"four")
    inputs = [(path, 4) for path in (same, written, gone, "hdfs://elsewhere/file")]
    watched = WatchedInputs([*inputs, (missing, 0)])
    assert watched.changed() == {}
    Path(written).write_bytes(b"more")
    os.utime(written, ns=(0, 0))
    Path(gone).unlink()
    assert watched.changed() == {
        written: sizes(4, 4),
        gone: "removed while it was read; put it back, and run again",
    }
    # What was planned is of a time before.
    assert WatchedInputs([(same, 3)]).changed() == {same: sizes(3, 4)}


def test_a_folder_made_of_more_files_is_not_that_of_fewer() -> None:
    """Two files may have the same name and size in two folders."""
    inputs = [{"path": f"{folder}/x.warc.gz", "bytes": 9} for folder in ("a", "b")]
    section = {"seed": 42, "versions": {}, "options": {}, "inputs": inputs}
    assert difference(section, {}, [("c/x.warc.gz", 9), ("d/x.warc.gz", 9)]) is None
    assert difference(section, {}, [("a/x.warc.gz", 9)]) == "other input"
