"""Titles divided among many buckets, pages among many shards: the same rows in the same order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anchormine.pipelines import wiki
from anchormine.transforms import spill_pages
from anchormine.transforms.parquet_shards import ShardWriter
from tests.pipelines.command_runs import checksums, read_table, run_demo_wiki
from tests.pipelines.command_runs import funnel as funnel_of

TABLES = ("pages", "anchors", "rejects/wiki")


def counts(folder: Path) -> dict[str, int]:
    return json.loads((folder / "manifest.json").read_text())["steps"]["wiki"]["counts"]


@pytest.fixture(scope="module")
def plain(tmp_path_factory) -> Path:
    return run_demo_wiki(tmp_path_factory.mktemp("plain") / "out")


@pytest.mark.parametrize("xml_bytes", [30_000, 200_000])
def test_many_buckets_change_nothing(plain: Path, tmp_path: Path, monkeypatch, xml_bytes: int) -> None:
    monkeypatch.setattr(wiki, "_BUCKET_XML_BYTES", xml_bytes)
    folder = run_demo_wiki(tmp_path / "out")
    assert checksums(folder) == checksums(plain)
    assert counts(folder) == counts(plain)


def test_many_chunks_change_nothing(plain: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(spill_pages, "_CHUNK_ROWS", 500)
    folder = run_demo_wiki(tmp_path / "out")
    assert checksums(folder) == checksums(plain)


def test_many_shards_hold_the_same_rows(plain: Path, tmp_path: Path, monkeypatch) -> None:
    # Files of 2,000 bytes, groups of 100 rows
    monkeypatch.setattr(ShardWriter.__init__, "__defaults__", (0, "train", 2_000, 100))
    folder = run_demo_wiki(tmp_path / "out")
    for table in TABLES:
        shards = sorted(path.name for path in (folder / table).iterdir())
        assert len(shards) > 1
        assert shards == [f"train-{n:05d}-of-{len(shards):05d}.parquet" for n in range(len(shards))]
        assert read_table(folder, table) == read_table(plain, table)
    assert funnel_of(folder, "wiki") == funnel_of(plain, "wiki")
