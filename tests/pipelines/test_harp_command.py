"""`anchormine harp`: HARP's JSON lines as a dataset folder."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.pipelines.command_runs import QUIET, checksums, funnel, main, read_table

LINES = [
    {
        "sentence": "Alaska was sold by Russia .",
        "tokenized_sentence": ["Alaska", "was", "sold", "by", "Russia", "."],
        "anchors": [
            [{"text": "alaska", "pos": [0, 0], "passage": "Alaska is a state."}],
            [{"text": "russia", "pos": [4, 4], "passage": "Russia is a country."}],
        ],
    },
    {
        "sentence": "Miners came to Alaska .",
        "tokenized_sentence": ["Miners", "came", "to", "Alaska", "."],
        "anchors": [
            [{"text": "Alaska", "pos": [3, 3], "passage": "Alaska is a state."}],
            [{"text": "gold", "pos": [1, 0], "passage": "Gold is a metal."}],
        ],
    },
]


def write_lines(path: Path, lines: list) -> Path:
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return path


def test_rows_and_funnel(tmp_path, capsys):
    source = write_lines(tmp_path / "small.json", [LINES[0], "", "{broken", LINES[1]])
    out = tmp_path / "out"
    assert main(["harp", str(source), "--output", str(out), *QUIET]) == 0
    assert "1 unreadable lines; the first: line 3: not JSON" in capsys.readouterr().err
    anchors = [
        (row["anchor_id"], row["sentence"][row["start"] : row["end"]], row["sentence_id"], row["target"])
        for row in read_table(out, "anchors")
    ]
    assert anchors == [
        ("harp:small.json:1#a0", "Alaska", "harp:small.json:1#s0", "alaska"),
        ("harp:small.json:1#a1", "Russia", "harp:small.json:1#s0", "russia"),
        ("harp:small.json:4#a0", "Alaska", "harp:small.json:4#s0", "Alaska"),
    ]
    pages = {row["page_id"]: row["lead"] for row in read_table(out, "pages")}
    assert sorted(pages.values()) == ["Alaska is a state.", "Russia is a country."]
    leads = [pages[row["destination_page_id"]] for row in read_table(out, "anchors")]
    assert leads == ["Alaska is a state.", "Russia is a country.", "Alaska is a state."]
    units = funnel(out, "harp")
    assert {
        unit: (row["read"], row["written"], row["rejected"], row["unreadable"]) for unit, row in units.items()
    } == {
        "files": (1, 1, {}, 0),
        "sentences": (3, 2, {}, 1),
        "links": (4, 3, {"inverted_span": 1}, 0),
        "pages": (3, 2, {"repeated": 1}, 0),
    }
    (entry,) = json.loads((out / "manifest.json").read_text())["steps"]["harp"]["inputs"]
    assert entry["verdict"] == "damaged"
    assert [place["offset"] for place in entry["places"]] == [3]


def test_rejects_are_printed(tmp_path, capsys):
    source = write_lines(tmp_path / "small.json", [*LINES, "{broken"])
    assert main(["harp", str(source), "--output", str(tmp_path / "out"), *QUIET]) == 0
    capsys.readouterr()
    assert main(["rejects", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "harp\tinverted_span\tlinks\tharp:small.json:2#a1\tsmall.json@line 2\tgold\t1",
        "harp\tunreadable\tsentences\t\tsmall.json@line 3\t{broken\t1",
    ]
    assert main(["rejects", str(tmp_path / "out"), "--step", "harp", "--reason", "unreadable", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["excerpt"] == "{broken\n"
    assert main(["rejects", str(tmp_path / "out"), "--step", "wiki"]) == 2
    assert "--step wiki" in capsys.readouterr().err


def test_many_lines_without_links_lose_nothing(tmp_path):
    alone = {"sentence": "Nothing here .", "tokenized_sentence": ["Nothing", "here", "."], "anchors": []}
    source = write_lines(tmp_path / "long.json", [*[alone] * 4001, LINES[0], *[alone] * 2500, LINES[1]])
    assert main(["harp", str(source), "--output", str(tmp_path / "out"), *QUIET]) == 0
    assert funnel(tmp_path / "out", "harp")["sentences"]["read"] == 6503
    assert len(read_table(tmp_path / "out", "anchors")) == 3


def test_limit(tmp_path):
    source = write_lines(tmp_path / "small.json", LINES)
    assert main(["harp", str(source), "--output", str(tmp_path / "out"), "--limit", "1", *QUIET]) == 0
    assert funnel(tmp_path / "out", "harp")["sentences"]["read"] == 1


@pytest.mark.parametrize(
    ("text", "status", "message"),
    [("", 1, "an empty file"), ("no JSON\n", 1, "no line is HARP's JSON"), (None, 2, "no such file")],
)
def test_nothing_is_published_of_bad_files(tmp_path, text, status, message, capsys):
    source = tmp_path / "bad.json"
    if text is not None:
        source.write_text(text)
    assert main(["harp", str(source), "--output", str(tmp_path / "out"), *QUIET]) == status
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1
    assert not list((tmp_path / "out").rglob("*.*")) if (tmp_path / "out").exists() else True


@pytest.mark.data
@pytest.mark.skipif("ANCHORMINE_DATA" not in os.environ, reason="ANCHORMINE_DATA names no folder")
def test_demo_corpus_in_worker_processes(tmp_path):
    source = Path(os.environ["ANCHORMINE_DATA"]) / "peers" / "harp" / "demo_data.txt"
    for workers in "12":
        out = tmp_path / workers
        options = ("--progress", "none", "--workers", workers)
        assert main(["harp", str(source), "--output", str(out), *options]) == 0
        assert funnel(out, "harp")["links"] == {
            "step": "harp", "unit": "links", "read": 100, "written": 100, "rejected": {}, "unreadable": 0,
        }  # fmt: skip
        assert len(read_table(out, "pages")) == 98
    assert checksums(tmp_path / "1") == checksums(tmp_path / "2")
