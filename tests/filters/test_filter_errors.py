"""Wrong usage of `filter`, and folders that it cannot filter: what it says, and that nothing changes."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from anchormine.datasets.folder import NEW_FOLDER
from tests.filters.anchor_folders import SOURCE, link, write_folder
from tests.filters.filter_folder import RULES_ONLY, SUGGESTED, refused
from tests.pipelines.command_runs import QUIET, checksums, main


def test_no_folder(capsys: pytest.CaptureFixture) -> None:
    for arguments in ([], ["--suggest-keywords"], ["--suggest-keywords", "5"]):
        assert main(["filter", *QUIET, *arguments]) == 2
        assert "the following arguments are required: DIR" in capsys.readouterr().err
    assert main(["filter", "DIR", "--suggest-keywords", "0"]) == 2
    assert "0: give 1 or more" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--rules", "wikipedia", "--same-site", "host"], "the rules wikipedia have no same_site"),
        (["--rules", "none", "--keywords", __file__], "--keywords: the rules none have no keywords"),
        (
            ["--keep-share", "0.5", "--classifier", "none"],
            "--keep-share 0.5: goes with a classifier only; give --classifier default or a folder",
        ),
        (
            ["--device", "cuda", "--classifier", "none"],
            "--device cuda: goes with a classifier only; give --classifier default or a folder",
        ),
        (
            ["--keep-share", "0", "--classifier", "default"],
            "--keep-share 0.0: give a share above 0 and up to 1",
        ),
        (["--suggestions", "x.tsv"], "--suggestions x.tsv: goes with --suggest-keywords only"),
        (["--suggest-keywords", "--rules", "nope"], "--rules nope: no such set, and no such file"),
        (["--rules", "/"], "--rules /: is a folder; give a TOML file or one of anchor-dr, "),
        (
            ["--suggest-keywords", "--keep-share", "7", "--classifier", "default"],
            "--keep-share 7.0: give a share above 0",
        ),
        (["--suggest-keywords", "elsewhere"], "unexpected argument 'elsewhere'"),
        (["--rules", ""], "argument --rules: '': names nothing; give a value, or leave the option out"),
        (["--keywords", "a.tsv", "--keywords", "b.tsv"], "--keywords is given twice; it takes one"),
        (["--rules", "none", "--rules", "anchor-dr"], "--rules is given twice; it takes one"),
        (["--keywords", ""], "argument --keywords: '': names nothing; give a value, or leave the option out"),
        (
            ["--classifier", ""],
            "argument --classifier: '': names nothing; give a value, or leave the option out",
        ),
        (["--suggest-keywords", "--suggestions", " "], "argument --suggestions: ' ': names nothing"),
        (["--language", "deutsch"], "deutsch: give the code of a language, such as en or zh-Hant"),
        (["--rule", "none"], "unknown option --rule; did you mean --rules?"),
    ],
)
def test_wrong_usage(folder: Path, options: list[str], message: str, capsys: pytest.CaptureFixture) -> None:
    before = checksums(folder)
    assert main(["filter", str(folder), *RULES_ONLY, *options]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("anchormine: ")
    assert message in printed.err
    assert (printed.err.count("\n"), printed.out) == (1, "")
    assert checksums(folder) == before


def test_nothing_left(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = write_folder(tmp_path / "folder", [link(0, "home"), link(1, "7"), link(2, "x", SOURCE)])
    assert main(["filter", str(folder), *RULES_ONLY]) == 1
    assert capsys.readouterr().err == (
        f"anchormine: {folder}: of 3 anchors the rules anchor-dr leave none (cleaning 1, keywords 1, "
        "same_site 1), and nothing was published; give --same-site off, or other --rules\n"
    )
    assert not (folder / "filtered").exists()


def test_nothing_left_by_keywords_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = write_folder(tmp_path / "folder", [link(0, "pier")])
    (tmp_path / "own.txt").write_text("pier\n")
    assert main(["filter", str(folder), *RULES_ONLY, "--keywords", str(tmp_path / "own.txt")]) == 1
    assert refused(capsys) == (
        f"{folder}: of 1 anchor the rules anchor-dr leave none (keywords 1), and nothing was published; "
        "give other --keywords, or other --rules"
    )


def test_one_anchor_that_is_not_kept(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = write_folder(tmp_path / "folder", [link(0, "home")])
    assert main(["filter", str(folder), *RULES_ONLY]) == 1
    assert refused(capsys) == (
        f"{folder}: of 1 anchor the rules anchor-dr leave none (keywords 1), and nothing was published; "
        "give other --rules"
    )


def test_folders_that_cannot_be_filtered(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["filter", str(tmp_path / "none"), *QUIET]) == 2
    assert "no manifest.json here" in capsys.readouterr().err
    assert main(["filter", str(write_folder(tmp_path / "bare", [], shards=0)), *QUIET]) == 1
    assert "`anchormine web` has found no links in its input" in capsys.readouterr().err


def test_a_folder_whose_first_step_was_killed(folder: Path, capsys: pytest.CaptureFixture) -> None:
    """Its output went before the new one had its place."""
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"steps": {}}))
    assert main(["filter", str(folder), *QUIET]) == 1
    assert refused(capsys) == f"{folder}: holds no anchors; it has nothing; {NEW_FOLDER}"


def test_anchors_that_are_not_there_whole(folder: Path, capsys: pytest.CaptureFixture) -> None:
    path = folder / "anchors" / "train-00000-of-00001.parquet"
    whole, pages = path.read_bytes(), (folder / "pages" / path.name).read_bytes()
    remedy = "make it again with `anchormine web` and --overwrite"
    for data, message in (
        (None, "named in the manifest, but cannot be read ("),
        (whole[:-9], "named in the manifest, but cannot be read ("),
        (pages, "has 1 row, and 10 by the manifest, so it is another file; "),
    ):
        path.unlink()
        if data is not None:
            path.write_bytes(data)
        for more in (RULES_ONLY, (*QUIET, *SUGGESTED)):
            assert main(["filter", str(folder), *more]) == 1
            printed = refused(capsys)
            assert printed.startswith(f"{path}: {message}")
            assert printed.endswith(remedy)
        path.write_bytes(whole)


def test_anchors_without_a_column(folder: Path, capsys: pytest.CaptureFixture) -> None:
    path, manifest = folder / "anchors" / "train-00000-of-00001.parquet", folder / "manifest.json"
    content = json.loads(manifest.read_text())
    anchors = content["steps"]["web"]["outputs"][1]
    before = anchors["bytes"]
    pq.write_table(pq.read_table(path).drop_columns(["rel", "gaps"]), path)
    anchors["bytes"] = path.stat().st_size
    remedy = "make it again with `anchormine web` and --overwrite"
    assert main(["filter", str(folder), *RULES_ONLY]) == 1
    assert refused(capsys) == (
        f"{path}: has {anchors['bytes']:,} bytes, and {before:,} by the manifest, so it is another file; "
        f"{remedy}"
    )
    manifest.write_text(json.dumps(content))
    assert main(["filter", str(folder), *RULES_ONLY]) == 1
    assert refused(capsys) == f"{path}: has no column gaps: another anchormine wrote it; {remedy}"


def test_a_second_run(folder: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["filter", str(folder), *RULES_ONLY]) == 0
    first = checksums(folder)
    assert main(["filter", str(folder), *RULES_ONLY]) == 2
    assert "holds the output of `anchormine filter` already" in capsys.readouterr().err
    assert main(["filter", str(folder), *RULES_ONLY, "--resume"]) == 0
    assert main(["filter", str(folder), *RULES_ONLY, "--resume", "--same-site", "off"]) == 2
    assert "with constants.same_site.scope domain, not off; give --overwrite" in capsys.readouterr().err
    assert main(["filter", str(folder), *RULES_ONLY, "--resume", "--limit", "5"]) == 2
    assert refused(capsys) == (
        f"--resume: {folder} has `anchormine filter` with no limit, which is 5 now; give --overwrite, or "
        "another folder"
    )
    assert main(["filter", str(folder), *RULES_ONLY, "--overwrite"]) == 0
    assert checksums(folder) == first
    assert main(["filter", str(folder), *RULES_ONLY, "--overwrite", "--dry-run"]) == 0
    assert "output  " in capsys.readouterr().out
    assert main(["filter", str(folder), *RULES_ONLY, "--overwrite", "--limit", "5"]) == 0
    capsys.readouterr()
    assert main(["filter", str(folder), *RULES_ONLY, "--resume"]) == 2
    assert refused(capsys) == (
        f"--resume: {folder} has `anchormine filter` with limit 5, which is not given now; give --overwrite, "
        "or another folder"
    )


def test_what_is_resumed_is_compared_with_its_own_tables(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """Not with those of the folder that the command is run in, which have the same names."""
    assert main(["filter", str(folder), *RULES_ONLY]) == 0
    (shard,) = (folder / "anchors").iterdir()
    there = tmp_path / "another" / "anchors" / shard.name
    there.parent.mkdir(parents=True)
    there.write_bytes(b"other anchors")
    monkeypatch.chdir(there.parents[1])
    assert main(["filter", str(folder), *RULES_ONLY, "--resume"]) == 0
    data = bytearray(shard.read_bytes())
    data[10] ^= 1
    shard.write_bytes(data)
    capsys.readouterr()
    assert main(["filter", str(folder), *RULES_ONLY, "--resume"]) == 2
    assert refused(capsys) == (
        f"--resume: {folder} has `anchormine filter` with other input: {shard} was written anew; give "
        "--overwrite, or another folder"
    )
