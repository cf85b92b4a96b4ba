"""A dataset folder whose files were changed by something else is refused before the work that needs it."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from anchormine.pipelines.output_folder import OutputFolder
from tests.pipelines.command_runs import QUIET, checksums, main
from tests.wiki.small_dumps import dump, page


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    source = tmp_path / "w.xml"
    source.write_bytes(dump(page(1, "Pier", "A [[quay]]."), page(2, "Quay", "A [[pier]].")))
    assert main(["wiki", str(source), "--output", str(tmp_path / "out"), *QUIET]) == 0
    return tmp_path / "out"


def pairs(folder: Path) -> list[str]:
    return ["pairs", str(folder), "--task", "anchor_document", *QUIET]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"pages": []}', '{"pages": {"text": 7}}', "[" * 100_000], ids=str.__len__
)
def test_distributions(folder: Path, tmp_path: Path, monkeypatch, capsys, text: str) -> None:
    path = folder / "stats" / "distributions.json"
    path.write_text(text)
    before = checksums(folder)
    capsys.readouterr()
    with monkeypatch.context() as patch:
        patch.setattr(OutputFolder, "open_scratch", None)  # no work begins
        assert main(pairs(folder)) == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"anchormine: {path}: damaged; delete it, and what it told of the tables that are there is left out"
    )
    assert checksums(folder) == before
    path.unlink()
    assert main(pairs(folder)) == 0
    assert list(json.loads(path.read_text())) == ["pairs/anchor_document"]
    path.write_text(text)
    again = ["wiki", str(tmp_path / "w.xml"), "--output", str(folder), "--overwrite", *QUIET]
    assert main(again) == 0  # none of what it told stays
    assert list(json.loads(path.read_text())) == ["anchors", "pages"]


def test_a_table_that_was_written_anew(folder: Path, capsys) -> None:
    path = folder / "pages" / "train-00000-of-00001.parquet"
    size = path.stat().st_size
    pq.write_table(pq.read_table(path).drop_columns(["timestamp"]), path)
    now = path.stat().st_size
    capsys.readouterr()
    assert main(pairs(folder)) == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"anchormine: {path}: has {now:,} bytes, and {size:,} by the manifest, so it is another file; "
        "make it again with `anchormine wiki` and --overwrite"
    )


def test_a_manifest_with_a_damaged_section(folder: Path, tmp_path: Path, capsys) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["steps"]["wiki"]["outputs"][0]["rows"]
    path.write_text(json.dumps(manifest))
    told = f"anchormine: {path}: damaged: steps.wiki.outputs[0].rows is missing or of another type"
    capsys.readouterr()
    again = ["wiki", str(tmp_path / "w.xml"), "--output", str(folder), "--overwrite", *QUIET]
    for command, status, remedy in (
        (again, 2, "delete that folder, or give another one"),
        (pairs(folder), 2, "delete that folder, or give another one"),
        (["export", str(folder), "--to", "beir"], 1, "run the step again"),
        (["rejects", str(folder)], 1, "run the step again"),
    ):
        assert main(command) == status
        assert capsys.readouterr().err == f"{told}; {remedy}\n"
