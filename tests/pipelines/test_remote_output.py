"""A whole run on a file system without folders: it is given its options, and nothing is left behind."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest
from apache_beam.io.filesystem import FileMetadata

from anchormine.pipelines.cli import main
from anchormine.schemas.pairs import HARP_TASKS
from anchormine.transforms import files
from tests.pipelines.command_runs import DEMO, QUIET
from tests.transforms.memory_files import ACCOUNTS, FAILURES, FILES, MemoryFileSystem

DUMP, OUT = "mem://bucket/wiki.xml", "mem://bucket/out"


@pytest.fixture(autouse=True)
def store() -> Iterator[None]:
    FILES.clear()
    FAILURES.clear()
    FILES[DUMP] = (DEMO / "wiki.xml").read_bytes()
    ACCOUNTS.clear()
    yield
    FILES.clear()


def names() -> set[str]:
    return {path.removeprefix(f"{OUT}/") for path in FILES if path != DUMP}


FOLDER = {
    "ATTRIBUTION.md",
    "README.md",
    "anchors/train-00000-of-00001.parquet",
    "croissant.json",
    "manifest.json",
    "pages/train-00000-of-00001.parquet",
    "rejects/wiki/train-00000-of-00001.parquet",
}


def test_options_are_known_before_anything_is_planned() -> None:
    assert main(["wiki", DUMP, "--output", OUT, "--memory_account=mine", *QUIET]) == 0
    assert set(ACCOUNTS) == {"mine"}
    assert {name for name in names() if not name.startswith("stats/")} == FOLDER


def test_a_store_that_does_not_answer_is_named(capsys, monkeypatch) -> None:
    listed, answered = MemoryFileSystem._list, Event()

    def late(self: MemoryFileSystem, prefix: str) -> Iterator[FileMetadata]:
        answered.wait(3.0)
        return listed(self, prefix)

    monkeypatch.setattr(MemoryFileSystem, "_list", late)
    monkeypatch.setattr(files, "_PATIENCE_SECONDS", 1.0)  # more than a busy machine takes
    assert main(["wiki", DUMP, "--output", OUT, "--dry-run", *QUIET]) == 0
    assert set(capsys.readouterr().err.splitlines()) == {
        f"anchormine: {OUT}: no answer after 1 seconds, still asking; "
        "see that the credentials and options of mem:// are right"
    }
    answered.set()
    monkeypatch.setattr(files, "_PATIENCE_SECONDS", 60.0)
    assert main(["wiki", DUMP, "--output", OUT, "--dry-run", *QUIET]) == 0
    assert capsys.readouterr().err == ""


def test_pairs_and_rejects(capsys, tmp_path) -> None:
    local = tmp_path / "out"
    for dump, out in ((DUMP, OUT), (str(DEMO / "wiki.xml"), str(local))):
        assert main(["wiki", dump, "--output", out, *QUIET]) == 0
        assert main(["pairs", out, "--weights", "uniform", *QUIET]) == 0
    printed = []
    for out in (OUT, str(local)):
        capsys.readouterr()
        assert main(["rejects", out]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert {line.partition("\t")[0] for line in printed[0].splitlines()} == {"wiki", "pairs"}
    shards = {name: data for name, data in FILES.items() if name.endswith(".parquet")}
    assert {
        f"{OUT}/{path.relative_to(local)}": path.read_bytes() for path in local.rglob("*.parquet")
    } == shards
    assert {f"pairs/{task}" for task in HARP_TASKS} < {
        name.removeprefix(f"{OUT}/").rpartition("/")[0] for name in shards
    }


@pytest.mark.parametrize("command", [["pairs", "--weights", "uniform", *QUIET], ["rejects"]])
def test_no_dataset_there(command: list[str], capsys) -> None:
    assert main([command[0], OUT, *command[1:]]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: {OUT}: no manifest.json here, so no dataset folder; make a new folder with "
        "`anchormine wiki DUMP --output FOLDER`, or with `anchormine web` of a crawl\n"
    )
    assert names() == set()


def test_rejects_takes_options_of_the_file_system(capsys) -> None:
    assert main(["wiki", DUMP, "--output", OUT, *QUIET]) == 0
    ACCOUNTS.clear()
    assert main(["rejects", OUT, "--limit", "1", "--memory_account=mine"]) == 0
    assert set(ACCOUNTS) == {"mine"}
    assert main(["rejects", OUT, "--memory_acount=mine"]) == 2
    assert "unknown option --memory_acount; did you mean --memory_account?" in capsys.readouterr().err


def test_the_options_of_one_command_are_not_those_of_the_next() -> None:
    assert main(["wiki", DUMP, "--output", OUT, "--memory_account=mine", "--dry-run", *QUIET]) == 0
    ACCOUNTS.clear()
    assert main(["wiki", DUMP, "--output", OUT, "--dry-run", *QUIET]) == 0
    assert set(ACCOUNTS) == {None}


def test_nothing_is_left_of_a_failed_run() -> None:
    FILES[DUMP] = b"<mediawiki></mediawiki>"
    assert main(["wiki", DUMP, "--output", OUT, *QUIET]) == 1
    assert names() == set()


def test_what_an_interrupted_run_left_is_removed() -> None:
    FILES[f"{OUT}/.anchormine-wiki-0/pages/a.arrow"] = b"rest"
    assert main(["wiki", DUMP, "--output", OUT, *QUIET]) == 0
    assert {name for name in names() if not name.startswith("stats/")} == FOLDER


def test_something_else_in_the_folder(capsys) -> None:
    FILES[f"{OUT}/notes.txt"] = b"mine"
    assert main(["wiki", DUMP, "--output", OUT, *QUIET]) == 2
    assert "is not empty (notes.txt)" in capsys.readouterr().err
    assert names() == {"notes.txt"}


@pytest.mark.parametrize("name", ["out[1]", "out*", "out?"])
def test_an_output_that_would_be_a_pattern(name: str, capsys) -> None:
    FILES["mem://bucket/out1/notes.txt"] = b"mine"
    before = dict(FILES)
    assert main(["wiki", DUMP, "--output", f"mem://bucket/{name}", *QUIET]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: mem://bucket/{name}: an output folder there cannot have *, ? or [ in its name, which "
        "stand for patterns; give another folder\n"
    )
    assert before == FILES


def test_an_input_whose_name_has_brackets(capsys) -> None:
    FILES["mem://bucket/wiki[1].xml"] = FILES[DUMP]
    FILES["mem://bucket/wiki1.xml"] = b""
    command = ["wiki", "mem://bucket/wiki[1].xml", "--output", OUT, "--dry-run", *QUIET]
    assert main(command) == 0
    assert "input   mem://bucket/wiki[1].xml (" in capsys.readouterr().out
    del FILES["mem://bucket/wiki[1].xml"]
    assert main(command) == 1  # now it is a pattern, of an empty file
    assert "mem://bucket/wiki1.xml: an empty file" in capsys.readouterr().err
