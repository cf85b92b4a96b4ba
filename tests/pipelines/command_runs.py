"""Runs commands in this process, and reads what they wrote."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import anchormine
from anchormine.pipelines.cli import main

DEMO = Path(anchormine.__file__).parent / "demo"
QUIET = ("--progress", "none", "--workers", "1")


def run_demo_wiki(output: Path, *options: str) -> Path:
    """Writes the demo's dataset folder."""
    status = main(["wiki", str(DEMO / "wiki.xml"), "--output", str(output), *QUIET, *options])
    assert status == 0
    return output


def read_table(folder: Path, table: str) -> list[dict[str, Any]]:
    """The rows of a table, shard after shard; none if it is not there."""
    shards = sorted((folder / table).glob("train-*.parquet"))
    return pa.concat_tables([pq.read_table(shard) for shard in shards]).to_pylist() if shards else []


def funnel(folder: Path, step: str) -> dict[str, dict[str, Any]]:
    """The rows of a step by unit, each checked for balance."""
    rows = json.loads((folder / "stats" / "funnel.json").read_text())
    for row in rows:
        assert row["read"] == row["written"] + sum(row["rejected"].values()) + row["unreadable"], row
    return {row["unit"]: row for row in rows if row["step"] == step}


def checksums(folder: Path) -> dict[str, str]:
    """Checksums of everything in a folder but its manifest."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "manifest.json")
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
