"""Commands as users run them on real crawls: what they say, and the rows that they write."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from tests.pipelines.worker_rigs import ENVIRONMENT


class Result(NamedTuple):
    """How a command ended and what it said; `folder` is the one that it made or added to."""

    folder: Path
    status: int
    out: str
    err: str


def run(step: str, folder: Path, *arguments: str) -> Result:
    """Runs a step in a process of its own, without a progress line; one worker if nothing else is said."""
    chosen = step == "train" or {"--workers", "--runner=PortableRunner"} & {*arguments}
    workers = () if chosen else ("--workers", "1")
    command = [sys.executable, "-m", "anchormine", step, *arguments, *workers, "--progress", "none"]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True)
    return Result(folder, done.returncode, done.stdout, done.stderr)


def mine(folder: Path, *inputs: Path | str, step: str = "web") -> Result:
    """Runs a step that makes a folder."""
    return run(step, folder, *map(str, inputs), "--output", str(folder))


def add(step: str, folder: Path, *arguments: str) -> Result:
    """Runs a step that adds to a folder."""
    return run(step, folder, str(folder), *arguments)


def rows(folder: Path, table: str, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """The rows of a table, some thousand at a time: those of all links do not fit into memory as objects."""
    for shard in sorted((folder / table).glob("train-*.parquet")):
        for batch in pq.ParquetFile(shard).iter_batches(10_000, columns=columns):
            yield from batch.to_pylist()


def column(folder: Path, table: str, name: str) -> list[Any]:
    """A column of a table, in order; nothing if the table is not there."""
    shards = sorted((folder / table).glob("train-*.parquet"))
    return [value for shard in shards for value in pq.read_table(shard, columns=[name])[name].to_pylist()]


def section(folder: Path, step: str) -> dict[str, Any]:
    """What the manifest says of a step."""
    return json.loads((folder / "manifest.json").read_text())["steps"][step]
