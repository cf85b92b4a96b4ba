"""Exports of real wikis and crawls: nothing lost, every id known, every span exact."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from anchormine.evaluation.collection import Collection
from anchormine.pipelines.cli import main
from tests.pipelines.command_runs import QUIET, read_table
from tests.wiki.real_dumps import FOLDER, needs_dumps

pytestmark = [pytest.mark.data, pytest.mark.slow, needs_dumps]

PAGES = 2000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first pages of the IndieWeb wiki, with pairs."""
    output = tmp_path_factory.mktemp("export-real") / "folder"
    (dump,) = FOLDER.glob("indiewebwiki-*multistream.xml.bz2")
    assert main(["wiki", str(dump), "--output", str(output), "--limit", str(PAGES), *QUIET]) == 0
    assert main(["pairs", str(output), "--task", "anchor_document", "codoc", *QUIET]) == 0
    return output


def export(folder: Path, output: Path, name: str, *options: str) -> dict[str, Any]:
    command = ["export", str(folder), "--to", name, "--output", str(output), *options, "--progress", "none"]
    assert main(command) == 0
    report = json.loads((output / "export.json").read_text())
    for row in report["funnel"]:
        assert row["read"] == row["written"] + sum(row["rejected"].values())
    return {row["unit"]: row for row in report["funnel"]}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]]


def test_kilt_has_every_link_that_stands_in_a_text(folder: Path, tmp_path: Path) -> None:
    funnel = export(folder, tmp_path / "out", "kilt")
    anchors = read_table(folder, "anchors")
    placed = sum(row["sentence_start"] is not None for row in anchors)
    assert (funnel["anchors"]["read"], funnel["anchors"]["written"]) == (len(anchors), placed)
    found = 0
    for page, row in zip(
        read_table(folder, "pages"), lines(tmp_path / "out" / "knowledgesource.jsonl"), strict=True
    ):
        assert row["wikipedia_id"] == page["page_id"]
        assert "".join(row["text"][1:]) == page["text"] + "\n"
        for anchor in row["anchors"]:
            paragraph = row["text"][anchor["paragraph_id"]]
            assert paragraph[anchor["start"] : anchor["end"]] == anchor["text"]
            found += 1
    assert found == placed


def test_anchors_by_destination_counts_every_link(folder: Path, tmp_path: Path) -> None:
    export(folder, tmp_path / "out", "anchors-by-destination")
    counted = Counter(
        (row["destination_page_id"], row["anchor"])
        for row in read_table(folder, "anchors")
        if row["destination_page_id"]
    )
    written = {
        (row["id"], anchor["text"]): anchor["count"]
        for row in lines(tmp_path / "out" / "anchors.jsonl")
        for anchor in row["anchors"]
    }
    assert written == counted


@pytest.mark.parametrize("task", ["anchor_document", "codoc"])
def test_beir_judges_every_pair(folder: Path, task: str, tmp_path: Path) -> None:
    export(folder, tmp_path / "out", "beir", "--task", task)
    collection = Collection(str(tmp_path / "out" / task))  # refuses ids that are there twice
    topics = collection.topics("train")
    assert topics.warnings == []
    texts = dict(zip(collection.doc_ids, range(len(collection)), strict=True))
    pairs = read_table(folder, f"pairs/{task}")
    judged = {
        (" ".join(topics.queries[query_id].casefold().split()), collection.text(texts[doc_id]))
        for query_id, grades in topics.qrels.items()
        for doc_id in grades
    }
    titles = {page["page_id"]: page["title"] for page in read_table(folder, "pages")}
    assert judged == {
        (
            " ".join(pair["query"].casefold().split()),
            f"{titles[pair['document_id']]} {pair['document']}".strip(),
        )
        for pair in pairs
    }
