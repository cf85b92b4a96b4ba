"""The most frequent texts of a folder, written for a person to tick, and taken as keywords."""

from __future__ import annotations

import errno
import json
import os
from io import BytesIO
from pathlib import Path

import pytest

from anchormine.pipelines import filter_source, suggestion_file
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.transforms.count_anchors import MostFrequent, most_frequent
from tests.filters.anchor_folders import link, write_folder
from tests.filters.filter_folder import RULES_ONLY, SUGGESTED, kept, refused
from tests.pipelines.command_runs import DEMO, QUIET, checksums, main, run_demo_wiki


def test_texts_of_whole_pages_are_not_suggested(tmp_path: Path) -> None:
    texts = ["word" * 60_000, "w" * 1001, "w" * 1000]
    folder = write_folder(tmp_path / "folder", [link(number, text) for number, text in enumerate(texts)])
    assert main(["filter", str(folder), *QUIET, "--suggest-keywords"]) == 0
    assert (folder / "stats" / "keywords.tsv").read_text() == (
        f"keyword\tlanguage\tcount\tanchor\n\ten\t1\t{'w' * 1000}\n"
    )


def test_the_most_frequent_texts_are_the_same_however_they_are_divided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One slice and one bucket, or many of both: of each language the most frequent, by count, then text."""
    counts = {"en": {"pier": 5, "quay": 3, "mole": 3, "wall": 2}, "de": {"kai": 4, "bucht": 1, "arm": 1}}
    texts = [(text, code) for code, found in counts.items() for text in found for _ in range(found[text])]
    anchors = [link(number, text, language=code) for number, (text, code) in enumerate(texts)]
    tables = []
    for name, rows, buckets in (("one", 1000, 1), ("many", 2, 7)):
        monkeypatch.setattr(filter_source, "ROWS_PER_SLICE", rows)
        monkeypatch.setattr("anchormine.pipelines.keyword_suggestions.string_buckets", lambda _, n=buckets: n)
        folder = write_folder(tmp_path / name, anchors)
        assert main(["filter", str(folder), *QUIET, "--suggest-keywords", "2"]) == 0
        tables.append((folder / "stats" / "keywords.tsv").read_text())
    assert (
        tables
        == ["keyword\tlanguage\tcount\tanchor\n\tde\t4\tkai\n\tde\t1\tarm\n\ten\t5\tpier\n\ten\t3\tmole\n"]
        * 2
    )


def test_texts_of_many_bundles_are_counted_together() -> None:
    """A runner may add up its bundles' most frequent texts in any order, and in parts."""
    parts = [
        [((code, f"{code} {n}"), n % 5) for n in range(part, 40, 4)]
        for part in range(4)
        for code in ("en", "de")
    ]
    everything = most_frequent([item for part in parts for item in part], 3)
    frequent = MostFrequent(3)
    assert [count for _, count in everything] == [4, 4, 4, 4, 4, 4]
    for order in (parts, parts[::-1]):
        accumulators = [frequent.add_input(frequent.create_accumulator(), part) for part in order]
        halves = [frequent.merge_accumulators(accumulators[start::2]) for start in (0, 1)]
        assert frequent.merge_accumulators(halves) == everything
    assert frequent.extract_output(everything)[0] == ("de", "de 14", 4)


def test_suggested_keywords_are_ticked_and_taken(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    texts = ["Old pier"] * 5 + ["old PIER!"] * 2 + ["Home"] * 4 + ["Rare"]
    anchors = [link(number, text) for number, text in enumerate(texts)]
    anchors += [link(20 + number, "Drucken", language="de") for number in range(3)]
    folder = write_folder(tmp_path / "folder", anchors)
    before = checksums(folder)
    assert main(["filter", str(folder), *QUIET, "--suggest-keywords", "2"]) == 0
    path = folder / "stats" / "keywords.tsv"
    assert capsys.readouterr().out == f"{path}\n"
    assert path.read_text() == (
        "keyword\tlanguage\tcount\tanchor\nx\tde\t3\tdrucken\n\ten\t7\told pier\nx\ten\t4\thome\n"
    )
    assert checksums(folder).items() - before.items() == {
        ("stats/keywords.tsv", checksums(folder)["stats/keywords.tsv"])
    }
    path.write_text(path.read_text().replace("\n\ten\t7", "\nx\ten\t7"))
    assert main(["filter", str(folder), *RULES_ONLY, "--keywords", str(path)]) == 0
    assert kept(folder) == ["11"]
    elsewhere = str(tmp_path / "mine.tsv")
    more = ["--suggest-keywords", "--suggestions", elsewhere, "--language", "de", "--json", "--workers", "2"]
    assert main(["filter", str(folder), "--progress", "none", *more]) == 0
    assert Path(elsewhere).read_text().splitlines()[1] == "\tde\t7\told pier"


TICKED = "keyword\tlanguage\tcount\tanchor\nx\ten\t9\tAnnual report\n\ten\t9\tour shop\n"
DE, REPORT, MORE = "de weiterlesen", "en annual report", "en read more"
OWN_FILES = {
    "plain.txt": "Annual report\n",
    "ticked.tsv": TICKED,
    "file.toml": '[keywords]\nfile = "ticked.tsv"\n',
    "none.toml": '[keywords]\nlists = "none"\nfile = "plain.txt"\n',
    "english.toml": '[keywords]\nlists = "english"\n',
    "quoted.txt": '"Annual report"\n',
    "early.toml": 'rules = ["keywords", "cleaning"]\n',
    "without.toml": 'rules = ["cleaning"]\n',
}


@pytest.mark.parametrize(
    ("options", "ticked"),
    [
        ([], [DE, MORE]),
        (["--keywords", "plain.txt"], [DE, REPORT, MORE]),
        (["--keywords", "ticked.tsv"], [DE, REPORT, MORE]),
        (["--rules", "file.toml"], [DE, REPORT, MORE]),
        (["--rules", "none.toml"], [REPORT]),
        (["--rules", "english.toml"], [MORE]),
        (["--rules", "anchor-dr-code", "--keywords", "quoted.txt"], [REPORT, MORE]),
        (["--rules", "early.toml", "--keywords", "quoted.txt"], [DE, REPORT, MORE]),
        (["--rules", "without.toml"], [DE, MORE]),
    ],
)
def test_suggestions_are_ticked_by_the_keywords_of_the_run(
    folder: Path, options: list[str], ticked: list[str]
) -> None:
    for name, text in OWN_FILES.items():
        (folder.parent / name).write_text(text)
    given = [str(folder.parent / word) if word in OWN_FILES else word for word in options]
    assert main(["filter", str(folder), *QUIET, "--suggest-keywords", *given]) == 0
    rows = [line.split("\t") for line in (folder / "stats" / "keywords.tsv").read_text().splitlines()[1:]]
    assert len(rows) == 8
    assert [f"{language} {text}" for tick, language, _, text in rows if tick] == ticked


def test_a_table_is_made_anew_with_what_is_ticked_in_it(folder: Path) -> None:
    path = folder / "stats" / "keywords.tsv"
    command = ["filter", str(folder), *QUIET, "--suggest-keywords"]
    assert main(command) == 0
    ticked = path.read_text().replace("\ten\t2\tannual report\n", "x\ten\t2\tannual report\n")
    path.write_text(ticked)
    assert main([*command, "--keywords", str(path), "--overwrite"]) == 0
    assert path.read_text() == ticked


@pytest.mark.parametrize(
    ("arguments", "rows"),
    [
        (["--suggest-keywords", "DIR"], 8),
        (["--suggest-keywords", "1", "DIR"], 2),
        (["--limit", "3", "DIR", "--suggest-keywords", "9"], 2),
        (["DIR", "--suggest-keywords"], 8),
    ],
)
def test_ways_to_ask_for_suggestions(folder: Path, arguments: list[str], rows: int) -> None:
    assert main(["filter", *QUIET, *(str(folder) if word == "DIR" else word for word in arguments)]) == 0
    assert len((folder / "stats" / "keywords.tsv").read_text().splitlines()) == 1 + rows


FIRST = "keyword\tlanguage\tcount\tanchor\n\tde\t1\tweiterlesen\n\ten\t2\tannual report\n"


def test_a_ticked_table_is_not_replaced_unasked(folder: Path, capsys: pytest.CaptureFixture) -> None:
    path = folder / "stats" / "keywords.tsv"
    assert main(["filter", str(folder), *QUIET, *SUGGESTED]) == 0
    assert path.read_text() == FIRST.replace("\tde", "x\tde")
    ticked = FIRST.replace("\ten", "x\ten")
    path.write_text(ticked, encoding="utf-8-sig", newline="\r\n")  # as some editors save it
    before = checksums(folder)
    capsys.readouterr()
    for more in ([], ["--dry-run"]):
        assert main(["filter", str(folder), *QUIET, *SUGGESTED, *more]) == 2
        assert refused(capsys) == (
            f"{path}: is there already; give --overwrite to replace it with all that is ticked in it, "
            "--resume to keep it, or --suggestions another file"
        )
    assert main(["filter", str(folder), *QUIET, *SUGGESTED, "--resume", "--overwrite"]) == 2
    assert refused(capsys) == "--overwrite and --resume: give one of them"
    assert main(["filter", str(folder), *QUIET, *SUGGESTED, "--resume"]) == 0
    assert capsys.readouterr() == ("", f"{path}: is there already\n")
    assert main(["filter", str(folder), *QUIET, *SUGGESTED, "--resume", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"keywords": str(path)}
    assert checksums(folder) == before
    assert main(["filter", str(folder), *QUIET, *SUGGESTED, "--overwrite"]) == 0
    assert path.read_text() == FIRST.replace("\tde", "x\tde")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("manifest.json", "is there already, and is no table of suggested keywords"),
        ("README.md", "is there already, and is no table of suggested keywords"),
        ("anchors/train-00000-of-00001.parquet", "is there already, and is no table of suggested keywords"),
        ("stats", "is a folder; give --suggestions a file"),
        ("new/", "is a folder; give --suggestions a file"),
        ("manifest.json/keywords.tsv", "cannot be written ("),
    ],
)
def test_suggestions_go_where_nothing_else_is(
    folder: Path, name: str, message: str, capsys: pytest.CaptureFixture
) -> None:
    assert main(["filter", str(folder), *RULES_ONLY]) == 0
    before = checksums(folder)
    for more in ([], ["--overwrite"], ["--resume"]):
        capsys.readouterr()
        place = ["--suggestions", f"{folder}/{name}"]
        assert main(["filter", str(folder), *QUIET, *SUGGESTED, *place, *more]) == 2
        assert refused(capsys).startswith(f"{folder}/{name.rstrip('/')}: {message}")
    assert checksums(folder) == before


def test_suggestions_elsewhere_leave_the_dataset_alone(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which may be one that cannot be written to: work goes on beside the table."""
    before, worked = checksums(folder), []
    open_scratch = OutputFolder.open_scratch

    def recorded(self: OutputFolder, step: str) -> str:
        worked.append(self.path)
        return open_scratch(self, step)

    monkeypatch.setattr(OutputFolder, "open_scratch", recorded)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    for given in ("k.tsv", str(tmp_path / "l.tsv")):
        assert main(["filter", str(folder), *QUIET, "--suggest-keywords", "--suggestions", given]) == 0
    assert worked == [str(tmp_path)] * 2
    assert (tmp_path / "k.tsv").read_text() == (tmp_path / "l.tsv").read_text()
    assert checksums(folder) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [folder.name, "k.tsv", "l.tsv", "notes.txt"]


def test_one_keyword_in_turkish_capitals_is_one_row(tmp_path: Path) -> None:
    texts = ["İstanbul", "istanbul", "İSTANBUL"]
    folder = write_folder(tmp_path / "folder", [link(number, text) for number, text in enumerate(texts)])
    assert main(["filter", str(folder), *QUIET, "--suggest-keywords"]) == 0
    assert (folder / "stats" / "keywords.tsv").read_text() == (
        "keyword\tlanguage\tcount\tanchor\n\ten\t3\tistanbul\n"
    )


class FullDisk(BytesIO):
    """Has room for the trial, which writes nothing."""

    def write(self, _data: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_suggestions_on_a_full_disk(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    command = ["filter", str(folder), *QUIET, *SUGGESTED]
    assert main(command) == 0
    before = checksums(folder)
    capsys.readouterr()

    def create(path: str) -> FullDisk:
        Path(path).touch()
        return FullDisk()

    monkeypatch.setattr(suggestion_file, "create_file", create)
    assert main([*command, "--overwrite"]) == 1
    assert refused(capsys) == (
        f"{folder}/stats/keywords.tsv: cannot be written (No space left on device); nothing was published; "
        "give --suggestions another file, or make room"
    )
    assert checksums(folder) == before


def test_suggestions_in_a_config_file(folder: Path, capsys: pytest.CaptureFixture) -> None:
    config = folder.parent / "filter.toml"
    command = ["filter", str(folder), *RULES_ONLY, "--config", str(config)]
    path = folder / "stats" / "keywords.tsv"
    for value, rows in (("true", 8), ("1", 2)):
        config.write_text(f"suggest-keywords = {value}\noverwrite = true\n")
        assert main(command) == 0
        assert len(path.read_text().splitlines()) == 1 + rows
    capsys.readouterr()
    for value, message in (
        ("0", f"{config}: argument --suggest-keywords: 0: give 1 or more"),
        ("[1, 2]", f"{config}: --suggest-keywords is one value, not [1, 2]"),
        ('"there"', "unexpected argument 'there'"),
    ):
        config.write_text(f"suggest-keywords = {value}\n")
        assert main(command) == 2
        assert refused(capsys) == message
    config.write_text("suggest-keywords = false\n")
    assert main(command) == 0
    assert kept(folder) == ["0", "3", "7", "9"]


def test_suggestions_of_replaced_anchors_are_set_aside(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = run_demo_wiki(tmp_path / "demo")
    made = checksums(folder)
    command = ["wiki", str(DEMO / "wiki.xml"), "--output", str(folder), "--overwrite", *QUIET]
    for number, ticked in ((1, "the first"), (2, "the second")):
        (folder / "stats" / "keywords.tsv").write_text(ticked)
        line = f"stats/keywords.tsv, suggested from its old anchors, is kept as stats/keywords-{number}.tsv"
        capsys.readouterr()
        assert main([*command, "--dry-run"]) == 0
        assert f"\n  removal {line}\n" in capsys.readouterr().out
        assert main([*command, "--dry-run", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["removals"] == [line]
        assert main(command) == 0
        assert capsys.readouterr().err.splitlines()[0] == f"anchormine: {folder}: {line}"
    stats = {path.name: path.read_text() for path in (folder / "stats").glob("keywords*")}
    assert stats == {"keywords-1.tsv": "the first", "keywords-2.tsv": "the second"}
    assert {name: checksums(folder)[name] for name in made} == made
