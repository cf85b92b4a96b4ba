"""Paths and patterns of inputs, names with brackets among them, and local folders with such names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from anchormine.errors import UsageError
from anchormine.pipelines.cli import main
from anchormine.transforms.files import delete_files, delete_folder, files_below
from anchormine.transforms.input_files import find_files, told_apart
from anchormine.transforms.input_folders import FolderInput, FoundFile
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


def test_a_pattern_of_folders_and_files(tmp_path: Path, monkeypatch) -> None:
    """Links to folders are followed, as on the disks of a collection; nothing else is looked through."""
    write(tmp_path, "in/d1/a.xml", "in/d[2]/b.xml", "in/e/c.xml", "other/d.xml", "in/d4/sub/e.xml", "in/d5")
    (tmp_path / "in/d3").symlink_to("../other")
    (tmp_path / "in/d6").symlink_to("nowhere")
    listed: list[str] = []
    iterdir = Path.iterdir

    def counted(folder: Path) -> Iterator[Path]:
        if folder.name == "d1":
            raise PermissionError(13, "Permission denied", str(folder))
        listed.append(str(folder.relative_to(tmp_path)))
        return iterdir(folder)

    assert found(tmp_path, "in/d*/*.xml") == ["in/d1/a.xml", "in/d3/d.xml", "in/d[2]/b.xml"]
    assert found(tmp_path, "i*/d*/[bd].xml") == ["in/d3/d.xml", "in/d[2]/b.xml"]
    assert found(tmp_path, "in/d[2]/*.xml", "in/*/d.xml") == ["in/d[2]/b.xml", "in/d3/d.xml"]
    assert found(tmp_path, "i*/d[2]/*.xml", "*/d4/sub/*") == ["in/d[2]/b.xml", "in/d4/sub/e.xml"]
    monkeypatch.setattr(Path, "iterdir", counted)
    assert found(tmp_path, "in/d*/*.xml") == ["in/d3/d.xml", "in/d[2]/b.xml"]
    assert (listed[0], sorted(listed[1:])) == ("in", ["in/d3", "in/d4", "in/d[2]"])
    with pytest.raises(UsageError, match=r"cannot be read \(Permission denied: .*/in/d1\)"):
        found(tmp_path, "in/d1/*.xml")


def test_a_pattern_of_folders_alone(tmp_path: Path) -> None:
    write(
        tmp_path, "in [a]/2024-1/a.xml", "in [a]/2024-2/b/c.xml", "in [a]/.2024/d.xml", "in [a]/2024-1/e.txt"
    )
    xml = FolderInput((".xml",), "no XML in it")
    files = [
        FoundFile(f"{tmp_path}/in [a]/{name}", len(f"in [a]/{name}"))
        for name in ("2024-1/a.xml", "2024-2/b/c.xml")
    ]
    for pattern in ("in [a]/2024-*", "in [a]/*", "in?[[]a]/*", "in*"):
        assert find_files([f"{tmp_path}/{pattern}"], "web", xml) == files
    assert find_files([f"{tmp_path}/in [a]/2024-?/b"], "web", xml) == files[1:]
    with pytest.raises(UsageError, match="2024-\\?: is a folder; give the files in it, such as"):
        find_files([f"{tmp_path}/in [a]/2024-?"], "wiki")
    with pytest.raises(UsageError, match="no WARC"):
        find_files([f"{tmp_path}/in [a]/2024-?"], "web", FolderInput((".warc",), "no WARC in it"))
    write(tmp_path, "in [a]/2024-3.xml")
    assert found(tmp_path, "in [a]/2024-*") == ["in [a]/2024-3.xml"]


def test_a_link_that_leads_nowhere_is_input(tmp_path: Path) -> None:
    """It is what cannot be read, and no less than what is there; alone it names no file."""
    write(tmp_path, "a.xml")
    (tmp_path / "b.xml").symlink_to("nowhere")
    files = [FoundFile(f"{tmp_path}/a.xml", 5), FoundFile(f"{tmp_path}/b.xml", 0)]
    assert find_files([f"{tmp_path}/*.xml"], "web") == files
    assert find_files([str(tmp_path)], "web", FolderInput((".xml",), "none")) == files
    with pytest.raises(UsageError):
        find_files([f"{tmp_path}/b.xml"], "web")


def test_files_are_named_by_as_little_as_tells_them_apart() -> None:
    paths = ["/c/1/archive/data.warc", "/c/2/archive/data.warc", "/c/2/other/data.warc", "/c/2/other/x.warc"]
    assert told_apart(paths) == ["1/archive/data.warc", "2/archive/data.warc", "other/data.warc", "x.warc"]
    assert told_apart(paths[::-1]) == told_apart(paths)[::-1]
    assert told_apart(["a.warc", "1/a.warc", "c/1/a.warc"]) == ["a.warc", "1/a.warc", "c/1/a.warc"]
    assert told_apart([]) == []


def test_a_path_that_is_there_is_no_pattern(tmp_path: Path) -> None:
    write(tmp_path, "w[1].xml", "w1.xml", "dumps [2024]/a.xml", "dumps [2024]/b.xml", "dumps 2/c.xml")
    assert found(tmp_path, "w[1].xml") == ["w[1].xml"]
    assert found(tmp_path, "dumps [2024]/a.xml") == ["dumps [2024]/a.xml"]
    assert found(tmp_path, "dumps [2024]/*.xml") == ["dumps [2024]/a.xml", "dumps [2024]/b.xml"]
    several = ["dumps [2024]/a.xml", "dumps [2024]/b.xml"]
    assert found(tmp_path, "dumps [2024]/**.xml") == several
    assert found(tmp_path, "dumps?[[]2024]/**") == several
    (tmp_path / "w[1].xml").unlink()
    assert found(tmp_path, "w[1].xml") == ["w1.xml"]


def test_a_pattern_in_a_working_folder_with_brackets(tmp_path: Path, monkeypatch) -> None:
    write(tmp_path, "dumps [2024]/a.xml")
    monkeypatch.chdir(tmp_path / "dumps [2024]")
    for pattern in ("*.xml", "**.xml"):
        assert [file.path for file in find_files([pattern], "web")] == [f"{tmp_path}/dumps [2024]/a.xml"]


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "empty").mkdir()
    for path, message in (
        (f"{tmp_path}/", f"{tmp_path}/: is a folder; give the files in it, such as '{tmp_path}/*'"),
        (f"{tmp_path}/empty", f"{tmp_path}/empty: is an empty folder; give files"),
        (f"{tmp_path}/pipe", "pipe: is a pipe or a device, and input is read twice; save it to a file first"),
        (f"{tmp_path}/{'x' * 300}", "x': cannot be read (File name too long); give another path"),
        (f"{tmp_path}/no", "no: no such file; give the path of a file, or a glob in quotation marks"),
    ):
        with pytest.raises(UsageError) as caught:
            find_files([path], "web")
        assert str(caught.value).endswith(message)


@pytest.mark.parametrize("given", ["", "  ", "file://"])
@pytest.mark.parametrize("command", ["wiki", "web", "clueweb22", "harp"])
def test_an_empty_path_is_not_the_working_folder(command: str, given: str, tmp_path: Path, capsys) -> None:
    assert main([command, given, "--output", str(tmp_path / "out"), *QUIET]) == 2
    assert capsys.readouterr().err == f"anchormine: {given!r}: names no file; give the path of one\n"
    assert main(["rejects", given.removeprefix("file://")]) == 2
    assert "names no folder; give one" in capsys.readouterr().err


LATIN = os.fsdecode("caf\u00e9".encode("latin-1"))


@pytest.mark.parametrize("given", [f"{LATIN}.warc", "*.warc", f"{LATIN}/a.warc"])
def test_an_input_whose_name_is_no_utf_8(given: str, tmp_path: Path, capsys) -> None:
    folder = tmp_path / (LATIN if "/" in given else "in")
    folder.mkdir()
    named = folder / (Path(given).name if "/" in given else f"{LATIN}.warc")
    named.write_bytes(b"WARC/1.0\r\n")
    path = str(tmp_path / given if "/" in given else folder / given)
    assert main(["web", path, "--output", str(tmp_path / "out"), *QUIET]) == 2
    shown = str(named).replace(LATIN, "caf\\xe9")
    assert capsys.readouterr().err == f"anchormine: {shown}: its name is not UTF-8; rename it\n"


def test_an_output_folder_whose_name_is_no_utf_8(tmp_path: Path, capsys) -> None:
    said = f"anchormine: {tmp_path}/caf\\xe9: its name is not UTF-8; rename it\n"
    output = str(tmp_path / LATIN)
    for command in (
        ["wiki", str(DEMO / "wiki.xml"), "--output", output, *QUIET],
        ["filter", output, *QUIET],
        ["rejects", output],
    ):
        assert main(command) == 2
        assert capsys.readouterr().err == said
    assert list(tmp_path.iterdir()) == []


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
