"""A dataset folder whose files were changed by something else is refused before the work that needs it."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from anchormine.datasets.table_file import TableFile
from anchormine.errors import CommandError
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
        (again, 2, "put a whole copy of it there, or give another folder"),
        (pairs(folder), 2, "put a whole copy of it there, or give another folder"),
        (["export", str(folder), "--to", "beir"], 1, "run the step again"),
        (["rejects", str(folder)], 1, "run the step again"),
    ):
        assert main(command) == status
        assert capsys.readouterr().err == f"{told}; {remedy}\n"


def rest_of(line: str, path: Path) -> str:
    """What an error says behind the path of its file."""
    assert line.startswith(f"anchormine: {path}: "), line
    return line.removeprefix(f"anchormine: {path}: ")


@pytest.mark.parametrize("table", ["anchors", "pages"])
def test_a_flipped_bit_is_told_and_changes_nothing(folder: Path, tmp_path: Path, capsys, table: str) -> None:
    """Each in another place, but for the foot of the file: pages of Parquet have sums, their heads none."""
    path = folder / table / "train-00000-of-00001.parquet"
    whole, output = path.read_bytes(), tmp_path / "kilt"
    foot = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    export = ["export", str(folder), "--to", "kilt", "--output", str(output), "--overwrite"]
    commands = (pairs(folder), [*export, "--progress", "none"])
    for command in commands:
        assert main(command) == 0
    before, told = {**checksums(folder), **checksums(output)}, 0
    rng = random.Random(3)
    for place in rng.sample(range(foot), 24):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        for command in ([*commands[0], "--overwrite"], commands[1]):
            capsys.readouterr()
            status = main(command)
            if status:
                said = rest_of(capsys.readouterr().err.splitlines()[-1], path)
                assert said.startswith(("cannot be read (", "named in the manifest, but cannot be read ("))
                told += 1
        path.write_bytes(whole)
        assert {**checksums(folder), **checksums(output)} == before
    assert told > 24


def test_every_command_tells_a_table_with_fewer_rows(folder: Path, tmp_path: Path, capsys) -> None:
    """They may come from a copy that was cut, or be another run's."""
    path = folder / "anchors" / "train-00000-of-00001.parquet"
    pq.write_table(pq.read_table(path).slice(0, 1), path)
    queries = tmp_path / "queries.txt"
    queries.write_text("".join(f"cups of tea{'!' * n} {chr(97 + n)}\n" for n in range(20)))
    output = str(tmp_path / "out2")
    train = ["train", "classifier", "--positives", str(queries), "--negatives-from", str(folder)]
    for command in (
        ["export", str(folder), "--to", "anchors-by-destination", "--output", output],
        [*train, "--output", output],
    ):
        capsys.readouterr()
        assert main([*command, "--progress", "none"]) == 1
        assert rest_of(capsys.readouterr().err.splitlines()[-1], path) == (
            "has 1 row, and 2 by the manifest, so it is another file; run the step that wrote it again"
        )


def test_a_file_without_a_column() -> None:
    sink = io.BytesIO()
    pq.write_table(pa.table({"title": ["Pier"], "text": ["A quay."]}), sink)
    file = TableFile(sink, "a.parquet")
    with pytest.raises(CommandError) as told:
        next(file.batches(["url", "title", "anchor"], 10))
    assert str(told.value) == (
        "a.parquet: cannot be read (it has no column anchor, url); run the step that wrote it again"
    )


def test_a_flipped_bit_in_a_foot(folder: Path) -> None:
    """It is told, or the columns that were asked for have the same rows: the foot of Parquet has no sum."""
    whole = (folder / "anchors" / "train-00000-of-00001.parquet").read_bytes()
    foot = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")

    def read(data: bytes) -> tuple[list[int], list[dict[str, object]]]:
        file = TableFile(io.BytesIO(data), "a.parquet")
        return file.group_rows, [row for batch in file.batches(columns, 10) for row in batch.to_pylist()]

    columns = pq.read_schema(io.BytesIO(whole)).names
    before, errors = read(whole), []
    for place in range(foot, len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        try:
            after = read(bytes(damaged))
        except CommandError as error:
            errors.append(str(error))
        else:  # rows that are missing are told by the manifest
            assert after == before or after[0] != before[0]
    assert len(errors) > 1000
    assert all(error.startswith("a.parquet: cannot be read (") for error in errors)
