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
    """The mark of a run is the first file of its folder, and the last one is gone with it."""
    folder = tmp_path / "out" / ".anchormine-web-1"
    with pytest.raises(CommandError) as caught:
        write(folder / "parts" / "a.parquet")
    assert str(caught.value) == f"{folder}: the run that this was for has ended; nothing was published"
    assert list(tmp_path.iterdir()) == []
    write(folder / "started-1")
    with pytest.raises(CommandError):
        write(folder / "startedly.json")
    (folder / "started-1").rename(folder / "started")
    write(folder / "parts" / "a.parquet")
    assert sorted(path.name for path in folder.rglob("*")) == ["a.parquet", "parts", "started"]


def test_other_folders_need_no_mark(tmp_path: Path) -> None:
    for name in ("a/b", ".anchormine/b", "x.anchormine-web-1/b"):
        write(tmp_path / name)
        assert (tmp_path / name).read_bytes() == b"a"
