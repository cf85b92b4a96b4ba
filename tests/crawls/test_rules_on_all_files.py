"""Sets of rules, and a file that switches on those that are off, on the links of all real crawl files."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.crawls.command_results import Result, add, column, rows, section
from tests.filters.test_released_program import lines, released_program
from tests.pipelines.command_runs import funnel
from tests.web.crawl_files import needs_crawls

pytestmark = [pytest.mark.data, pytest.mark.slow, needs_crawls]

SHARD = "train-00000-of-00001.parquet"
RULE_FILE = """\
base = "none"
rules = ["nofollow", "robots", "cleaning", "length"]
[length]
max_words = 3
"""
NOT_FOLLOWED = {"nofollow", "ugc", "sponsored"}
# What each set drops of 516,541 links.
SETS: dict[str, dict[str, int]] = {
    "none": {},
    "anchor-dr": {"header_footer": 100784, "same_site": 401482, "cleaning": 293, "keywords": 117},
    "anchor-dr-code": {"header_footer": 100784, "same_site": 397303, "cleaning": 420, "keywords": 112},
    "wikipedia": {"cleaning": 3232, "keywords": 9022, "length": 1},
}


@pytest.fixture(scope="module")
def folder(everything: Result, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(everything.folder, tmp_path_factory.mktemp("rules") / "folder"))


def filtered(folder: Path, rules: str) -> dict[str, int]:
    """Filters a folder anew. Returns what was dropped, by rule."""
    result = add("filter", folder, "--rules", rules, "--classifier", "none", "--overwrite")
    assert result.status == 0, result.err
    row = funnel(folder, "filter")["anchors"]
    kept = column(folder, "filtered", "anchor_id")
    assert (row["read"], row["written"], row["unreadable"]) == (516541, len(kept), 0)
    assert Counter(column(folder, "rejects/filter", "reason")) == row["rejected"]
    together = set(kept) | set(column(folder, "rejects/filter", "record_id"))
    assert len(together) == len(kept) + sum(row["rejected"].values()) == 516541
    return row["rejected"]


@pytest.mark.parametrize("rules", ["anchor-dr", "wikipedia"])
def test_sets_of_rules(folder: Path, rules: str) -> None:
    assert filtered(folder, rules) == SETS[rules]


def test_the_released_program(folder: Path) -> None:
    """Its rules, written anew from their description, keep the same links with the same clean texts."""
    assert filtered(folder, "anchor-dr-code") == SETS["anchor-dr-code"]
    keywords = {line.replace(" ", "") for line in lines("keywords_to_filter_out.txt")}
    urls = dict(zip(column(folder, "pages", "page_id"), column(folder, "pages", "url"), strict=True))
    names = ["anchor_id", "anchor", "region", "source_url", "destination_page_id", "target"]
    expected = {}
    for row in rows(folder, "anchors", names):
        flag = "1" if row["region"] in ("header", "footer", "nav", "aside") else ""
        page_url = urls.get(row["destination_page_id"], row["target"])
        clean = released_program([row["source_url"], "", row["anchor"], flag, "en"], page_url, keywords)
        if clean:
            expected[row["anchor_id"]] = clean
    kept = rows(folder, "filtered", ["anchor_id", "anchor_clean"])
    assert {row["anchor_id"]: row["anchor_clean"] for row in kept} == expected
    assert len(expected) == 17922


def test_no_rules_leave_all_as_it_is(folder: Path) -> None:
    assert filtered(folder, "none") == SETS["none"]
    before, kept = (pq.read_table(folder / table / SHARD) for table in ("anchors", "filtered"))
    assert kept.select(before.column_names).equals(before)
    assert kept["anchor_clean"].equals(before["anchor"])
    assert {kept[name].null_count for name in ("query_score", "query_threshold")} == {516541}


def test_a_rule_file(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(RULE_FILE)
    rejected = filtered(folder, str(tmp_path / "rules.toml"))
    assert rejected == {"nofollow": 18699, "robots": 81, "cleaning": 2871, "length": 23293}
    told = column(folder, "pages", "robots")
    expected = {
        page: "nofollow" in value or "noindex" in value
        for page, value in zip(column(folder, "pages", "page_id"), told, strict=True)
        if value
    }
    found: dict[str, str] = {}
    for row in rows(folder, "anchors", ["anchor_id", "rel", "source_page_id"]):
        if NOT_FOLLOWED & {*(row["rel"] or "").lower().split()}:
            found[row["anchor_id"]] = "nofollow"
        elif expected.get(row["source_page_id"]):
            found[row["anchor_id"]] = "robots"
    rejects = list(rows(folder, "rejects/filter", ["record_id", "reason"]))
    by_head = {row["record_id"]: row["reason"] for row in rejects if row["reason"] in ("nofollow", "robots")}
    assert by_head == found
    constants = section(folder, "filter")["options"]["constants"]
    assert constants["length"] == {"max_words": 3, "unspaced": True}
    assert max(len(text.split()) for text in column(folder, "filtered", "anchor_clean")) == 3
