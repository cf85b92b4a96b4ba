"""Files of runs: those that have ended get none."""

from __future__ import annotations

from pathlib import Path

import pytest

from anchormine.errors import CommandError
from anchormine.transforms.files import create_file


def write(path: Path) -> None:
    with create_file(str(path)) as stream:
        stream.write(b"a")


def test_a_run_that_has_ended_gets_no_files(tmp_path: Path) -> None:
    folder = tmp_path / "out" / f".anchormine-web-{'0a' * 16}"
    with pytest.raises(CommandError) as caught:
        write(folder / "parts" / "a.parquet")
    assert str(caught.value) == (
        f"{folder}: is not there; either its run has ended, or this worker does not see it: give --output "
        "a folder that all of them share; nothing was published"
    )
    assert list(tmp_path.iterdir()) == []
    write(folder / "started-1")
    (folder / "started-1").rename(folder / "started")
    write(folder / "parts" / "a.parquet")
    assert sorted(path.name for path in folder.rglob("*")) == ["a.parquet", "parts", "started"]


def test_other_folders_need_no_mark(tmp_path: Path) -> None:
    run = f".anchormine-web-{'0a' * 16}"
    gone = run.replace("0a", "1b")
    for name in ("a/b", ".anchormine/b", ".anchormine-x/out/b", f"x{run}/b", f"{gone}/{run}/started-1"):
        write(tmp_path / name)
        assert (tmp_path / name).read_bytes() == b"a"
