"""Numbers beyond what can be counted or held are refused as those below 1 are."""

from __future__ import annotations

import os

import pytest

from anchormine.pipelines.cli import main
from anchormine.pipelines.mining_options import workers
from tests.export.export_folders import write_dataset

HUGE = "9223372036854775808"
MANY = "argument {}: 9223372036854775808: give {} or less (see `anchormine {} --help`)"


@pytest.mark.parametrize(
    ("command", "option", "most"),
    [
        ("wiki w.xml --output out", "--limit", "1,000,000,000,000,000"),
        ("web w.warc --output out", "--limit", "1,000,000,000,000,000"),
        ("web w.warc --output out", "--max-payload-bytes", "1,000,000,000,000,000"),
        ("clueweb22 root --output out", "--limit", "1,000,000,000,000,000"),
        ("pairs data --task ict", "--pairs-per-page", "1,000,000,000"),
        ("pairs data --task anchor_document", "--in-links", "1,000,000,000"),
        ("pairs data --task rop", "--word-sets", "1,000,000"),
        ("negatives data --task ict --from bm25", "--depth", "100,000"),
        ("negatives data --task ict --from bm25", "--negatives", "100,000"),
    ],
)
def test_too_many(command: str, option: str, most: str, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*command.split(), option, HUGE]) == 2
    told = MANY.format(option, most, command.partition(" ")[0])
    assert capsys.readouterr() == ("", f"anchormine: {told}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("cores", "most"), [(2, 64), (8, 64), (96, 768), (None, 64)])
def test_too_many_workers(cores: int | None, most: int, monkeypatch, capsys) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert workers(str(most)) == most
    assert main(["web", "w.warc", "--output", "out", "--workers", str(most + 1)]) == 2
    told = f"argument --workers: {most + 1}: give {most} or less (see `anchormine web --help`)"
    assert capsys.readouterr() == ("", f"anchormine: {told}\n")


@pytest.mark.parametrize("option", ["--max-steps", "--epochs", "--batch-size", "--save-every"])
def test_too_many_in_a_training(option: str, tmp_path, capsys) -> None:
    command = ["train", "encoder", "data", "--output", str(tmp_path / "model"), option, HUGE]
    assert main(command) == 2
    told = f"{option} {HUGE}: must be from 1 to 1000000000"
    assert capsys.readouterr() == ("", f"anchormine: {told}\n")


def test_too_few(tmp_path, capsys) -> None:
    assert main(["wiki", "w.xml", "--output", str(tmp_path), "--limit", "0"]) == 2
    told = "argument --limit: 0: give 1 or more (see `anchormine wiki --help`)"
    assert capsys.readouterr() == ("", f"anchormine: {told}\n")


def test_no_rejects(tmp_path, capsys) -> None:
    assert main(["rejects", str(write_dataset(tmp_path / "reef", "pages")), "--limit", "0"]) == 2
    assert capsys.readouterr() == ("", "anchormine: --limit 0: give 1 or more\n")


@pytest.mark.parametrize("command", ["wiki w.xml", "web w.warc", "clueweb22 tree", "harp w.jsonl"])
def test_a_blank_licence(command: str, tmp_path, capsys) -> None:
    assert main([*command.split(), "--output", str(tmp_path / "out"), "--licence", " "]) == 2
    told = "argument --licence: ' ': names nothing; give a value, or leave the option out"
    step = command.partition(" ")[0]
    assert capsys.readouterr() == ("", f"anchormine: {told} (see `anchormine {step} --help`)\n")
