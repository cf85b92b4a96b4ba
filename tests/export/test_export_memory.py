"""The memory of an export hangs on a batch of rows, not on how many rows there are."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from anchormine.export.formats import FORMATS
from anchormine.schemas.anchors import ANCHORS
from anchormine.schemas.arrow_rows import to_table
from anchormine.schemas.contrastive import CONTRASTIVE
from tests.bench.measured_runs import children_seconds
from tests.export.export_folders import LINKS, mined, write_dataset, write_manifest

ROWS = 80_000
DOCUMENT = "Coral builds reefs. " * 100  # 2,000 characters, 6,000 a row: in all 480 MB
MAX_MEGABYTES = 160  # a third of that
_PROGRAM = """
import sys
from anchormine.pipelines.cli import main
for name in sys.argv[3:]:
    options = ["--to", name, "--output", sys.argv[2] + name, "--progress", "none"]
    assert main(["export", sys.argv[1], *options]) == 0
"""


def write_long_dataset(path: Path, rows: int) -> Path:
    """Writes a folder whose table of pairs, and of links, has many rows in row groups of a thousand."""
    write_dataset(path, "pages", "contrastive/anchor_document")
    outputs = json.loads((path / "manifest.json").read_text())["steps"]["wiki"]["outputs"]
    outputs = [output for output in outputs if output["path"].startswith("pages/")]
    for table, schema, some in (
        ("contrastive/anchor_document", CONTRASTIVE, _pairs),
        ("anchors", ANCHORS, _links),
    ):
        file = path / table / "train-00000-of-00001.parquet"
        file.parent.mkdir(parents=True, exist_ok=True)
        with pq.ParquetWriter(file, schema, compression="zstd") as writer:
            for start in range(0, rows, 1000):
                writer.write_table(to_table(some(start), schema))
        outputs.append(
            {"path": f"{table}/{file.name}", "rows": rows, "bytes": file.stat().st_size, "sha256": "0" * 64}
        )
    write_manifest(path, outputs)
    return path


def _pairs(start: int) -> list[tuple]:
    row = mined(0, "reefs", "2", ("1", 1.5), ("3", 0.5))
    texts = {n: f"{n} {DOCUMENT}" for n in range(start, start + 1000)}
    return [
        row._replace(query_id=f"q{n}", query=f"reef {n}", positive=text, negatives=[text, text])
        for n, text in texts.items()
    ]


def _links(start: int) -> list[tuple]:
    return [LINKS[n % len(LINKS)]._replace(anchor_id=f"reef:1#a{n}") for n in range(start, start + 1000)]


def peak(folder: Path, *formats: str) -> float:
    """The most megabytes that the process of an export has had."""
    command = [sys.executable, "-W", "ignore", "-c", _PROGRAM, str(folder), f"{folder}-", *formats]
    _, megabytes = children_seconds(command)
    return megabytes


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems count memory in other units")
def test_memory_does_not_grow_with_the_table(tmp_path: Path) -> None:
    short = peak(write_long_dataset(tmp_path / "short", 1000), *FORMATS)
    long = peak(write_long_dataset(tmp_path / "long", ROWS), *FORMATS)
    assert long - short < MAX_MEGABYTES
