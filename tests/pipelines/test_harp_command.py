"""`anchormine harp`: HARP's JSON lines as a dataset folder."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from anchormine.datasets import places
from anchormine.transforms import harp_places
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
    lines = source.read_bytes().splitlines(keepends=True)
    unreadable, wrong = entry["places"]
    assert "places_left_out" not in entry
    assert (unreadable["offset"], unreadable["bytes_skipped"]) == (len(lines[0]) + 1, len(lines[2]))
    assert unreadable["reason"].startswith("line 3: not JSON: ")
    assert wrong == {
        "offset": sum(map(len, lines[:3])),
        "bytes_skipped": 0,
        "reason": "line 4: inverted_span of 'gold', which is rejected",
    }


def test_halves_of_characters_are_replaced(tmp_path, capsys):
    """JSON can say one, and no table; characters of two halves are whole."""
    anchor = {"text": "alaska", "pos": [0, 0], "passage": "Alaska \U0001f600 is \ud83d a state."}
    sentence = {**LINES[0], "sentence": "Alaska was sold by Russia \ud83d .", "anchors": [anchor]}
    source = write_lines(tmp_path / "small.json", [sentence])
    out = tmp_path / "out"
    assert main(["harp", str(source), "--output", str(out), *QUIET]) == 0
    assert capsys.readouterr().err == ""
    assert [row["lead"] for row in read_table(out, "pages")] == ["Alaska \U0001f600 is \ufffd a state."]
    assert [row["sentence"] for row in read_table(out, "anchors")] == ["Alaska was sold by Russia \ufffd ."]


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


def test_rejects_of_a_reason_that_there_is_not(tmp_path, capsys):
    source = write_lines(tmp_path / "small.json", [*LINES, "{broken"])
    out = str(tmp_path / "out")
    assert main(["harp", str(source), "--output", out, *QUIET]) == 0
    capsys.readouterr()
    assert main(["rejects", out, "--reason", "nope"]) == 2
    assert main(["rejects", out, "--step", "harp", "--reason", "nope"]) == 2
    known = "has no such reason; it has inverted_span, unreadable"
    assert capsys.readouterr() == (
        "",
        f"anchormine: --reason nope: {out} {known}\nanchormine: --reason nope: {out}, step harp, {known}\n",
    )


def test_many_lines_without_links_lose_nothing(tmp_path):
    alone = {"sentence": "Nothing here .", "tokenized_sentence": ["Nothing", "here", "."], "anchors": []}
    source = write_lines(tmp_path / "long.json", [*[alone] * 4001, LINES[0], *[alone] * 2500, LINES[1]])
    assert main(["harp", str(source), "--output", str(tmp_path / "out"), *QUIET]) == 0
    assert funnel(tmp_path / "out", "harp")["sentences"]["read"] == 6503
    assert len(read_table(tmp_path / "out", "anchors")) == 3


def test_wrong_places_do_no_damage(tmp_path, capsys):
    source = write_lines(tmp_path / "small.json", LINES)
    assert main(["harp", str(source), "--output", str(tmp_path / "out"), "--strict", *QUIET]) == 0
    assert capsys.readouterr().err == (
        f"anchormine: {source}: 1 anchors are not at the place that is given (see manifest.json)\n"
    )
    (entry,) = json.loads((tmp_path / "out" / "manifest.json").read_text())["steps"]["harp"]["inputs"]
    assert (entry["verdict"], len(entry["places"])) == ("complete", 1)


def test_places_are_capped_and_counted(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(places, "MAX_PLACES", 3)
    source = write_lines(tmp_path / "small.json", [*["{broken"] * 5, *[LINES[1]] * 4])
    assert main(["harp", str(source), "--output", str(tmp_path / "out"), *QUIET]) == 0
    assert capsys.readouterr().err.splitlines() == [
        f"anchormine: {source}: 5 unreadable lines; the first: line 1: not JSON: Expecting property name "
        "enclosed in double quotes: line 1 column 2 (char 1)",
        f"anchormine: {source}: 4 anchors are not at the place that is given (see manifest.json)",
    ]
    (entry,) = json.loads((tmp_path / "out" / "manifest.json").read_text())["steps"]["harp"]["inputs"]
    assert [place["reason"][:6] for place in entry["places"]] == [f"line {n}" for n in (1, 2, 3, 6, 7, 8)]
    assert entry["places_left_out"] == 3
    units = funnel(tmp_path / "out", "harp")
    assert units["sentences"]["unreadable"] == 5
    assert units["links"]["rejected"] == {"inverted_span": 4}


def test_a_file_without_any_of_its_lines(tmp_path, capsys):
    files = [write_lines(tmp_path / name, lines) for name, lines in (("a", LINES), ("b", ["no"]), ("c", []))]
    assert main(["harp", *map(str, files), "--output", str(tmp_path / "out"), "--strict", *QUIET]) == 3
    assert capsys.readouterr().err.splitlines()[1:] == [
        f"anchormine: {files[1]}: unreadable: line 1: not JSON: Expecting value: line 1 column 1 (char 0)",
        f"anchormine: {files[2]}: unreadable: an empty file",
    ]
    inputs = json.loads((tmp_path / "out" / "manifest.json").read_text())["steps"]["harp"]["inputs"]
    assert [entry["verdict"] for entry in inputs] == ["complete", "unreadable", "unreadable"]
    files_row = funnel(tmp_path / "out", "harp")["files"]
    assert (files_row["read"], files_row["written"], files_row["unreadable"]) == (3, 1, 2)


def test_a_line_too_long_is_one_unreadable_line(tmp_path, monkeypatch):
    monkeypatch.setattr(harp_places, "MAX_LINE_BYTES", 2000)
    long = {**LINES[0], "sentence": "x" * 9000}
    source = write_lines(tmp_path / "small.json", [LINES[0], long, LINES[1]])
    assert main(["harp", str(source), "--output", str(tmp_path / "out"), *QUIET]) == 0
    (entry,) = json.loads((tmp_path / "out" / "manifest.json").read_text())["steps"]["harp"]["inputs"]
    lines = source.read_bytes().splitlines(keepends=True)
    assert (entry["places"][0]["offset"], entry["places"][0]["bytes_skipped"]) == (
        len(lines[0]),
        len(lines[1]),
    )
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
    assert not (tmp_path / "out").exists()


def test_files_of_equal_names(tmp_path, capsys):
    files = []
    for folder, lines in (("x", LINES[:1]), ("y", LINES[1:])):
        (tmp_path / folder).mkdir()
        files.append(str(write_lines(tmp_path / folder / "h.txt", lines)))
    assert main(["harp", *files, "--output", str(tmp_path / "out"), *QUIET]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: {files[0]} and {files[1]}: both are named h.txt, and ids are made of a file's name and "
        "the line; rename one of them\n"
    )
    assert not (tmp_path / "out").exists()


def test_a_compressed_file(tmp_path, capsys):
    source = tmp_path / "lines.json"
    source.write_bytes(gzip.compress(json.dumps(LINES[0]).encode()))
    assert main(["harp", str(source), "--output", str(tmp_path / "out"), *QUIET]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: {source}: is compressed (gz), and only plain JSON lines are read; unpack it first\n"
    )


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


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--language", "fr", "language de, not fr"),
        ("--wiki", "other", "wiki harp, not other"),
        ("--licence", "CC0-1.0", "no licence, which is CC0-1.0 now"),
        ("--limit", "1", "no limit, which is 1 now"),
    ],
)
def test_what_is_resumed_has_the_same_options(tmp_path, capsys, option, value, told):
    source = write_lines(tmp_path / "small.json", LINES)
    out = tmp_path / "out"
    command = ["harp", str(source), "--output", str(out), "--language", "de", *QUIET]
    assert main(command) == 0
    assert main([*command, "--resume"]) == 0
    capsys.readouterr()
    assert main([*command, "--resume", option, value]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: --resume: {out} has `anchormine harp` with {told}; give --overwrite, or another "
        "folder\n"
    )
