"""Paths and patterns of inputs, names with brackets among them, and local folders with such names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from anchormine.errors import UsageError
from anchormine.pipelines.cli import main
from anchormine.transforms.files import delete_files, delete_folder, files_below
from anchormine.transforms.input_files import FoundFile, find_files
from tests.pipelines.command_runs import DEMO, QUIET, checksums, run_demo_wiki


def write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)


def found(folder: Path, *patterns: str) -> list[str]:
    return [
        file.path.removeprefix(f"{folder}/")
        for file in find_files([f"{folder}/{p}" for p in patterns], "web")
    ]


def test_patterns(tmp_path: Path) -> None:
    write(tmp_path, "a1.xml", "a2.xml", "b.txt", "sub/a3.xml", "sub/deep/a4.xml")
    assert found(tmp_path, "*.xml") == ["a1.xml", "a2.xml"]
    assert found(tmp_path, "b.txt", "a[12].xml", "a?.xml") == ["b.txt", "a1.xml", "a2.xml"]
    assert found(tmp_path, "sub/*.xml") == ["sub/a3.xml"]
    assert found(tmp_path, "s*/*.xml") == ["sub/a3.xml"]
    assert found(tmp_path, "**.xml") == ["a1.xml", "a2.xml", "sub/a3.xml", "sub/deep/a4.xml"]
    assert find_files([f"file://{tmp_path}/b.txt"], "web") == [FoundFile(f"{tmp_path}/b.txt", 5)]


def test_a_path_that_is_there_is_no_pattern(tmp_path: Path) -> None:
    write(tmp_path, "w[1].xml", "w1.xml", "dumps [2024]/a.xml", "dumps [2024]/b.xml", "dumps 2/c.xml")
    assert found(tmp_path, "w[1].xml") == ["w[1].xml"]
    assert found(tmp_path, "dumps [2024]/a.xml") == ["dumps [2024]/a.xml"]
    assert found(tmp_path, "dumps [2024]/*.xml") == ["dumps [2024]/a.xml", "dumps [2024]/b.xml"]
    (tmp_path / "w[1].xml").unlink()
    assert found(tmp_path, "w[1].xml") == ["w1.xml"]


def test_a_pattern_in_a_working_folder_with_brackets(tmp_path: Path, monkeypatch) -> None:
    write(tmp_path, "dumps [2024]/a.xml")
    monkeypatch.chdir(tmp_path / "dumps [2024]")
    assert [file.path for file in find_files(["*.xml"], "web")] == [f"{tmp_path}/dumps [2024]/a.xml"]


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, message in (
        (f"{tmp_path}/", f"{tmp_path}/: is a folder; give the files in it, such as '{tmp_path}/*'"),
        (f"{tmp_path}/pipe", "pipe: is a pipe or a device, and input is read twice; save it to a file first"),
        (f"{tmp_path}/{'x' * 300}", "x': cannot be read (File name too long); give another path"),
        (f"{tmp_path}/no", "no: no such file; give the path of a file, or a glob in quotation marks"),
    ):
        with pytest.raises(UsageError) as caught:
            find_files([path], "web")
        assert str(caught.value).endswith(message)


def test_nothing_but_what_is_named_is_listed_or_deleted(tmp_path: Path) -> None:
    write(tmp_path, "out[1]/a", "out[1]/sub/b", "out1/a", "x*", "xy")
    assert list(files_below(f"{tmp_path}/out[1]")) == [f"{tmp_path}/out[1]/a", f"{tmp_path}/out[1]/sub/b"]
    assert list(files_below(f"{tmp_path}/no")) == []
    delete_files([f"{tmp_path}/x*", f"{tmp_path}/no"])
    delete_folder(f"{tmp_path}/out[1]")
    delete_folder(f"{tmp_path}/no")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out1", "xy"]


@pytest.mark.parametrize("name", ["out[1]", "o*t", "wo? ns"])
def test_an_output_folder_with_such_a_name(tmp_path: Path, name: str) -> None:
    write(tmp_path, "out1/mine", "out/mine")
    plain = run_demo_wiki(tmp_path / "plain")
    folder = run_demo_wiki(tmp_path / name)
    assert checksums(folder) == checksums(plain)
    assert not list(folder.glob(".anchormine-*"))
    assert main(["wiki", str(DEMO / "wiki.xml"), "--output", str(folder), *QUIET]) == 2
    run_demo_wiki(folder, "--overwrite")
    assert checksums(folder) == checksums(plain)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["out", "out1", "plain", name])
