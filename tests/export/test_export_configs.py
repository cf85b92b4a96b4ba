"""What `datasets` loads of an export by its card alone: each file with a row, by its config."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from anchormine.pipelines.cli import main
from anchormine.schemas.contrastive import CONTRASTIVE
from tests.export.export_folders import LINKS, TABLES, mined, page, write_dataset

TASK = "anchor_document"
PARQUET = {TASK: {split: f"{TASK}/{split}-00000-of-00001.parquet" for split in ("train", "validation")}}
CONFIGS = {
    "beir": {
        f"{TASK}-corpus": {"corpus": f"{TASK}/corpus.jsonl"},
        f"{TASK}-queries": {"queries": f"{TASK}/queries.jsonl"},
    },
    "dpr": {TASK: {"train": f"{TASK}/train.json", "validation": f"{TASK}/validation.json"}},
    "tevatron": {
        TASK: {"train": f"{TASK}/train.jsonl", "validation": f"{TASK}/validation.jsonl"},
        f"{TASK}-corpus": {"train": f"{TASK}/corpus.jsonl"},
    },
    "sentence-transformers": PARQUET,
    "pylate": PARQUET,
    "kilt": {"pages": {"train": "knowledgesource.jsonl"}},
    "anchors-by-destination": {"anchors": {"train": "anchors.jsonl"}},
}


def exported(folder: Path, name: str) -> Path:
    output = folder.with_name(name)
    task = ["--task", TASK] if TASK in str(CONFIGS[name]) else []
    arguments = ["export", str(folder), "--to", name, "--output", str(output), "--progress", "none", *task]
    assert main(arguments) == 0
    return output


def entries(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    text = path.read_text("utf-8")
    return json.loads(text) if path.suffix == ".json" else [json.loads(line) for line in text.splitlines()]


def as_read(path: Path) -> list[dict[str, Any]]:
    """A file's rows as the library gives them: what looks like a time is one for it, and written anew."""
    rows = entries(path)
    for row in rows:
        if "history" in row:
            row["history"]["timestamp"] = row["history"]["timestamp"].replace("T", " ").removesuffix("Z")
    return rows


def loaded(output: Path, config: str, cache: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows that the library gives of each split."""
    datasets = pytest.importorskip("datasets")
    tables = datasets.load_dataset(str(output), config, cache_dir=str(cache))
    return {split: table.to_list() for split, table in tables.items()}


def written(output: Path, name: str, config: str) -> dict[str, list[dict[str, Any]]]:
    """The rows of each split's file."""
    return {split: as_read(output / path) for split, path in CONFIGS[name][config].items()}


@pytest.mark.parametrize("name", CONFIGS)
def test_the_card_names_what_the_library_loads(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr("datasets.config.HF_DATASETS_OFFLINE", True)
    output = exported(write_dataset(tmp_path / "reef", *TABLES), name)
    assert datasets.get_dataset_config_names(str(output)) == list(CONFIGS[name])
    for config in CONFIGS[name]:
        rows = loaded(output, config, tmp_path / "cache")
        assert rows == written(output, name, config)
        assert all(rows.values())


@pytest.mark.parametrize("name", CONFIGS)
def test_the_library_loads_what_was_exported_last(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the cache that it keeps, whose folders are called after those that it loads."""
    pytest.importorskip("datasets")
    monkeypatch.setattr("datasets.config.HF_DATASETS_OFFLINE", True)
    config = next(iter(CONFIGS[name]))
    first = exported(write_dataset(tmp_path / "first" / "reef", *TABLES), name)
    whole = loaded(first, config, tmp_path / "cache")
    for table, (schema, splits) in TABLES.items():
        monkeypatch.setitem(TABLES, table, (schema, {**splits, "train": splits["train"][1:]}))
    second = exported(write_dataset(tmp_path / "second" / "reef", *TABLES), name)
    rows = loaded(second, config, tmp_path / "cache")
    assert rows == written(second, name, config)
    assert rows != whole


@pytest.mark.parametrize("name", ["dpr", "tevatron"])
def test_lists_that_are_empty_first(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a split, and of what the library reads of a file at once: their types are those of the others."""
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr("datasets.config.HF_DATASETS_OFFLINE", True)
    empty = [mined(number, f"query {number}", "2") for number in range(9)]
    filled = mined(9, "query 9", "4", ("2", 3.0), ("1", 1.0))
    rows = {"train": empty[:6], "validation": [*empty[6:], filled]}
    monkeypatch.setitem(TABLES, f"contrastive/{TASK}", (CONTRASTIVE, rows))
    output = exported(write_dataset(tmp_path / "reef", "pages", f"contrastive/{TASK}"), name)
    loaded = datasets.load_dataset(str(output), TASK, cache_dir=str(tmp_path / "cache"), chunksize=64)
    paths = CONFIGS[name][TASK]
    assert {split: table.to_list() for split, table in loaded.items()} == {
        split: entries(output / path) for split, path in paths.items()
    }


def test_pages_without_a_time_or_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr("datasets.config.HF_DATASETS_OFFLINE", True)
    pages = [page("3")._replace(timestamp=None), page("1"), page("2")._replace(timestamp=None)]
    folder = write_dataset(tmp_path / "reef", rows={"pages": pages, "anchors": LINKS[:2]})
    output = exported(folder, "kilt")
    rows = datasets.load_dataset(str(output), "pages", cache_dir=str(tmp_path / "cache"), chunksize=64)
    assert rows["train"].to_list() == as_read(output / "knowledgesource.jsonl")
    assert [len(row["anchors"]) for row in rows["train"]] == [0, 2, 0]


def test_a_file_without_a_row_is_no_split(tmp_path: Path) -> None:
    folder = write_dataset(
        tmp_path / "reef", "pages", rows={"anchors": [LINKS[4]]}
    )  # it leads out of the wiki
    output = exported(folder, "anchors-by-destination")
    assert entries(output / "anchors.jsonl") == []
    assert "configs:" not in (output / "README.md").read_text("utf-8")


def test_languages_of_a_card(tmp_path: Path) -> None:
    """The hub takes codes of ISO 639 alone as `language`; crawls name others, too."""
    folder = write_dataset(tmp_path / "reef", rows={"pages": [page("1")], "anchors": LINKS[:2]})
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    for section in manifest["steps"].values():
        for wiki in section["options"].get("wikis", ()):
            wiki["languages"] = ["no", "jp", "vls", "zh-yue"]
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    card = (exported(folder, "kilt") / "README.md").read_text("utf-8")
    assert card.split("pretty_name:")[0].partition("language:")[2] == (
        '\n- "no"\n- vls\nlanguage_bcp47:\n- jp\n- zh-yue\n'
    )
