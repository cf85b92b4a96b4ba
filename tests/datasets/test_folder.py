"""Where a dataset folder can be read from: paths, URIs of pyarrow, and whatever else is opened for it."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest

from anchormine.datasets import DatasetFolder, iter_rows
from anchormine.errors import CommandError, UsageError
from tests.pipelines.command_runs import read_table, run_demo_wiki


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    return run_demo_wiki(tmp_path_factory.mktemp("demo") / "out")


def rows(folder: DatasetFolder) -> list[dict]:
    return [row for batch in folder.iter_batches("pages") for row in batch.to_pylist()]


def test_columns_are_a_list(written: Path) -> None:
    with pytest.raises(UsageError, match=r"^columns is the text 'title'; give a list of names$"):
        list(iter_rows(str(written), "pages", "title"))
    assert list(next(iter_rows(written, "pages", ["title"]))) == ["title"]


def test_a_split_that_is_not_there(written: Path) -> None:
    message = f"^{written}: holds no split validation of pages; it has train$"
    with pytest.raises(CommandError, match=message):
        list(iter_rows(written, "pages", split="validation"))
    with pytest.raises(CommandError, match=f"^{written}: holds no page; it has anchors, pages"):
        list(iter_rows(written, "page", split="validation"))


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
            UsageError, match=f"^{path}: no manifest.json here, so no dataset folder; make a new folder with"
        ):
            DatasetFolder(path)
    (tmp_path / "manifest.json").write_text("{}")
    (tmp_path / "pairs").mkdir()
    for path in (f"{tmp_path}/pairs", f"file://{tmp_path}/pairs/"):
        above = path.removesuffix("/").removesuffix("/pairs")
        with pytest.raises(UsageError, match=f"no dataset folder; give {above}$"):
            DatasetFolder(path)
    with pytest.raises(UsageError, match=r"^mine://out: cannot open this file system .*; copy the folder to"):
        DatasetFolder("mine://out")


def test_a_shard_that_is_gone_or_broken(written: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(written, tmp_path / "folder"))
    shard = folder / "pages" / "train-00000-of-00001.parquet"
    for break_it in (shard.unlink, lambda: shard.write_bytes(b"PAR1 and no more")):
        break_it()
        message = "pages/train-00000-of-00001.parquet: cannot be read .*; run the step that wrote it again"
        with pytest.raises(CommandError, match=message):
            rows(DatasetFolder(str(folder)))
