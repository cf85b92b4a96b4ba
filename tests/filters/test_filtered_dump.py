"""`anchormine filter` with a classifier on the anchors of a real wiki."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.crawls.command_results import Result, add, column, mine, rows
from tests.pipelines.command_runs import funnel
from tests.wiki.real_dumps import FOLDER, needs_dumps

pytestmark = [pytest.mark.data, pytest.mark.slow, needs_dumps]

READ = 64694
RULES = {"cleaning": 647, "keywords": 484}  # length: none
DECIDED = r"(?m)^classifier: 13,818 distinct texts, 3,455 kept \(25\.0 %\), from score (.*) on; held-out AUC "


@pytest.fixture(scope="module")
def articles(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """Articles of a small wiki and their anchors."""
    (dump,) = FOLDER.glob("indiewebwiki-*-multistream.xml.bz2")
    return mine(tmp_path_factory.mktemp("articles") / "folder", dump, step="wiki")


def test_without_being_asked_for_no_classifier_judges_a_wiki(articles: Result) -> None:
    result = add("filter", articles.folder)
    assert (result.status, result.err) == (0, "")
    row = funnel(articles.folder, "filter")["anchors"]
    assert (row["read"], row["written"], row["rejected"]) == (READ, READ - sum(RULES.values()), RULES)
    assert set(column(articles.folder, "filtered", "query_score")) == {None}


def test_the_classifier_keeps_the_best_quarter_of_the_texts(articles: Result) -> None:
    """Of each distinct text all links or none; how many that are hangs a little on the kind of CPU."""
    ids = ["anchor_id", "anchor_clean"]
    add("filter", articles.folder, "--overwrite")
    before = {row["anchor_id"]: row["anchor_clean"].lower() for row in rows(articles.folder, "filtered", ids)}
    result = add("filter", articles.folder, "--classifier", "default", "--device", "cpu", "--overwrite")
    assert (result.status, result.err) == (0, "")
    (threshold,) = re.findall(DECIDED, result.out)
    kept = list(rows(articles.folder, "filtered"))
    scores = {row["anchor_clean"].lower(): row["query_score"] for row in kept}
    assert (len(set(before.values())), len(scores)) == (13818, 3455)
    assert {row["anchor_id"] for row in kept} == {name for name, text in before.items() if text in scores}
    assert all(row["query_score"] == scores[row["anchor_clean"].lower()] for row in kept)
    assert round(min(scores.values()), 4) == float(threshold)
    dropped = RULES | {"classifier": len(before) - len(kept)}
    assert Counter(column(articles.folder, "rejects/filter", "reason")) == dropped
    row = funnel(articles.folder, "filter")["anchors"]
    assert (row["read"], row["written"], row["rejected"]) == (READ, len(kept), dropped)
    assert len(kept) == pytest.approx(9557, rel=0.05)
