"""Folders of crawl files: what `anchormine web` reads, what it passes over, and what it cannot read."""

from __future__ import annotations

import errno
import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest
import zstandard
from apache_beam.io.filesystems import FileSystems

from anchormine.pipelines.cli import main
from tests.pipelines.command_runs import DEMO, QUIET, funnel, read_table
from tests.transforms import memory_files
from tests.web.small_crawls import html, record, response, warc, warc_gz

PAGE = response("http://harbour.example/", html("<p>A <a href=/pier>pier</a>.</p>"))
OTHER = response("http://harbour.example/pier", html("<p>A <a href=/>harbour</a>.</p>"))
WET = record("conversion", "http://harbour.example/", b"A pier.", "Content-Type: text/plain")


def test_a_folder_without_crawl_files(tmp_path: Path, capsys) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "page.html").write_text("<html>")
    assert main(["web", str(tmp_path / "in"), "--output", str(tmp_path / "out"), *QUIET]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: {tmp_path / 'in'}: no file in this folder has a name that ends in .warc, .warc.gz, "
        ".warc.zst, .arc, .arc.gz or the like; name the files, or give a glob in quotation marks; warcit "
        "makes a crawl file of saved pages\n"
    )
    (tmp_path / "in" / "a.warc.bz2").touch()
    assert main(["web", str(tmp_path / "in"), "--output", str(tmp_path / "out"), *QUIET]) == 2
    assert capsys.readouterr().err.endswith(
        "marks; a.warc.bz2 is passed over, by the ending of its name: unpack or rename it\n"
    )
    (tmp_path / "in" / "wiki.xml").write_bytes((DEMO / "wiki.xml").read_bytes())
    assert main(["web", str(tmp_path / "in"), "--output", str(tmp_path / "out"), *QUIET]) == 2
    assert capsys.readouterr().err.endswith(
        "marks; wiki.xml is a MediaWiki dump; `anchormine wiki` reads it\n"
    )
    assert not (tmp_path / "out").exists()


def test_files_of_a_folder_that_look_like_its_crawl(tmp_path: Path, capsys) -> None:
    """Those that are not read are named and counted; what stands beside a crawl by right is not."""
    folder, out = tmp_path / "in", tmp_path / "out"
    (folder / "b").mkdir(parents=True)
    (folder / "a.warc.gz").write_bytes(warc_gz(PAGE, OTHER))
    for name in ("README.warc.txt", "a.warc.gz.cdx", "warc.paths.gz", ".b.warc.open", "c.bz2"):
        (folder / name).touch()
    command = ["web", str(folder), "--output", str(out), "--overwrite", *QUIET]
    assert main(command) == 0
    assert (capsys.readouterr().err, funnel(out, "web")["files"]["read"]) == ("", 1)
    for name in ("a.wacz", "b.warc.gz.open", "b/c.warc.bz2", "b/d.ARC.XZ", "b/e.warc.zst.part"):
        (folder / name).touch()
    (folder / "f.warc.gz").symlink_to("nowhere")
    assert main(command) == 0
    assert capsys.readouterr().err.replace(f"{folder}/", "").splitlines() == [
        "anchormine: a.wacz, b.warc.gz.open, b/c.warc.bz2 (and 2 more, see manifest.json): passed over, by "
        "the ending of the name; unpack or rename what belongs to the crawl",
        "anchormine: f.warc.gz: unreadable at byte 0: cannot be read (No such file or directory); see that "
        "it can be read, or leave it out",
    ]
    files = funnel(out, "web")["files"]
    assert (files["read"], files["written"], files["unreadable"]) == (7, 1, 1)
    assert files["rejected"] == {"passed_over": 5}


PASSED_OVER = (
    "c.warc.gz.1", "h.warc.gz.gz", "t.arc.Z", "p.warc.tgz", "r.warc.gz.open.gz", "o.warc.gz-open",
    "l.warc.gz_bak", "g.warc.gz~", "i.warc.zip", "j.warc.lz4", "k.arc.bz2", "m.warc.gz.open", "q.WARC.old",
    "s.wet.bz2", "u.wacz", "v.wacz.1", "w.warc.cdx.gz.warc.lzma",
)  # fmt: skip
BESIDE = (
    "a.cdx", "a.warc.cdx", "a.warc.gz.cdxj", "a.warc.os.cdx.gz", "a.warc.gz.idx", "a.warc.gz.md5",
    "a.arc.gz.sha1", "a.warc.gz.sha256", "a.warc.gz.SHA256SUMS", "a.warc.gz.asc", "a.warc.txt.gz",
    "a.wacz.sha512", "a.warc.lst", "a.warc.gz.err", "a.warc.mimes", "a.warc.yaml",
    "my.architecture.txt", "x.archive.zip", "x.warcs.zip", "my-warc.bak", "warc", "arc.bz2",
)  # fmt: skip


def test_names_of_what_is_passed_over(tmp_path: Path, capsys) -> None:
    """Whatever follows the ending of a crawl file, but for what is known to stand beside one."""
    folder, out = tmp_path / "in", tmp_path / "out"
    (folder / "d.warc.d").mkdir(parents=True)
    (folder / "n.warc.zstd").write_bytes(zstandard.compress(warc(PAGE, OTHER)))
    for name in (*PASSED_OVER, *BESIDE, "d.warc.d/e.pdf"):
        (folder / name).touch()
    assert main(["web", str(folder), "--output", str(out), *QUIET]) == 0
    assert capsys.readouterr().err == (
        f"anchormine: {folder}/c.warc.gz.1, {folder}/g.warc.gz~, {folder}/h.warc.gz.gz (and 14 more, see "
        "manifest.json): passed over, by the ending of the name; unpack or rename what belongs to the crawl\n"
    )
    files = funnel(out, "web")["files"]
    assert (files["read"], files["written"], files["rejected"]) == (18, 1, {"passed_over": 17})
    section = json.loads((out / "manifest.json").read_text())["steps"]["web"]
    assert section["inputs_set_aside"] == [
        {"path": f"{folder}/{name}", "reason": "passed_over"} for name in sorted(PASSED_OVER)
    ]
    assert {row["warc_file"] for row in read_table(out, "pages")} == {"n.warc.zstd"}


def test_a_plan_names_what_is_passed_over(tmp_path: Path, capsys) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / "c.warc.gz").write_bytes(warc_gz(PAGE))
    for name in ("a.wacz", "b.cdx", "c.warc.gz.1"):
        (folder / name).touch()
    command = ["web", str(folder), "--output", str(out), "--dry-run", *QUIET]
    assert main(command) == 0
    assert capsys.readouterr().out.splitlines() == [
        "anchormine web, as planned:",
        f"  input   {folder}/c.warc.gz ({len(warc_gz(PAGE)):,} bytes)",
        f"  aside   {folder}/a.wacz (passed_over)",
        f"  aside   {folder}/c.warc.gz.1 (passed_over)",
        *(f"  step    {stage}" for stage in ("read", "parse", "resolve links", "write")),
        *(f"  output  {out}/{table}" for table in ("pages", "anchors", "rejects/web")),
        "  runner  DirectRunner, 1 worker",
    ]
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "command": "anchormine web",
        "inputs": [{"path": f"{folder}/c.warc.gz", "bytes": len(warc_gz(PAGE))}],
        "inputs_set_aside": [
            {"path": f"{folder}/{name}", "reason": "passed_over"} for name in ("a.wacz", "c.warc.gz.1")
        ],
        "steps": ["read", "parse", "resolve links", "write"],
        "outputs": [f"{out}/{table}" for table in ("pages", "anchors", "rejects/web")],
        "removals": [],
        "runner": "DirectRunner",
        "workers": 1,
    }
    assert not out.exists()


def test_rejects_of_what_is_passed_over(tmp_path: Path) -> None:
    """A row for each file, named as far as tells it from others; all sums are those of the funnel."""
    folder, out = tmp_path / "in", tmp_path / "out"
    for name in ("a", "b"):
        (folder / name).mkdir(parents=True)
        (folder / name / "c.warc.gz.1").touch()
        (folder / name / f"{name}.wacz").touch()
    (folder / "d.warc.gz").write_bytes(warc_gz(WET, PAGE, OTHER))
    assert main(["web", str(folder), "--output", str(out), *QUIET]) == 0
    rows = read_table(out, "rejects/web")
    names = ("step", "reason", "unit", "record_id", "origin", "excerpt", "records")
    assert [tuple(row[name] for name in names) for row in rows if row["unit"] == "files"] == [
        ("web", "passed_over", "files", None, "a.wacz", "", 1),
        ("web", "passed_over", "files", None, "a/c.warc.gz.1", "", 1),
        ("web", "passed_over", "files", None, "b.wacz", "", 1),
        ("web", "passed_over", "files", None, "b/c.warc.gz.1", "", 1),
    ]
    sums: dict[str, dict[str, int]] = {unit: {} for unit in ("files", "records", "pages", "links")}
    for row in rows:
        of_unit = sums[row["unit"]]
        of_unit[row["reason"]] = of_unit.get(row["reason"], 0) + row["records"]
    assert sums == {unit: counted["rejected"] for unit, counted in funnel(out, "web").items()}
    assert sums["files"] == {"passed_over": 4}


def test_files_that_are_named_twice_are_read_once(tmp_path: Path, capsys) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / "a.warc.gz").write_bytes(warc_gz(PAGE, OTHER))
    (folder / "b.warc.open").write_bytes(warc(OTHER))
    given = [str(folder), f"{folder}/../in/", str(folder / "b.warc.open")]
    assert main(["web", *given, "--output", str(out), *QUIET]) == 0
    assert capsys.readouterr().err == ""
    files = funnel(out, "web")["files"]
    assert (files["read"], files["written"], files["rejected"]) == (2, 2, {})


def test_a_folder_that_is_not_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    """It counts as a file that cannot be read: what is in it is not passed over in silence."""
    folder, out = tmp_path / "in", tmp_path / "out"
    (folder / "below").mkdir(parents=True)
    for name in ("a.warc.gz", "below/b.warc.gz"):
        (folder / name).write_bytes(warc_gz(PAGE, OTHER))
    listed = os.scandir

    def scandir(path: str) -> Any:
        if str(path).endswith("below"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert main(["web", str(folder), "--output", str(out), "--strict", *QUIET]) == 3
    assert "in/below: unreadable at byte 0: cannot be read (" in capsys.readouterr().err
    files = funnel(out, "web")["files"]
    assert (files["read"], files["written"], files["unreadable"]) == (2, 1, 1)
    assert main(["web", str(folder / "below"), "--output", str(out), "--overwrite", *QUIET]) == 1
    assert "in/below: cannot be read (" in capsys.readouterr().err


def test_folders_that_a_glob_matches_are_read_as_if_named(tmp_path: Path, capsys) -> None:
    folder = tmp_path / "in"
    for name in ("2023", "2024/b", ".old", "notes"):
        (folder / name).mkdir(parents=True)
    (folder / "a.warc.gz").write_bytes(warc_gz(PAGE))
    (folder / "2024/b/c.warc.gz").write_bytes(warc_gz(OTHER))
    (folder / ".old/d.warc.gz").write_bytes(warc_gz(OTHER))
    for name in ("2023/e.warc.gz.open", "notes/read.me"):
        (folder / name).touch()
    out, named = tmp_path / "out", tmp_path / "named"
    assert main(["web", f"{folder}/*", "--output", str(out), *QUIET]) == 0
    told = capsys.readouterr().err
    assert told == (
        f"anchormine: {folder}/2023/e.warc.gz.open: passed over, by the ending of the name; unpack or rename "
        "what belongs to the crawl\n"
    )
    paths = [f"{folder}/2024", f"{folder}/a.warc.gz"]
    assert main(["web", *paths, "--output", str(named), *QUIET]) == 0
    assert read_table(out, "anchors") == read_table(named, "anchors")
    inputs = json.loads((out / "manifest.json").read_text())["steps"]["web"]["inputs"]
    assert [entry["path"] for entry in inputs] == [f"{folder}/2024/b/c.warc.gz", paths[1]]
    assert main(["web", f"{folder}/*.gz", "--output", str(out), "--overwrite", *QUIET]) == 0
    assert funnel(out, "web")["files"]["read"] == 1


def test_a_glob_into_a_folder_that_is_not_listed(tmp_path: Path, monkeypatch, capsys) -> None:
    below = tmp_path / "in" / "below"

    def match(patterns: list[str]) -> Any:
        raise PermissionError(errno.EACCES, "Permission denied", str(below))

    monkeypatch.setattr(FileSystems, "match", match)
    pattern = f"{tmp_path}/in/**/*.warc.gz"
    assert main(["web", pattern, "--output", str(tmp_path / "out"), *QUIET]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: {pattern!r}: cannot be read (Permission denied: {below}); give another path\n"
    )


def test_what_is_no_file_in_a_folder(tmp_path: Path, capsys) -> None:
    """A pipe, a socket, a name that cannot be written down: each costs itself, and none is waited for."""
    folder, out = tmp_path / "in", tmp_path / "out"
    latin = Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9"))
    latin.mkdir(parents=True)
    os.mkfifo(folder / "a.warc.gz")
    os.mkfifo(folder / "b.warc.gz.open")
    command = ["web", str(folder), "--output", str(out), *QUIET]
    no_file = "cannot be read (a pipe, a socket or a device); see that it can be read, or leave it out"
    assert main(command) == 1
    assert capsys.readouterr().err == f"anchormine: {folder}/a.warc.gz: {no_file}; nothing was published\n"
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(folder / "c.warc"))
    (folder / "d.warc.gz").write_bytes(warc_gz(PAGE, OTHER))
    (latin / "e.warc.gz").write_bytes(warc_gz(PAGE))
    (latin / "f.wacz").write_bytes(b"PK")
    assert main([*command, "--strict"]) == 3
    assert sorted(capsys.readouterr().err.replace(f"{folder}/", "").splitlines()) == [
        f"anchormine: a.warc.gz: unreadable at byte 0: {no_file}",
        "anchormine: b.warc.gz.open, caf\\xe9/f.wacz: passed over, by the ending of the name; unpack or "
        "rename what belongs to the crawl",
        f"anchormine: c.warc: unreadable at byte 0: {no_file}",
        "anchormine: caf\\xe9/e.warc.gz: unreadable at byte 0: its name is not UTF-8; rename it",
    ]
    files = funnel(out, "web")["files"]
    assert (files["read"], files["written"], files["unreadable"]) == (6, 1, 3)
    assert files["rejected"] == {"passed_over": 2}


def test_files_of_a_folder_of_another_file_system_that_look_like_its_crawl(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    names = ("a.warc.gz", "b.warc.gz.open", "c/d.wacz", "c/.e.wacz", "f.txt")
    files = {f"mem://crawl/in/{name}": warc_gz(PAGE, OTHER) for name in names}
    monkeypatch.setattr(memory_files, "FILES", files)
    assert main(["web", "mem://crawl/in", "--output", str(tmp_path / "out"), *QUIET]) == 0
    assert capsys.readouterr().err.startswith(
        "anchormine: mem://crawl/in/b.warc.gz.open, mem://crawl/in/c/d.wacz: passed over, by the ending"
    )
    counts = funnel(tmp_path / "out", "web")["files"]
    assert (counts["read"], counts["written"], counts["rejected"]) == (3, 1, {"passed_over": 2})
