"""Where a dataset folder can be read from: paths, URIs of pyarrow, and whatever else is opened for it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from anchormine.datasets import DatasetFolder
from anchormine.errors import UsageError
from tests.pipelines.command_runs import read_table, run_demo_wiki


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    return run_demo_wiki(tmp_path_factory.mktemp("demo") / "out")


def rows(folder: DatasetFolder) -> list[dict]:
    return [row for batch in folder.iter_batches("pages") for row in batch.to_pylist()]


def test_rows_are_the_same_however_the_folder_is_opened(written: Path) -> None:
    store = {f"mine://{path}": path.read_bytes() for path in written.rglob("*") if path.is_file()}
    opened = DatasetFolder(f"mine://{written}/", lambda path: io.BytesIO(store[path]))
    expected = read_table(written, "pages")
    assert rows(DatasetFolder(str(written))) == expected
    assert rows(DatasetFolder(f"file://{written}")) == expected
    assert rows(opened) == expected


def test_no_folder_there(tmp_path: Path) -> None:
    for path in (f"{tmp_path}/none", f"file://{tmp_path}/none"):
        with pytest.raises(
            UsageError, match=f"^{path}: no manifest.json here, so no dataset folder; make one"
        ):
            DatasetFolder(path)
    with pytest.raises(UsageError, match=r"^mine://out: cannot open this file system .*; copy the folder to"):
        DatasetFolder("mine://out")
