"""What `datasets` loads of an export in JSON by its card alone: each file with a row, by its config."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anchormine.pipelines.cli import main
from tests.export.export_folders import LINKS, TABLES, write_dataset

TASK = "anchor_document"
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
    text = path.read_text("utf-8")
    return json.loads(text) if path.suffix == ".json" else [json.loads(line) for line in text.splitlines()]


def as_written(row: dict[str, Any]) -> dict[str, Any]:
    """A row whose times are text again: the library takes them for times."""
    if "history" in row:
        row["history"]["timestamp"] = f"{row['history']['timestamp']:%Y-%m-%dT%H:%M:%SZ}"
    return row


@pytest.mark.parametrize("name", CONFIGS)
def test_the_card_names_what_the_library_loads(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr("datasets.config.HF_DATASETS_OFFLINE", True)
    output = exported(write_dataset(tmp_path / "reef", *TABLES), name)
    assert datasets.get_dataset_config_names(str(output)) == list(CONFIGS[name])
    for config, splits in CONFIGS[name].items():
        loaded = datasets.load_dataset(str(output), config, cache_dir=str(tmp_path / "cache"))
        rows = {split: list(map(as_written, table.to_list())) for split, table in loaded.items()}
        assert rows == {split: entries(output / path) for split, path in splits.items()}
        assert all(rows.values())


def test_a_file_without_a_row_is_no_split(tmp_path: Path) -> None:
    folder = write_dataset(
        tmp_path / "reef", "pages", rows={"anchors": [LINKS[4]]}
    )  # it leads out of the wiki
    output = exported(folder, "anchors-by-destination")
    assert entries(output / "anchors.jsonl") == []
    assert "configs:" not in (output / "README.md").read_text("utf-8")
