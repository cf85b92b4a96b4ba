"""Card, Croissant and attribution of a folder with mined negatives, whose tables have two splits."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from anchormine.datasets.attribution import attribution
from anchormine.datasets.card import dataset_card
from anchormine.datasets.descriptions import column_meanings
from anchormine.datasets.distributions import measure_table
from anchormine.datasets.facts import TableFacts
from anchormine.datasets.limits import limits
from anchormine.schemas.arrow_rows import to_table
from anchormine.schemas.contrastive import CONTRASTIVE, Contrastive
from tests.datasets.croissant_records import plain
from tests.datasets.small_folder import _write_shard, small_facts, write_texts

# Read when `datasets` is imported: nothing here may ask the hub.
os.environ.update(HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1")
TABLE = "contrastive/anchor_document"
CONFIG = "contrastive-anchor_document"
ROWS = {
    "train": [
        Contrastive("anchor_document:a", "pile", "w:2", "A pile.", ["w:3", "w:1"], ["A quay.", "A pier."],
                    "bm25", [2.5, 0.5]),
        Contrastive("anchor_document:b", "wall", "w:3", "A quay.", [], [], "bm25", []),
    ],
    "validation": [
        Contrastive("anchor_document:c", "jetty", "w:1", "A pier.", ["w:4"], ["A mole."], "small 01ab",
                    [0.25]),
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mined")
    files = tuple(
        _write_shard(path, f"{TABLE}/{split}-00000-of-00001.parquet", CONTRASTIVE, rows)
        for split, rows in ROWS.items()
    )
    write_texts(path, facts_of_negatives(files))
    return path


def facts_of_negatives(files: tuple[dict[str, Any], ...]) -> Any:
    example = ROWS["train"][0]._asdict()
    table = TableFacts(CONFIG, TABLE, ("train", "validation"), CONTRASTIVE, example, files)
    facts = small_facts()
    step = {
        **facts.steps["pairs"],
        "command": "anchormine negatives",
        "options": {"task": ["anchor_document"]},
    }
    facts.steps["negatives"] = step
    facts.steps["pairs"]["options"]["in_links"] = 5
    return facts._replace(tables=(table,))


@pytest.mark.parametrize("splits", [("train", "validation"), ("validation",)])
def test_the_card_loads_a_split_that_is_there(splits: tuple[str, ...]) -> None:
    facts = facts_of_negatives(())
    facts = facts._replace(tables=(facts.tables[0]._replace(splits=splits),))
    loads = [line for line in dataset_card(facts).splitlines() if line.startswith("rows = ")]
    assert loads == [f'rows = load_dataset("path/to/this/folder", "{CONFIG}", split="{splits[0]}")']


def test_the_card_names_both_splits(folder: Path) -> None:
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert (
        f"- config_name: {CONFIG}\n"
        "  data_files:\n"
        "  - split: train\n"
        f"    path: {TABLE}/train-*.parquet\n"
        "  - split: validation\n"
        f"    path: {TABLE}/validation-*.parquet\n"
    ) in card
    sizes = [line.split(" | ")[:4] for line in card.splitlines() if line.startswith(f"| `{CONFIG}` |")]
    assert sizes == [[f"| `{CONFIG}`", "train", "2", "1"], [f"| `{CONFIG}`", "validation", "1", "1"]]
    assert (
        '| `negative_ids` | `list of string` | page_ids of the other documents; of passages, with "#p" and '
        "their numbers. |"
    ) in card
    assert "| `negative_scores` | `list of float32` |" in card
    assert f'load_dataset("path/to/this/folder", "{CONFIG}", split="train")' in card


def test_every_column_has_a_meaning() -> None:
    assert list(column_meanings(TABLE)) == CONTRASTIVE.names


def test_attribution_and_limits_tell_of_negatives() -> None:
    facts = facts_of_negatives(())
    assert "Pairs were given mined negatives." in attribution(facts)
    with_pages = facts._replace(tables=(*small_facts().tables, *facts.tables))
    assert (
        "In `contrastive`, `positive_id` and each of `negative_ids` are a `page_id`, for a passage up to the "
        "`#`, and a `query_id` is a `pair_id`."
    ) in attribution(with_pages)
    assert "`positive_id` and each of `negative_ids` are a `page_id`" not in attribution(small_facts())
    told = [line for line in limits(facts) if "egatives" in line]
    assert [line.partition(" ")[0] for line in told] == ["Mined", "The"]
    assert dataset_card(facts).count("No one has judged them: some are relevant.") == 1


def test_hugging_face_loads_both_splits(folder: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    loaded = datasets.load_dataset(str(folder), CONFIG, cache_dir=str(tmp_path / "cache"))
    assert {split: table.to_list() for split, table in loaded.items()} == {
        split: [row._asdict() for row in rows] for split, rows in ROWS.items()
    }


def test_croissant_reads_rows_lists_and_splits(folder: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant")
    dataset = mlcroissant.Dataset(jsonld=folder / "croissant.json")
    assert list(dataset.metadata.ctx.issues.errors) == []
    records = [plain(record) for record in dataset.records(CONFIG)]
    assert records == [{**row._asdict(), "split": split} for split, rows in ROWS.items() for row in rows]


def test_lengths_and_numbers_are_measured() -> None:
    found = measure_table(TABLE, to_table(ROWS["train"], CONTRASTIVE))
    assert json.loads(json.dumps(found["negative_ids"])) == {
        "measure": "items",
        "rows": 2,
        "nulls": 0,
        "least": 0,
        "most": 2,
        "sum": 2,
        "histogram": {"0": 1, "2": 1},
    }
    assert found["mined_from"]["values"] == {"bm25": 2}
    assert set(found) == {"query", "positive", "negative_ids", "mined_from"}
