"""`anchormine export` as a user meets it: errors in one line, nothing half-written, what is printed."""

from __future__ import annotations

import errno
import fcntl
import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from anchormine.export.formats import FORMATS
from anchormine.export.job import ExportJob
from anchormine.pipelines.cli import main
from anchormine.schemas.pairs import TASKS
from tests.export.export_folders import files_of, link, page, pair, rows_of, text_of, write_dataset


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_dataset(tmp_path / "reef")


def fails(capsys: pytest.CaptureFixture, *arguments: object) -> tuple[int, str]:
    """The status and the one line of a command that fails."""
    status = main(["export", *map(str, arguments), "--progress", "none"])
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    return status, line.removeprefix("anchormine: ")


def tree(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_goes_into_the_folder_by_default(name: str, folder: Path) -> None:
    before = tree(folder)
    assert main(["export", str(folder), "--to", name, "--progress", "none"]) == 0
    output = folder / "exports" / name
    assert {path for path in tree(folder) if not path.startswith("exports")} == set(before)
    assert [path.name for path in (folder / "exports").iterdir()] == [name]
    listed = json.loads((output / "export.json").read_text())["files"]
    assert sorted(file["path"] for file in listed) == sorted(
        str(path.relative_to(output))
        for path in output.rglob("*")
        if path.is_file() and path.name != "export.json"
    )
    card = (output / "README.md").read_text()
    assert "license:\n- cc-by-sa-4.0\n" in card
    assert "https://creativecommons.org/licenses/by-sa/4.0/" in card
    assert (output / "ATTRIBUTION.md").read_bytes() == (folder / "ATTRIBUTION.md").read_bytes()


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_bytes_every_time(name: str, folder: Path, tmp_path: Path) -> None:
    outputs = [tmp_path / "one", tmp_path / "two"]
    for output in outputs:
        assert main(["export", str(folder), "--to", name, "--output", str(output), "--progress", "none"]) == 0
    one, two = (
        {path: (output / path).read_bytes() for path in tree(output) if (output / path).is_file()}
        for output in outputs
    )
    assert one == two


def test_files_and_rows_are_printed(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    command = ["export", str(folder), "--to", "beir", "--task", "qdm", "--output", str(tmp_path / "out")]
    assert main([*command, "--progress", "none"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["export", "pairs-qdm", "1", "1", "0", "0"]
    printed = {line.split()[0]: line.split()[1:] for line in lines[4:] if line.startswith("qdm/")}
    assert {name: int(rows) for name, (rows, _) in printed.items()} == {
        "qdm/corpus.jsonl": 2,
        "qdm/qrels/train.tsv": 1,
        "qdm/queries.jsonl": 1,
    }
    assert lines[-1] == str(tmp_path / "out")


def test_json(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    command = ["export", str(folder), "--to", "trec", "--task", "qdm", "--output", str(tmp_path / "out")]
    assert main([*command, "--json", "--progress", "none"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {name: report[name] for name in ("format", "funnel", "notes", "output")} == {
        "format": "trec",
        "funnel": [
            {"step": "export", "unit": "pairs-qdm", "read": 1, "written": 1, "rejected": {}, "unreadable": 0}
        ],
        "notes": [],
        "output": str(tmp_path / "out"),
    }
    assert {file["path"]: file["rows"] for file in report["files"]} == {
        "ATTRIBUTION.md": None,
        "README.md": None,
        "croissant.json": None,
        "qdm/qrels.train.txt": 1,
        "qdm/topics.tsv": 1,
    }


def test_a_dry_run_touches_nothing(folder: Path, capsys: pytest.CaptureFixture) -> None:
    before = tree(folder)
    assert main(["export", str(folder), "--to", "kilt", "--dry-run"]) == 0
    assert capsys.readouterr().out == (
        "anchormine export, as planned:\n"
        "  input   pages (4 rows)\n"
        "  input   anchors (7 rows)\n"
        f"  output  {folder}/exports/kilt for kilt: {FORMATS['kilt'].layout}\n"
    )
    assert main(["export", str(folder), "--to", "kilt", "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "command": "anchormine export",
        "format": "kilt",
        "inputs": [{"table": "pages", "rows": 4}, {"table": "anchors", "rows": 7}],
        "output": f"{folder}/exports/kilt",
    }
    assert tree(folder) == before


@pytest.mark.parametrize(
    ("tables", "options", "message"),
    [
        (["pages"], ["beir"], "holds no pairs; make them with `anchormine pairs {}`"),
        (
            ["pages"],
            ["dpr", "--task", "acm"],
            "holds no pairs of acm; make them with `anchormine pairs {} --task acm`",
        ),
        (
            ["pages", "pairs/qdm"],
            ["pylate", "--source", "contrastive", "--task", "qdm"],
            "holds no pairs with negatives of qdm; make them with "
            "`anchormine negatives {} --task qdm --from bm25`",
        ),
        (
            ["pages"],
            ["kilt"],
            "its dump had no links to articles, so there is nothing to write; read a whole one",
        ),
        (
            ["pages", "anchors"],
            ["kilt", "--source", "filtered"],
            "holds no filtered; make them with `anchormine filter {}`",
        ),
        (
            ["anchors"],
            ["anchors-by-destination"],
            "holds no pages; make a new folder with `anchormine wiki DUMP --output FOLDER`, or with "
            "`anchormine web` of a crawl",
        ),
    ],
)  # fmt: skip
def test_a_missing_table_names_the_command_that_makes_it(
    tables: list[str], options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    folder = write_dataset(tmp_path / "my reef", *tables)
    assert fails(capsys, folder, "--to", *options) == (2, f"{folder}: {message}".format(f"'{folder}'"))
    assert not (folder / "exports").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["trec", "--negatives", "3"],
         "--negatives: trec has no use for it; it is for sentence-transformers, pylate"),
        (["kilt", "--task", "qdm"],
         "--task: kilt has no use for it; it is for sentence-transformers, tevatron, dpr, beir, msmarco, "
         "trec, pylate"),
        (["beir", "--triples", "ids"], "--triples: beir has no use for it; it is for msmarco"),
        (["beir", "--source", "anchors"], "--source anchors: beir is made of contrastive or pairs"),
        (["kilt", "--source", "pairs"], "--source pairs: kilt is made of filtered or anchors"),
        (["pylate", "--negatives", "-1"], "--negatives -1: must be 0 or more"),
        (["pylate", "--limit", "0"], "--limit 0: must be 1 or more"),
        (["beir", "--task", "codoc", "--corpus", "all"],
         "--corpus all: documents of codoc are passages of pages; give --corpus used"),
        *((["beir", "--corpus", "all", *more],
           "--corpus all: documents of codoc are passages of pages; give --corpus used, or name only others "
           "with --task: anchor_document, qdm, rqp") for more in ([], ["--dry-run"])),
        (["pylate", "--task", "anchor_document", "--negatives", "50"],
         "--negatives 50: no row of anchor_document (most: 2) has that many; give a smaller --negatives"),
        (["pylate", "--task", "anchor_document", "--source", "pairs", "--negatives", "1"],
         "--negatives 1: no row of anchor_document (most: 0) has that many; give a smaller --negatives"),
        (["pylate", "--negatives", "1", "--dry-run"],
         "--negatives 1: no row of codoc (most: 0), rqp (most: 0) has that many; give a smaller --negatives, "
         "or name only others with --task: anchor_document, qdm"),
        (["sentence-transformers", "--negatives", "2"],
         "--negatives 2: no row of codoc (most: 0), qdm (most: 1), rqp (most: 1) has that many; give a "
         "smaller --negatives, or name only others with --task: anchor_document"),
        (["beir", "--output", "s3://bucket/out"],
         "--output s3://bucket/out: exports are written to this machine; give a folder here"),
    ],
)  # fmt: skip
def test_options_that_do_not_fit(
    options: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture
) -> None:
    assert fails(capsys, folder, "--to", *options) == (2, message)
    assert not (folder / "exports").exists()


def test_an_unknown_task_is_named(folder: Path, capsys: pytest.CaptureFixture) -> None:
    status, line = fails(capsys, folder, "--to", "beir", "--task", "nosuch")
    assert status == 2
    assert line.startswith("argument --task: invalid choice: 'nosuch' (choose from ")
    assert [task for task in TASKS if task not in line] == []


def test_an_unknown_format_is_named(folder: Path, capsys: pytest.CaptureFixture) -> None:
    status, line = fails(capsys, folder, "--to", "bier")
    assert status == 2
    assert "invalid choice: 'bier'" in line


def test_what_is_there_is_not_replaced_unasked(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    output = tmp_path / "out"
    command = [folder, "--to", "beir", "--task", "qdm", "--output", output]
    assert main(["export", *map(str, command), "--progress", "none"]) == 0
    capsys.readouterr()
    assert fails(capsys, *command) == (
        2,
        f"{output}: is not empty; give --overwrite to replace it, or another --output",
    )
    command[4] = "codoc"
    assert main(["export", *map(str, command), "--overwrite", "--progress", "none"]) == 0
    assert not (output / "qdm").exists()
    assert (output / "codoc" / "corpus.jsonl").is_file()


def test_an_earlier_export_stays_where_the_new_one_cannot_take_its_place(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "beir"
    command = ["export", str(folder), "--to", "beir", "--output", str(output), "--progress", "none"]
    assert main(command) == 0
    capsys.readouterr()
    before = {path: (output / path).read_bytes() for path in tree(output) if (output / path).is_file()}
    rename = Path.rename

    def refused(old: Path, new: Path) -> Path:
        if old.name == "files":
            raise OSError(errno.EIO, "Input/output error")
        return rename(old, new)

    monkeypatch.setattr(Path, "rename", refused)
    assert fails(capsys, *command[1:6], "--overwrite") == (
        1,
        f"{output}: cannot be written (Input/output error); give another --output",
    )
    after = {path: (output / path).read_bytes() for path in tree(output) if (output / path).is_file()}
    assert after == before


def test_something_else_is_left_alone(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    output = tmp_path / "thesis"
    output.mkdir()
    (output / "chapter.tex").write_text("x")
    assert fails(capsys, folder, "--to", "beir", "--output", output, "--overwrite") == (
        2,
        f"{output}: holds something else than an export; it is left alone, give another --output",
    )
    file = output / "chapter.tex"
    assert fails(capsys, folder, "--to", "beir", "--output", file) == (
        2,
        f"{file}: is a file; --output names a folder",
    )
    assert tree(output) == ["chapter.tex"]


def test_a_link_is_left_alone(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    output = tmp_path / "exported"
    output.symlink_to(disk)
    for options in ((), ("--overwrite",)):
        assert fails(capsys, folder, "--to", "beir", "--output", output, *options) == (
            2,
            f"{output}: is a link; give the folder that it leads to, {disk}",
        )
    assert (output.is_symlink(), tree(disk)) == (True, [])


def test_a_second_run_waits_for_the_first(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    output, work = tmp_path / "out", tmp_path / ".out.unfinished"
    work.mkdir()
    with (work / "lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert fails(capsys, folder, "--to", "beir", "--output", output) == (
            2,
            f"{output}: another export is writing to it; wait for it, or give another folder",
        )
    assert tree(work) == ["lock"]


def test_a_link_is_not_emptied(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """Whoever gave the dataset may have put one where an export is made."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").touch()
    link = folder / "exports" / ".beir.unfinished"
    link.parent.mkdir()
    link.symlink_to(tmp_path / "mine")
    assert fails(capsys, folder, "--to", "beir") == (
        2, f"{link}: is a link, and what it leads to would be emptied; remove it"
    )  # fmt: skip
    assert tree(tmp_path / "mine") == ["thesis.tex"]


def test_a_killed_run_leaves_nothing_that_the_next_one_keeps(folder: Path, tmp_path: Path) -> None:
    output, work = tmp_path / "out", tmp_path / ".out.unfinished"
    (work / "files" / "qdm").mkdir(parents=True)
    (work / "files" / "qdm" / "stale.jsonl").write_text("{}")
    (work / "scratch").mkdir()
    (work / "scratch" / "catalogue.sqlite").write_text("stale")
    (work / "lock").touch()
    command = ["export", str(folder), "--to", "beir", "--task", "qdm", "--output", str(output)]
    assert main([*command, "--progress", "none"]) == 0
    assert "qdm/stale.jsonl" not in tree(output)
    assert not work.exists()


def test_a_run_that_fails_leaves_nothing(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    shard = next((folder / "pairs" / "qdm").glob("*.parquet"))
    shard.write_bytes(shard.read_bytes()[:-20])
    status, line = fails(capsys, folder, "--to", "tevatron", "--output", tmp_path / "out")
    assert status == 1
    assert line.startswith(f"{folder}/pairs/qdm/train-00000-of-00001.parquet: cannot be read (")
    assert line.endswith("; run the step that wrote it again")
    assert tree(tmp_path) == [str(path) for path in tree(tmp_path) if path.startswith("reef")]
    shard.unlink()
    assert fails(capsys, folder, "--to", "tevatron", "--output", tmp_path / "out")[0] == 1


def test_a_signal_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    program = (
        "import os, signal\n"
        "from anchormine.export import catalogue\n"
        "from anchormine.pipelines.cli import console\n"
        "catalogue.Catalogue.judgements = lambda *_: os.kill(os.getpid(), signal.SIGTERM)\n"
        "console()\n"
    )
    command = ["export", str(folder), "--to", "trec", "--output", str(tmp_path / "out"), "--progress", "none"]
    done = subprocess.run([sys.executable, "-c", program, *command], capture_output=True, text=True)
    assert done.stderr == "anchormine: interrupted; nothing was published\n"
    assert done.returncode == 128 + signal.SIGTERM
    assert [path.name for path in tmp_path.iterdir()] == ["reef"]


@pytest.mark.parametrize("told", ["database or disk is full", "disk I/O error"])
def test_a_full_disk_for_what_is_looked_up(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    def refuse(*_: object) -> None:
        raise sqlite3.OperationalError(told)

    monkeypatch.setattr("anchormine.export.catalogue.Catalogue.judgements", refuse)
    out = tmp_path / "out"
    assert fails(capsys, folder, "--to", "trec", "--output", out) == (
        1,
        f"{out}: cannot be written ({told}); give another --output",
    )
    assert [path.name for path in tmp_path.iterdir()] == ["reef"]


def test_a_half_written_folder_is_refused(folder: Path, capsys: pytest.CaptureFixture) -> None:
    (folder / "manifest.json").rename(folder / "manifest.json.new")
    status, line = fails(capsys, folder, "--to", "beir")
    assert status == 2
    assert line.startswith(f"{folder}: no manifest.json here, so no dataset folder; make a new folder with")
    (folder / "manifest.json").write_text('{"schema_version": "1", "st')
    status, line = fails(capsys, folder, "--to", "beir")
    assert status == 1
    assert line.startswith(f"{folder}/manifest.json: no manifest of anchormine")


def test_ids_with_spaces_tabs_and_quotes(tmp_path: Path) -> None:
    """They are written so that they can be read back, and that columns are not shifted."""
    pages = [page("1", page_id="my wiki:1"), page("2", page_id='my "wiki\t%:2')]
    rows = [
        pair("qdm", 0, "coral", "1", text_of("1"))._replace(document_id=pages[0].page_id, pair_id="qdm:a b"),
        pair("qdm", 1, "reef", "2", text_of("2"))._replace(document_id=pages[1].page_id),
    ]
    folder = write_dataset(tmp_path / "reef", "pages", rows={"pages": pages, "pairs/qdm": rows})
    for name in ("trec", "beir"):
        output = tmp_path / name
        assert main(["export", str(folder), "--to", name, "--output", str(output), "--progress", "none"]) == 0
        notes = json.loads((output / "export.json").read_text())["notes"]
        assert notes == ['qdm: 3 ids had a space, a tab, a quote or "%", written as "%20" and so on.']
    assert files_of(tmp_path / "trec")["qdm/qrels.train.txt"] == (
        "qdm:a%20b 0 my%20wiki:1 1\nqdm:1 0 my%20%22wiki%09%25:2 1\n"
    )
    assert files_of(tmp_path / "beir")["qdm/qrels/train.tsv"] == (
        "query-id\tcorpus-id\tscore\nqdm:a%20b\tmy%20wiki:1\t1\nqdm:1\tmy%20%22wiki%09%25:2\t1\n"
    )
    corpus = files_of(tmp_path / "beir")["qdm/corpus.jsonl"].splitlines()
    assert [json.loads(line)["_id"] for line in corpus] == ["my%20wiki:1", "my%20%22wiki%09%25:2"]


def test_an_empty_id_names_its_row(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    rows = [pair("qdm", n, "coral", "1", text_of("1")) for n in range(3)]
    rows[2] = rows[2]._replace(document_id="")
    folder = write_dataset(tmp_path / "reef", "pages", rows={"pairs/qdm": rows})
    assert fails(capsys, folder, "--to", "dpr") == (
        1,
        f"{folder}/pairs/qdm, split train, row 3: has an empty id; run the step that wrote it again",
    )


def test_every_end_of_line_becomes_a_space(tmp_path: Path) -> None:
    breaks = ("\t", "\n", "\r\n", "\v", "\f", "\x85", "\u2028", "\u2029", "\x1c", "\x1e")
    texts = [f"left{mark}right {number}" for number, mark in enumerate(breaks)]
    rows = [pair("qdm", n, text, "1", text) for n, text in enumerate(texts)]
    folder = write_dataset(tmp_path / "reef", "pages", rows={"pairs/qdm": rows})
    output = tmp_path / "out"
    command = ["export", str(folder), "--to", "msmarco", "--output", str(output), "--progress", "none"]
    assert main(command) == 0
    files = files_of(output)
    expected = [f"{number}\tleft right {number}" for number in range(len(breaks))]
    assert files["qdm/collection.tsv"].splitlines() == expected
    assert files["qdm/queries.tsv"].splitlines() == expected
    notes = json.loads((output / "export.json").read_text())["notes"]
    assert "qdm: 20 texts had tabs or ends of lines; each is a space now." in notes


def test_anchors_of_pages_that_are_not_there_are_counted(tmp_path: Path) -> None:
    """ClueWeb22's in-links come from pages whose text is not in the folder."""
    links = [
        link("9#i0", "reefs", "reefs", None, "reefs", "2"),
        link("1#a0", "reefs", "Coral builds reefs.", 0, "reefs", "2"),
    ]
    folder = write_dataset(tmp_path / "reef", "pages", rows={"anchors": links})
    output = tmp_path / "out"
    assert main(["export", str(folder), "--to", "kilt", "--output", str(output), "--progress", "none"]) == 0
    funnel = {row["unit"]: row for row in json.loads((output / "export.json").read_text())["funnel"]}
    assert (funnel["anchors"]["written"], funnel["anchors"]["rejected"]) == (1, {"no_page": 1})


def test_links_are_found_whatever_the_ranges(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []
    for size in (1, 3, 200_000):
        monkeypatch.setattr("anchormine.export.links_by_page.LINKS_PER_RANGE", size)
        output = tmp_path / f"of-{size}"
        for name in ("kilt", "anchors-by-destination"):
            target = output / name
            assert (
                main(["export", str(folder), "--to", name, "--output", str(target), "--progress", "none"])
                == 0
            )
        written.append(files_of(output))
    assert written[0] == written[1] == written[2]


def test_shards_are_cut_by_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [pair("qdm", n, f"query {n}", "1", text_of("1")) for n in range(50)]
    folder = write_dataset(tmp_path / "reef", "pages", shard_rows=7, rows={"pairs/qdm": rows})
    monkeypatch.setattr("anchormine.export.parquet_files.ROW_GROUP_ROWS", 10)
    monkeypatch.setattr("anchormine.export.parquet_files.SHARD_BYTES", 1)
    monkeypatch.setattr("anchormine.export.text_tuples._ROWS_AT_ONCE", 5)
    output = tmp_path / "out"
    command = ["export", str(folder), "--to", "pylate", "--output", str(output), "--progress", "none"]
    assert main(command) == 0
    assert sorted(path.name for path in (output / "qdm").iterdir()) == [
        f"train-{n:05d}-of-00005.parquet" for n in range(5)
    ]
    assert [row["query"] for row in rows_of(output, "qdm/*")] == [f"query {n}" for n in range(50)]


def test_clueweb22_is_warned_of(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["steps"]["clueweb22"] = {**manifest["steps"].pop("wiki"), "command": "anchormine clueweb22"}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    warned = {}
    for name in ("dpr", "ids-only"):
        output = tmp_path / name
        assert main(["export", str(folder), "--to", name, "--output", str(output), "--progress", "none"]) == 0
        warned[name] = "ClueWeb22's text stays with those who have signed" in capsys.readouterr().err
        assert ("ClueWeb22's text stays" in (output / "README.md").read_text()) == warned[name]
    assert warned == {"dpr": True, "ids-only": False}


def test_what_does_not_add_up_is_not_published(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(self: ExportJob, unit: str, reason: str | None, rows: int = 1) -> None:
        self._funnel.setdefault(unit, __import__("collections").Counter())["read"] += rows

    monkeypatch.setattr(ExportJob, "count", lose)
    status, line = fails(capsys, folder, "--to", "dpr", "--task", "qdm", "--output", tmp_path / "out")
    assert status == 1
    assert line.startswith("export: 1 pairs-qdm read, but 0 accounted for; nothing was published")
    assert not (tmp_path / "out").exists()


def test_a_copy_of_the_folder_gives_the_same(folder: Path, tmp_path: Path) -> None:
    """Nothing that is written says where the folder is."""
    copy = Path(shutil.copytree(folder, tmp_path / "elsewhere"))
    outputs = [tmp_path / "one", tmp_path / "two"]
    for source, output in zip((folder, copy), outputs, strict=True):
        command = ["export", str(source), "--to", "msmarco", "--output", str(output), "--progress", "none"]
        assert main(command) == 0
    assert (outputs[0] / "README.md").read_text() == (outputs[1] / "README.md").read_text()
