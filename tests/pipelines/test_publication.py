"""A file system that refuses while a step is published: what is there then, and how it is mended."""

from __future__ import annotations

import errno
import json
import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from anchormine.pipelines import publication
from anchormine.pipelines.cli import main
from anchormine.pipelines.interruption import Interrupted
from anchormine.pipelines.output_folder import OutputFolder
from tests.pipelines.command_runs import QUIET, checksums
from tests.wiki.small_dumps import dump, page

NOTHING = "nothing was published; see that it can be written, and has room"
IN_PART = "`anchormine wiki` is published in part, and the same command with --overwrite makes it whole"
LINK = (
    "anchormine: {}: is a link, and files of what it leads to would be replaced or deleted; remove it, or "
    "put a folder there\n"
)
NO_SPACE = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.xml"
    path.write_bytes(dump(page(1, "Mole", "A [[quay]]."), page(2, "Quay", "A [[mole]].")))
    return path


@pytest.fixture
def new(tmp_path: Path) -> Path:
    path = tmp_path / "new.xml"
    path.write_bytes(dump(page(1, "Pier", "A [[wharf]]."), page(2, "Wharf", "A [[pier]].")))
    return path


def wiki(source: Path, output: Path, *options: str) -> int:
    return main(["wiki", str(source), "--output", str(output), *options, *QUIET])


def steps(folder: Path) -> list[str]:
    return list(json.loads((folder / "manifest.json").read_text())["steps"])


def everything(folder: Path) -> dict[str, str]:
    """Checksums, and no file that belongs to no dataset."""
    found = checksums(folder)
    assert [name for name in found if ".new-" in name or name.startswith(".anchormine")] == []
    return found


def refuse_renames(monkeypatch: pytest.MonkeyPatch, folder: Path, first: int, error: BaseException) -> None:
    """Lets renames to places of the folder fail, from one on."""
    rename, count = os.rename, 0

    def failing(source: str, place: str) -> None:
        nonlocal count
        if not place.startswith(f"{folder}/.anchormine"):
            count += 1
            if count >= first:
                raise error
        rename(source, place)

    monkeypatch.setattr(os, "rename", failing)


def test_a_full_disk_before_anything_is_touched(
    old: Path, new: Path, tmp_path: Path, monkeypatch, capsys
) -> None:
    folder = tmp_path / "out"
    assert wiki(old, folder) == 0
    before, manifest = everything(folder), (folder / "manifest.json").read_bytes()
    stage = OutputFolder.stage

    def failing(self: OutputFolder, name: str, text: str) -> str:
        if name == "manifest.json":
            raise NO_SPACE
        return stage(self, name, text)

    monkeypatch.setattr(OutputFolder, "stage", failing)
    for output, options in ((folder, ("--overwrite",)), (tmp_path / "fresh", ())):
        capsys.readouterr()
        assert wiki(new, output, *options) == 1
        said = capsys.readouterr().err
        assert said == f"anchormine: {output}: cannot be written (No space left on device); {NOTHING}\n"
    assert (everything(folder), (folder / "manifest.json").read_bytes()) == (before, manifest)
    assert everything(tmp_path / "fresh") == {}
    monkeypatch.undo()
    assert wiki(new, tmp_path / "fresh") == 0


@pytest.mark.parametrize("first", range(1, 10))
@pytest.mark.parametrize("fresh", [True, False])
def test_a_move_that_fails(
    old: Path, new: Path, tmp_path: Path, monkeypatch, capsys, first: int, fresh: bool
) -> None:
    """The first is that of the manifest that names no output of the step, the ninth that of the last one."""
    folder, whole = tmp_path / "out", tmp_path / "whole"
    assert wiki(new, whole) == 0
    if not fresh:
        assert wiki(old, folder) == 0
    capsys.readouterr()
    with monkeypatch.context() as patch:
        refuse_renames(patch, folder, first, NO_SPACE)
        assert wiki(new, folder, "--overwrite") == 1
    state = NOTHING if first == 1 else IN_PART
    said = capsys.readouterr().err
    assert said == f"anchormine: {folder}: cannot be written (No space left on device); {state}\n"
    everything(folder)
    if fresh and first == 1:
        assert not (folder / "manifest.json").exists()
    else:
        assert steps(folder) == (["wiki"] if first == 1 else [])
    assert wiki(new, folder, "--overwrite") == 0
    assert (steps(folder), everything(folder)) == (["wiki"], everything(whole))


@pytest.mark.parametrize("first", [1, 3, 9])
def test_a_run_that_is_interrupted_while_it_is_published(
    old: Path, new: Path, tmp_path: Path, monkeypatch, capsys, first: int
) -> None:
    """The first move is that of the manifest without the step."""
    folder = tmp_path / "out"
    assert wiki(old, folder) == 0
    capsys.readouterr()
    with monkeypatch.context() as patch:
        refuse_renames(patch, folder, first, Interrupted(15))
        assert wiki(new, folder, "--overwrite") == 143
    assert capsys.readouterr().err == f"anchormine: interrupted; {IN_PART}\n"


def test_a_run_that_is_interrupted_once_it_is_published(
    old: Path, tmp_path: Path, monkeypatch, capsys
) -> None:
    folder, whole = tmp_path / "out", tmp_path / "whole"
    assert wiki(old, whole) == 0
    capsys.readouterr()
    discard = OutputFolder.discard

    def stopped(self: OutputFolder) -> None:
        discard(self)
        os.kill(os.getpid(), signal.SIGTERM)

    with monkeypatch.context() as patch:
        patch.setattr(threading, "excepthook", threading.excepthook)  # is given back after the test
        patch.setattr(OutputFolder, "discard", stopped)
        assert wiki(old, folder) == 143
    assert capsys.readouterr().err == "anchormine: interrupted; all was published\n"
    assert (steps(folder), everything(folder)) == (["wiki"], everything(whole))


def test_a_process_that_is_killed_leaves_nothing_that_stays(old: Path, tmp_path: Path, monkeypatch) -> None:
    """As far as a test can kill it: what it has written and not moved is not tidied up."""
    folder, whole = tmp_path / "out", tmp_path / "whole"
    assert wiki(old, whole) == 0
    for first in (1, 4, 8):
        with monkeypatch.context() as patch:
            patch.setattr(OutputFolder, "discard", lambda _: None)
            refuse_renames(patch, folder, first, NO_SPACE)
            assert wiki(old, folder) == 1
        assert len(list(folder.glob(".anchormine-wiki-*"))) == 1
    assert wiki(old, folder, "--resume") == 0
    assert everything(folder) == everything(whole)


def test_what_was_kept_of_a_step_and_is_lost(old: Path, tmp_path: Path, monkeypatch, capsys) -> None:
    folder = tmp_path / "out"
    assert wiki(old, folder) == 0
    assert main(["pairs", str(folder), "--task", "anchor_document", *QUIET]) == 0
    capsys.readouterr()

    def failing(*_: Any) -> None:
        raise NO_SPACE

    monkeypatch.setattr(publication, "move_in", failing)
    assert main(["pairs", str(folder), "--task", "wlp", *QUIET]) == 1
    assert capsys.readouterr().err.endswith(
        f"{folder}: cannot be written (No space left on device); {IN_PART.replace('wiki', 'pairs')}; "
        "what it had kept (pairs/anchor_document, provenance/anchor_document) is to be made again too\n"
    )
    assert steps(folder) == ["wiki"]


def test_a_local_file_is_not_deleted_because_it_cannot_be_replaced(tmp_path: Path, monkeypatch) -> None:
    folder = OutputFolder(str(tmp_path))
    folder.open_scratch("wiki")
    (tmp_path / "README.md").write_text("old")
    staged = folder.stage("README.md", "new")
    with monkeypatch.context() as patch:
        refuse_renames(patch, tmp_path, 1, NO_SPACE)
        with pytest.raises(OSError, match="Rename operation failed"):
            folder.put(staged, "README.md")
    assert (tmp_path / "README.md").read_text() == "old"
    folder.put(staged, "README.md")
    assert (tmp_path / "README.md").read_text() == "new"


def test_tables_that_are_links_are_not_cleared(old: Path, new: Path, tmp_path: Path) -> None:
    """What is elsewhere may be of others; only a table in its own place holds nothing else."""
    output, mine = tmp_path / "out", tmp_path / "mine" / "own.parquet"
    assert wiki(old, output) == 0
    mine.parent.mkdir()
    mine.touch()
    (output / "contrastive").symlink_to(mine.parent)
    (output / "terms").mkdir()
    (output / "terms" / "stray.parquet").touch()
    assert wiki(new, output, "--overwrite") == 0
    assert mine.exists()
    assert not (output / "terms").exists()


@pytest.mark.parametrize("name", ["stats", "pages", "rejects", "rejects/wiki"])
def test_folders_that_are_links_are_not_written(old: Path, new: Path, tmp_path: Path, capsys, name) -> None:
    """Neither in a dataset nor in a new folder; the dataset's own folder may be one."""
    real, output, mine = tmp_path / "real", tmp_path / "out", tmp_path / "mine"
    real.mkdir()
    output.symlink_to(real)
    old.write_bytes(
        old.read_bytes().replace(b"</mediawiki>", page(3, "A", "", ns=4).encode() + b"</mediawiki>")
    )
    assert wiki(old, output) == 0
    (real / name).rename(mine)
    (real / name).symlink_to(mine)
    before = checksums(tmp_path)
    told = LINK.format(output / name)
    capsys.readouterr()
    for options in (("--overwrite",), ("--overwrite", "--dry-run")):
        assert wiki(new, output, *options) == 2
        assert capsys.readouterr().err == told
    assert checksums(tmp_path) == before
    (real / name).unlink()
    assert wiki(new, output, "--overwrite") == 0
    empty = tmp_path / "empty"
    (empty / name).parent.mkdir(parents=True)
    (empty / name).symlink_to(mine)
    capsys.readouterr()
    assert wiki(old, empty) == 2
    assert capsys.readouterr().err == LINK.format(empty / name)


def test_suggestions_are_not_written_behind_a_link(old: Path, tmp_path: Path, capsys) -> None:
    output, mine = tmp_path / "out", tmp_path / "mine"
    assert wiki(old, output) == 0
    (output / "stats").rename(mine)
    (output / "stats").symlink_to(mine)
    (mine / "keywords.tsv").write_text("keyword\tlanguage\tcount\tanchor\n")
    before = checksums(tmp_path)
    capsys.readouterr()
    assert main(["filter", str(output), "--suggest-keywords", "--overwrite", *QUIET]) == 2
    assert capsys.readouterr().err == LINK.format(output / "stats")
    assert checksums(tmp_path) == before
