"""Pairs of real crawls: their texts, the records that they come from, and a trainer that takes them."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from anchormine.web.urls import canonical_url
from tests.crawls.command_results import Result, add, column, rows
from tests.crawls.test_provenance import head_at, opened
from tests.pipelines.command_runs import funnel
from tests.pipelines.test_anchor_document_command import check_passages
from tests.pipelines.test_pairs_in_trainers import check_two_steps
from tests.web.crawl_files import FOLDER, needs_crawls

pytestmark = [pytest.mark.data, pytest.mark.slow, needs_crawls]

PAIRS = """\
task                   pairs          tokens   query words   document words
codoc                    975         198,046        101.60           101.53
anchor_document {:>12}"""


@pytest.fixture(scope="module")
def paired(two_crawls: Result, tmp_path_factory: pytest.TempPathFactory) -> Result:
    """The pairs of what the classifier keeps. Few links leave a site there, so those within one stay."""
    folder = Path(shutil.copytree(two_crawls.folder, tmp_path_factory.mktemp("pairs") / "folder"))
    filtered = add("filter", folder, "--same-site", "off", "--device", "cpu")
    assert filtered.status == 0, filtered.err
    return add("pairs", folder, "--task", "anchor_document", "codoc")


def test_what_is_printed_and_counted(paired: Result) -> None:
    assert (paired.status, paired.err) == (0, "anchormine: pairs are made of filtered/\n")
    row = funnel(paired.folder, "filter")["anchors"]
    kept, by_rules = row["written"], {"header_footer": 7163, "cleaning": 339, "keywords": 428}
    assert kept == pytest.approx(17772, rel=0.01)  # a score's last digit hangs on the kind of CPU
    assert (row["read"], row["rejected"]) == (66801, by_rules | {"classifier": 58871 - kept})
    inside = sum(bool(page) for page in column(paired.folder, "filtered", "destination_page_id"))
    pairs = len(column(paired.folder, "pairs/anchor_document", "pair_id"))
    assert inside == pytest.approx(9206, rel=0.01)
    assert pairs == pytest.approx(393, rel=0.01)
    assert PAIRS.format(pairs) in paired.out
    assert {
        unit: (row["read"], row["written"], row["rejected"])
        for unit, row in funnel(paired.folder, "pairs").items()
    } == {
        "anchors": (kept, inside, {"no_destination": kept - inside}),
        "pairs-codoc": (1885, 975, {"empty_document": 1, "few_passages": 909}),
        "pairs-anchor_document": (inside, pairs, {"duplicate": inside - pairs}),
    }


def test_every_pair(paired: Result) -> None:
    """A query is the clean text of a link that was kept; at most five lead to a page, each once."""
    pages = {row["page_id"]: row for row in rows(paired.folder, "pages")}
    kept = {row["anchor_id"]: row for row in rows(paired.folder, "filtered")}
    inside = [row for row in kept.values() if row["destination_page_id"]]
    uses = Counter((row["destination_page_id"], row["anchor_clean"].casefold()) for row in inside)
    pairs = list(rows(paired.folder, "pairs/anchor_document"))
    for pair in pairs:
        anchor = kept[pair["anchor_id"]]
        assert (pair["query"], pair["document_id"]) == (anchor["anchor_clean"], anchor["destination_page_id"])
        assert pair["document"] == pages[pair["document_id"]]["text"]
        assert pair["occurrences"] == uses[pair["document_id"], pair["query"].casefold()]
    assert len({(pair["document_id"], pair["query"].casefold()) for pair in pairs}) == len(pairs)
    expected = {page: min(5, count) for page, count in Counter(page for page, _ in uses).items()}
    assert Counter(pair["document_id"] for pair in pairs) == expected
    check_passages(paired.folder)


def test_every_origin_can_be_opened(paired: Result) -> None:
    """At its byte of its file stands the record of the page with the link."""
    anchors = {row["anchor_id"]: row for row in rows(paired.folder, "filtered")}
    pairs = {row["pair_id"]: row for row in rows(paired.folder, "pairs/anchor_document")}
    files: Counter[str] = Counter()
    for row in rows(paired.folder, "provenance/anchor_document"):
        anchor = anchors[pairs.pop(row["pair_id"])["anchor_id"]]
        assert row["anchor_id"] == anchor["anchor_id"]
        head = head_at(opened(FOLDER / row["warc_file"], row["warc_offset"]))
        assert (canonical_url(head.url), head.date) == (row["source_url"], row["timestamp"])
        assert row["source_url"] == anchor["source_url"]
        files[row["warc_file"]] += 1
    assert pairs == {}
    assert dict(files) == {
        "blackbook.warc.gz": pytest.approx(27, abs=2), "contextwiki-00000.warc.gz": pytest.approx(124, abs=2),
        "contextwiki-00001.warc.gz": pytest.approx(242, abs=2),
    }  # fmt: skip


@pytest.mark.parametrize("task", ["anchor_document", "codoc"])
def test_two_steps_of_sentence_transformers(
    paired: Result, task: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    check_two_steps(paired.folder, task, tmp_path)
