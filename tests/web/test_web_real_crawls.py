"""`anchormine web` on real crawls: nothing lost, every span exact, links resolved."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import anchormine
from anchormine.pipelines.cli import main
from anchormine.web.urls import canonical_url, page_id_of
from tests.pipelines.command_runs import QUIET, funnel, read_table
from tests.web.crawl_files import FOLDER, needs_crawls

pytestmark = [pytest.mark.data, needs_crawls]

# Pages that are written, of how many captures.
PAGES = {
    "blackbook.arc.gz": (94, 299),
    "blackbook.warc.gz": (94, 299),
    "clueweb09-en0040-54-sample.warc.gz": (100, 100),
    "clueweb09-ja-eucjp.warc.gz": (29, 29),
    "commoncrawl-50-records.warc.gz": (16, 16),
    "commoncrawl-dolma-sample-0001.warc.gz": (13, 17),
    "contextwiki-0000?.warc.gz": (1791, 1791),
    "http-return-codes.warc.gz": (3, 66),
    "iana.warc.gz": (16, 171),
    "kiwix-with-redirects.warc.gz": (3, 54),
    "mtawiki-00000.warc.gz": (1000, 1000),
}
BLACKBOOK_INSIDE = 9735  # besides those of pages to themselves


def described_reasons() -> set[str]:
    """Those of the table in pipelines/CRAWLS.md."""
    text = (Path(anchormine.__file__).parents[1] / "pipelines/CRAWLS.md").read_text(encoding="utf-8")
    table = text.partition("## What is set aside")[2].partition("## ClueWeb22")[0]
    return set(re.findall(r"`(\w+)`", table))


def mine(folder: Path, pattern: str) -> Path:
    assert main(["web", str(FOLDER / pattern), "--output", str(folder), *QUIET]) == 0
    return folder


def check_folder(folder: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Checks every row. Returns pages and anchors."""
    pages = read_table(folder, "pages")
    anchors = read_table(folder, "anchors")
    rows = funnel(folder, "web")  # each is in balance
    assert rows["pages"]["written"] == len(pages)
    assert rows["records"]["written"] == rows["pages"]["read"]
    assert rows["links"]["written"] == len(anchors) == len({row["anchor_id"] for row in anchors})
    assert {reason for unit in ("pages", "links") for reason in rows[unit]["rejected"]} <= described_reasons()
    rejects = read_table(folder, "rejects/web")
    for unit in ("records", "pages", "links"):
        set_aside = sum(row["records"] for row in rejects if row["unit"] == unit)
        assert set_aside == sum(rows[unit]["rejected"].values()) + rows[unit]["unreadable"]
    by_id = {row["page_id"]: row for row in pages}
    assert len(by_id) == len(pages)
    for row in pages:
        assert row["page_id"] == page_id_of(row["url"])
        assert row["url"] == canonical_url(row["url"])
        assert row["text"].startswith(row["lead"])
    for row in anchors:
        check_anchor(row, by_id)
    return pages, anchors


def check_anchor(row: dict[str, Any], pages: dict[str, dict[str, Any]]) -> None:
    source = pages[row["source_page_id"]]
    assert row["sentence"][row["start"] : row["end"]] == row["anchor"] != ""
    assert row["source_url"] == source["url"]
    assert row["destination_page_id"] != row["source_page_id"]
    assert row["destination_page_id"] is None or row["destination_page_id"] in pages
    if row["sentence_start"] is not None:
        assert source["text"][row["sentence_start"] :].startswith(row["sentence"])


@pytest.mark.slow
@pytest.mark.parametrize("pattern", PAGES)
def test_every_row(pattern: str, tmp_path: Path) -> None:
    pages, _ = check_folder(mine(tmp_path / "out", pattern))
    assert (len(pages), funnel(tmp_path / "out", "web")["pages"]["read"]) == PAGES[pattern]
    inputs = json.loads((tmp_path / "out" / "manifest.json").read_text())["steps"]["web"]["inputs"]
    assert {entry["verdict"] for entry in inputs} == {"complete"}


@pytest.mark.slow
def test_warc_and_arc_give_the_same(tmp_path: Path) -> None:
    found = []
    for kind in ("warc", "arc"):
        folder = mine(tmp_path / kind, f"blackbook.{kind}.gz")
        pages = [row | {"warc_file": "", "warc_offset": 0} for row in read_table(folder, "pages")]
        found.append((pages, read_table(folder, "anchors")))
    assert found[0] == found[1]
    inside = sum(row["destination_page_id"] is not None for row in found[0][1])
    assert inside == BLACKBOOK_INSIDE
