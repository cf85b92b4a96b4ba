"""Anchor-DR's recipe on a real wiki, from the shipped encoder: a short part of each of its epochs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anchormine.pipelines.cli import main
from tests.house.floors import ROOT
from tests.negatives.known_answers import KnownAnswers, check_guards, contrastive_shards
from tests.pipelines.command_runs import funnel
from tests.wiki.real_dumps import FOLDER, needs_dumps

pytestmark = [pytest.mark.data, pytest.mark.slow, needs_dumps]

STEPS = 30
# Of smaller batches the losses do not fall in each ten steps.
SMALL = {"negatives": "1", "document_length": "32", "batch_size": "64"}


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the recipe, done: its folders data, models/first and models/second."""
    folder = tmp_path_factory.mktemp("recipe")
    (dump,) = FOLDER.glob("indiewebwiki-*-multistream.xml.bz2")
    text = (ROOT / "examples" / "anchor_dr.toml").read_text()
    size = 'batch_size = "{batch_size}"'
    assert text.count(size) == 2
    (folder / "anchor_dr.toml").write_text(text.replace(size, f"{size}\nmax_steps = {STEPS}"))
    values = {"dump": str(dump), **SMALL}
    given = [word for name, value in values.items() for word in ("--set", f"{name}={value}")]
    assert main(["run", str(folder / "anchor_dr.toml"), *given]) == 0
    return folder


def log_of(recipe: Path, model: str) -> list[dict[str, Any]]:
    lines = (recipe / "models" / model / "train_log.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_each_step_finds_more_of_what_is_held_out(recipe: Path) -> None:
    first, second = log_of(recipe, "first"), log_of(recipe, "second")
    before, after = first[0]["validation_before"], first[-1]["validation"]
    last = second[-1]["validation"]
    assert before["MRR@10"] < after["MRR@10"] < last["MRR@10"]
    for log in (first, second):
        assert log[-1]["step"] == STEPS
        # Of ten steps each; the first line is of one batch, of which some are easy.
        early, middle, late = (line["loss"] for line in log[1:])
        assert early > middle > late
        assert log[-1]["validation"]["loss"] < log[0]["validation_before"]["loss"]
    assert second[0]["validation_before"]["MRR@10"] == after["MRR@10"]


def test_the_first_models_negatives_are_none_that_is_guarded(recipe: Path) -> None:
    rows = check_guards(KnownAnswers(recipe / "data"), "anchor_document")
    assert rows == funnel(recipe / "data", "negatives")["negatives-anchor_document"]["written"] > 10_000
    shards = contrastive_shards(recipe / "data", "anchor_document")
    mined_from = {row["mined_from"] for _, shard in shards for row in shard}
    assert len(mined_from) == 1
    assert not mined_from.pop().startswith("bm25")
