"""A dataset folder of a few rows, real files and all, with the facts that its texts are made from."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from anchormine.datasets.attribution import attribution
from anchormine.datasets.card import dataset_card
from anchormine.datasets.croissant import croissant
from anchormine.datasets.facts import FolderFacts, TableFacts
from anchormine.schemas.anchors import ANCHORS, Anchor
from anchormine.schemas.arrow_rows import to_table
from anchormine.schemas.pages import PAGES, Page
from anchormine.schemas.pairs import PAIRS, Pair
from anchormine.schemas.rejects import REJECTS, Reject

BASE = "https://harbour.example/wiki/Main_Page"
LICENCE = "CC-BY-SA-4.0"


def page(number: int, title: str, text: str, **more: Any) -> Page:
    """A page of the wiki."""
    fixed: dict[str, Any] = {
        "source": "wiki",
        "language": "en",
        "url": f"https://harbour.example/wiki/{title}",
        "lead": text.partition("\n")[0],
        "revision": 100 + number,
        "timestamp": "2024-05-06T07:08:09Z",
        "redirects_from": [],
        "disambiguation": False,
        "warc_file": None,
        "warc_offset": None,
        "licence": LICENCE,
    }
    return Page(**{"page_id": f"harbourwiki:{number}", "title": title, "text": text, **fixed, **more})


PAGES_ROWS = [
    page(1, "Pier", "A pier stands on piles.\nShips lie along it.", redirects_from=["Jetty", "Landing"]),
    page(2, "Pile", "A pile is driven into the ground by a hammer. " * 12),
    page(3, "Quay", "A quay is a wall.", revision=None, timestamp=None),
]
_SENTENCE = "A pier stands on piles."
ANCHOR_ROWS = [
    Anchor("harbourwiki:1#a0", "piles", _SENTENCE, 17, 22, "harbourwiki:1#s0", 0, "harbourwiki:1", "pile",
           None, "harbourwiki:2", "body", None, "en", 0),
    Anchor("harbourwiki:3#a0", "wall", "A quay is a wall.", 12, 16, "harbourwiki:3#s0", None, "harbourwiki:3",
           "Wall", "Kinds", None, "table", None, "en", 1),
]  # fmt: skip
_TERMS = [{"term": "pier", "weight": 0.625}, {"term": "stands", "weight": 0.375}]
PAIR_ROWS = {
    "rqp": [
        Pair("rqp:harbourwiki:1#a0", "rqp", "pier stands piles", "A pile is driven.", "hammer ground",
             "A pile is driven.", "harbourwiki:2", "harbourwiki:2", "harbourwiki:1#s0", "harbourwiki:1#a0",
             _TERMS, [{"term": "hammer", "weight": 1.0}]),
    ],
    "rdp": [
        Pair("rdp:harbourwiki:1#a0:harbourwiki:1#a1", "rdp", _SENTENCE, "A pile is driven.", _SENTENCE,
             "A quay is a wall.", "harbourwiki:2", "harbourwiki:3", "harbourwiki:1#s0", "harbourwiki:1#a0",
             [], None),
    ],
}  # fmt: skip
REJECT_ROWS = [
    Reject("wiki", "redirect", "pages", "harbourwiki:4", "/some/where/dump.xml.bz2@0+1980", "Jetty -> Pier")
]
TABLES: dict[str, tuple[pa.Schema, list[Any]]] = {
    "pages": (PAGES, PAGES_ROWS),
    "anchors": (ANCHORS, ANCHOR_ROWS),
    "pairs/rqp": (PAIRS, PAIR_ROWS["rqp"]),
    "pairs/rdp": (PAIRS, PAIR_ROWS["rdp"]),
    "rejects/wiki": (REJECTS, REJECT_ROWS),
}
FUNNEL = [
    {"step": "wiki", "unit": "files", "read": 1, "written": 1, "rejected": {}, "unreadable": 0},
    {"step": "wiki", "unit": "pages", "read": 5, "written": 3, "rejected": {"empty": 1, "redirect": 1},
     "unreadable": 0},
    {"step": "pairs", "unit": "pairs", "read": 3, "written": 2, "rejected": {"tie": 1}, "unreadable": 0},
]  # fmt: skip


def manifest(outputs: list[dict[str, Any]], **run: Any) -> dict[str, Any]:
    """A manifest of two steps; `run` is what may differ between two equal runs."""
    of_run = {"started": "2026-01-01T00:00:00+00:00", "workers": 1, "runner": "DirectRunner", **run}
    path = of_run.pop("path", "/some/where/dump.xml.bz2")
    device = of_run.pop("device", "cpu")
    wiki = {
        "command": "anchormine wiki",
        "options": {
            "wikis": [{"wiki": "harbourwiki", "language": "en"}],
            "limit": None,
            "max_page_characters": 16000000,
            "sentences": {"en": "shipped"},
        },
        "seed": 42,
        "versions": {"python": "3.11.7", "anchormine": "0.1.0"},
        **of_run,
        "inputs": [{"path": path, "bytes": 1980, "sha256": "c" * 64, "verdict": "complete", "places": []}],
        "outputs": outputs[:2] + outputs[4:],
    }
    pairs = {
        "command": "anchormine pairs",
        "options": {
            "tasks": ["rqp", "rdp"],
            "encoder": "anchormine-encoder 0123abcd",
            "device": device,
            "weights": "attention",
            "profile": {"name": "ours", "heads": "mean", "temperature": 1.0, "replacement": False},
        },
        "seed": 7,
        "versions": {"python": "3.11.7", "anchormine": "0.1.0", "torch": "2.9.0"},
        **of_run,
        "inputs": [],
        "outputs": outputs[2:4],
    }
    return {"schema_version": "1", "steps": {"wiki": wiki, "pairs": pairs}}


def source(**more: Any) -> dict[str, Any]:
    """The wiki, as the facts have it."""
    fixed = {"wiki": "harbourwiki", "name": "The Harbour | Wiki", "base": BASE, "language": "en"}
    return {**fixed, "licence": LICENCE, "newest": "2024-05-06T07:08:09Z", **more}


def small_facts(outputs: dict[str, tuple[dict[str, Any], ...]] | None = None, **run: Any) -> FolderFacts:
    """The facts of the folder.

    Args:
        outputs: its files by table; without it sizes and checksums are made up, and no file is needed.
        run: see `manifest`.
    """
    files = outputs or {
        folder: (
            {
                "path": f"{folder}/train-00000-of-00001.parquet",
                "rows": len(rows),
                "bytes": 1000 + place,
                "sha256": f"{place}" * 64,
            },
        )
        for place, (folder, (_, rows)) in enumerate(TABLES.items())
    }
    tables = [
        TableFacts(folder.replace("/", "-"), folder, ("train",), schema, rows[0]._asdict(), files[folder])
        for folder, (schema, rows) in TABLES.items()
    ]
    listed = [file for parts in files.values() for file in parts]
    return FolderFacts("harbourwiki", manifest(listed, **run), FUNNEL, tuple(tables), ("en",), (source(),))


def write_texts(path: Path, facts: FolderFacts) -> None:
    """Writes the three texts."""
    path.joinpath("README.md").write_text(dataset_card(facts), encoding="utf-8")
    path.joinpath("croissant.json").write_text(croissant(facts), encoding="utf-8")
    path.joinpath("ATTRIBUTION.md").write_text(attribution(facts), encoding="utf-8")


def write_folder(path: Path) -> FolderFacts:
    """Writes the folder with all its files; the anchors are in two shards."""
    outputs = {}
    for folder, (schema, rows) in TABLES.items():
        shards = [rows[:1], rows[1:]] if folder == "anchors" else [rows]
        outputs[folder] = tuple(
            _write_shard(path, f"{folder}/train-{number:05d}-of-{len(shards):05d}.parquet", schema, shard)
            for number, shard in enumerate(shards)
        )
    facts = small_facts(outputs)
    write_texts(path, facts)
    path.joinpath("manifest.json").write_text(json.dumps(facts.manifest), encoding="utf-8")
    path.joinpath("stats").mkdir()
    path.joinpath("stats", "funnel.json").write_text(json.dumps(facts.funnel), encoding="utf-8")
    return facts


def _write_shard(path: Path, name: str, schema: pa.Schema, rows: list[Any]) -> dict[str, Any]:
    file = path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(to_table(rows, schema), file, compression="zstd")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return {"path": name, "rows": len(rows), "bytes": file.stat().st_size, "sha256": digest}
