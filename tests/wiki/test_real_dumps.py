"""`anchormine wiki` on real dumps: nothing lost, every span exact, no litter in the text."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import mwparserfromhell
import pytest

from anchormine.pipelines.cli import main
from anchormine.wiki.article import read_article
from tests.pipelines.command_runs import QUIET, funnel, read_table
from tests.wiki.real_dumps import FOLDER, needs_dumps, read_dump

pytestmark = [pytest.mark.data, needs_dumps]

IN_TEXT = {"body", "list", "header"}
# Articles, and links of articles to other articles of the dump in body, list, table and header, with
# redirects followed.
KNOWN = {
    "indiewebwiki": (6628, 62248),
    "frpwiki": (5605, 43380),
    "vlswiki": (3359, 26981),  # see test_a_page_of_many_links
    "minwiki": (48688, 44271),
}
TOLERANCE = 0.005
LITTER = re.compile(r"\{\{|\}\}|\[\[|\]\]|\{\||\|\}|\|thumb|<ref|</?(?:br|div|span|small)\b")
SOME = ["arwiki", "dewiki", "enwiki", "hewiki", "hiwiki", "jawiki", "thwiki", "zhwiki"]


def mine(folder: Path, *arguments: str) -> Path:
    assert main(["wiki", *arguments, "--output", str(folder), *QUIET]) == 0
    return folder


def check_folder(folder: Path) -> tuple[int, int, int]:
    """Checks every row. Returns how many pages, anchors, and anchors that resolve outside captions."""
    pages = {row["page_id"]: row for row in read_table(folder, "pages")}
    anchors = read_table(folder, "anchors")
    rows = funnel(folder, "wiki")  # each is in balance
    assert rows["pages"]["written"] == len(pages)
    assert rows["links"]["written"] == len(anchors) == len({row["anchor_id"] for row in anchors})
    littered = sum(check_anchor(row, pages) for row in anchors)
    assert littered <= len(anchors) // 2000
    for row in pages.values():
        assert row["text"].startswith(row["lead"])
    resolving = sum(row["destination_page_id"] is not None and row["region"] != "caption" for row in anchors)
    return len(pages), len(anchors), resolving


def check_anchor(row: dict[str, Any], pages: dict[str, dict[str, Any]]) -> bool:
    """Checks a row; returns whether there is litter in its sentence."""
    sentence, start = row["sentence"], row["sentence_start"]
    assert row["anchor"]
    assert sentence[row["start"] : row["end"]] == row["anchor"], row
    assert "\n" not in sentence
    assert row["destination_page_id"] is None or row["destination_page_id"] in pages
    assert row["destination_page_id"] != row["source_page_id"]
    assert (start is not None) == (row["region"] in IN_TEXT), row
    if start is not None:
        assert pages[row["source_page_id"]]["text"][start : start + len(sentence)] == sentence, row
    return LITTER.search(sentence) is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN)
def test_known_counts(name: str, tmp_path: Path) -> None:
    (path,) = FOLDER.glob(f"{name}-*-multistream.xml.bz2")
    pages, _, resolving = check_folder(mine(tmp_path / "out", str(path)))
    assert pages == KNOWN[name][0]
    assert abs(resolving - KNOWN[name][1]) <= TOLERANCE * KNOWN[name][1]


def test_a_page_of_many_links() -> None:
    """The data's README counts 587 links fewer in vlswiki, all of this page; mwparserfromhell finds them."""
    (path,) = FOLDER.glob("vlswiki-*-multistream.xml.bz2")
    site, articles = read_dump(path)
    (text,) = (text for title, text in articles if title == "Typische West-Vlamsche woordn")
    article = read_article(text, "Typische West-Vlamsche woordn", site)
    found = sum(len(block.links) for block in article.blocks)
    assert (found, len(article.dropped)) == (672, 30)  # one of those is a bracket that is never closed
    assert len(mwparserfromhell.parse(text).filter_wikilinks()) == found + 29


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dewiki-", "enwiki-samples", "itwiki-", "zhwiki-"])
def test_other_dumps(name: str, tmp_path: Path) -> None:
    (path,) = [found for found in FOLDER.glob(f"{name}*.xml.*") if "index" not in found.name]
    pages, anchors, _ = check_folder(mine(tmp_path / "out", str(path)))
    assert anchors > 50 * pages


@pytest.mark.parametrize("name", SOME)
def test_small_dumps(name: str, tmp_path: Path) -> None:
    path = FOLDER / "minidumps" / f"{name}.xml.bz2"
    if not path.exists():
        pytest.skip(f"ANCHORMINE_DATA names no folder with {path.name} among its small dumps")
    pages, anchors, _ = check_folder(
        mine(tmp_path / "out", str(path), "--wiki", name, "--language", name[:2])
    )
    assert 0 < pages < 50
    assert anchors > pages


@pytest.mark.slow
def test_all_small_dumps_in_one_run(tmp_path: Path) -> None:
    """They all claim to be one wiki, and use page numbers twice: the later ones get a suffix."""
    folder = mine(tmp_path / "out", str(FOLDER / "minidumps" / "*"))
    pages, anchors, _ = check_folder(folder)
    assert pages > 116
    assert anchors > 10_000
    inputs = json.loads((folder / "manifest.json").read_text())["steps"]["wiki"]["inputs"]
    assert [entry["verdict"] for entry in inputs] == ["complete"] * 116


@pytest.mark.parametrize(
    ("name", "verdict", "titles"),
    [
        ("page_sample.xml", "damaged", 3),
        ("testFormattingError.xml", "damaged", 2),
        ("testFormattingError2.xml", "damaged", 2),
        ("zhwiki-broken-1.xml", "damaged", 0),
        ("zhwiki-broken-2.xml", "complete", 1),
        ("zhwiki-broken-3.xml", "damaged", 0),
        ("zhwiki-broken-4.xml", "complete", 0),
    ],
)
def test_malformed_files(name: str, verdict: str, titles: int, tmp_path: Path) -> None:
    folder = mine(tmp_path / "out", str(FOLDER / "malformed" / name))
    assert check_folder(folder)[0] == titles
    (entry,) = json.loads((folder / "manifest.json").read_text())["steps"]["wiki"]["inputs"]
    assert entry["verdict"] == verdict
    assert bool(entry["places"]) == (verdict == "damaged")
