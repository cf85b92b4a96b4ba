"""Dataset folders with the anchors that a test names, as `web` or `wiki` would have written them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from anchormine.schemas.anchors import ANCHORS, Anchor
from anchormine.schemas.arrow_rows import to_table
from anchormine.schemas.pages import PAGES, Page

SOURCE = "http://www.one.co.uk/page"


def link(number: int, anchor: str, target: str = "http://two.org/", **more: Any) -> Anchor:
    """An anchor of the page `SOURCE`, alone in its sentence."""
    plain = Anchor(
        anchor_id=f"web:1#a{number}",
        anchor=anchor,
        sentence=anchor,
        start=0,
        end=len(anchor),
        sentence_id=f"web:1#s{number}",
        sentence_start=None,
        source_page_id="web:1",
        target=target,
        fragment=None,
        destination_page_id=None,
        region="body",
        rel=None,
        language="en",
        gaps=0,
        context="anchor",
        source_url=SOURCE,
    )
    return plain._replace(**more)


def page(page_id: str = "web:1", robots: str | None = None) -> Page:
    return Page(
        page_id, "web", "en", "A page", SOURCE, "Lead.", "Lead.", None, None, [], False, None, None, None,
        "utf-8", robots,
    )  # fmt: skip


def write_folder(
    folder: Path,
    anchors: Sequence[Anchor],
    pages: Sequence[Page] = (page(),),
    step: str = "web",
    shards: int = 1,
) -> Path:
    """Writes the tables, the anchors in so many shards, and the manifest of the step."""
    outputs = [_write(folder, "pages/train-00000-of-00001.parquet", to_table(pages, PAGES))]
    size = -(-len(anchors) // max(1, shards))
    for shard in range(shards):
        rows = to_table(anchors[shard * size : (shard + 1) * size], ANCHORS)
        outputs.append(_write(folder, f"anchors/train-{shard:05d}-of-{shards:05d}.parquet", rows))
    source = {"wiki": "some", "name": None, "base": None, "language": "en", "licence": None, "newest": None}
    section = {
        "command": f"anchormine {step}",
        "options": {"wikis": [source], "limit": None},
        "seed": 42,
        "versions": {},
        "started": "2026-01-01",
        "finished": "2026-01-01",
        "workers": 1,
        "runner": "DirectRunner",
        "inputs": [],
        "outputs": outputs,
        "counts": {},
        "funnel": [],
    }
    (folder / "manifest.json").write_text(json.dumps({"schema_version": "1", "steps": {step: section}}))
    return folder


def _write(folder: Path, name: str, rows: pa.Table) -> dict[str, Any]:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(rows, path)
    data = path.read_bytes()
    return {
        "path": name,
        "rows": rows.num_rows,
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
