"""Limits and options of `anchormine web` on real files, and what it says of another command's input."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.crawls.command_results import Result, add, mine, rows
from tests.pipelines.command_runs import funnel
from tests.web.crawl_files import FOLDER, needs_crawls
from tests.web.small_crawls import html, response, warc_gz

pytestmark = [pytest.mark.data, pytest.mark.slow, needs_crawls]

CRAWL = FOLDER / "commoncrawl-50-records.warc.gz"
DUMPS = FOLDER.parent / "wiki"
ITWIKI = DUMPS / "itwiki-small-dump.xml.gz"
NAMES = (
    "no file in this folder has a name that ends in .warc, .warc.gz, .warc.zst, .arc, .arc.gz or the like; "
    "name the files, or give a glob in quotation marks"
)
NO_FOLDER = "is a folder; give the files in it, such as"
DUMP = "a MediaWiki dump; `anchormine wiki` reads it"
READS_IT = "a file of a crawl; `anchormine web` reads it"
LINKS = 90_000  # of a page that takes seconds
THREAD = "http://0513mt.com/thread-12161220-1-1.html"  # two links of the crawl lead to it, with utm_source


def pages_of(result: Result) -> tuple[int, dict[str, int]]:
    """How many were written, and what was set aside."""
    assert result.status == 0, result.err
    row = funnel(result.folder, "web")["pages"]
    return row["written"], row["rejected"]


def test_the_same_file_without_a_limit(tmp_path: Path) -> None:
    assert pages_of(mine(tmp_path / "out", CRAWL)) == (16, {})


@pytest.mark.parametrize("option", ["--max-page-characters", "--max-payload-bytes"])
def test_a_page_that_is_too_large_costs_that_page(option: str, tmp_path: Path) -> None:
    result = mine(tmp_path / "out", CRAWL, option, "50000")
    assert pages_of(result) == (14, {"too_large": 2})
    dropped = [row for row in rows(result.folder, "rejects/web") if row["reason"] == "too_large"]
    whole = mine(tmp_path / "whole", CRAWL)
    urls = {row["page_id"] for row in rows(whole.folder, "pages", ["page_id"])}
    left = {row["page_id"] for row in rows(result.folder, "pages", ["page_id"])}
    assert urls - left == {row["record_id"] for row in dropped}
    assert left < urls


def test_a_page_that_takes_too_long_costs_that_page(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    shutil.copy(CRAWL, tmp_path / "in")
    long = html("".join(f"<p>A <a href=/{number}>pier</a>." for number in range(LINKS)))
    (tmp_path / "in" / "long.warc.gz").write_bytes(warc_gz(response("http://harbour.example/", long)))
    assert pages_of(mine(tmp_path / "all", tmp_path / "in", "--page-timeout", "600")) == (17, {})
    result = mine(tmp_path / "out", tmp_path / "in", "--page-timeout", "0.5")
    assert pages_of(result) == (16, {"timeout": 1})
    (row,) = [row for row in rows(result.folder, "rejects/web") if row["unit"] == "pages"]
    assert row["origin"].startswith("long.warc.gz@")


def test_a_limit_that_leaves_no_page(tmp_path: Path) -> None:
    result = mine(tmp_path / "out", CRAWL, "--max-page-characters", "100")
    assert (result.status, result.out, result.err) == (
        1,
        "",
        f"anchormine: {CRAWL}: no page could be read (50 records; set aside: too_large); see "
        "--max-page-characters and --max-payload-bytes; nothing was published\n",
    )
    assert not result.folder.exists()


@pytest.mark.parametrize(("options", "inside"), [((), 2), (("--keep-tracking",), 0)])
def test_tracking_parameters(options: tuple[str, ...], inside: int, tmp_path: Path) -> None:
    (tmp_path / "thread.warc.gz").write_bytes(warc_gz(response(THREAD, html("<p>A thread."))))
    result = mine(tmp_path / "out", CRAWL, tmp_path / "thread.warc.gz", *options)
    assert pages_of(result) == (17, {})
    found = [row for row in rows(result.folder, "anchors") if row["target"].startswith(f"{THREAD}?utm_")]
    assert len(found) == 2
    assert sum(row["destination_page_id"] is not None for row in found) == inside


def test_a_real_wiki_is_filtered_by_the_rules_of_wikis(tmp_path: Path) -> None:
    mined = mine(tmp_path / "out", ITWIKI, step="wiki")
    assert mined.status == 0, mined.err
    assert funnel(mined.folder, "wiki")["links"]["written"] == 59356
    result = add("filter", mined.folder)
    row = funnel(mined.folder, "filter")["anchors"]
    assert (row["read"], row["written"], row["rejected"]) == (59356, 51529, {"cleaning": 7824, "keywords": 3})
    assert [line.split()[:3] for line in result.out.splitlines()[5:10]] == [
        ["after", "documents", "anchors"],
        ["all", "32,541", "59,356"],
        ["cleaning", "31,068", "51,532"],
        ["keywords", "31,065", "51,529"],
        ["length", "31,065", "51,529"],
    ]


@pytest.mark.parametrize(
    ("step", "inputs", "status", "said"),
    [
        ("web", [ITWIKI], 1, f"{ITWIKI}: {DUMP}; nothing was published"),
        (
            "web", [DUMPS], 2,
            f"{DUMPS}: {NAMES}; dewiki-20170701-sample.xml.bz2 is {DUMP}",
        ),
        ("wiki", [CRAWL], 1, f"{CRAWL}: {READS_IT}; nothing was published"),
        (
            "wiki", [FOLDER / "blackbook.arc.gz", FOLDER / "clueweb09-en0040-54-sample.warc.gz"], 1,
            f"{FOLDER / 'blackbook.arc.gz'} (and 1 more file): {READS_IT}; nothing was published",
        ),
        (
            "wiki", [FOLDER], 2,
            f"{FOLDER}: {NO_FOLDER} '{FOLDER}/*'; blackbook.arc.gz is {READS_IT}",
        ),
    ],
    ids=["dump", "dumps", "warc", "arc", "crawl"],
)  # fmt: skip
def test_input_of_another_command(
    step: str, inputs: list[Path], status: int, said: str, tmp_path: Path
) -> None:
    result = mine(tmp_path / "out", *inputs, step=step)
    assert (result.status, result.out, result.err) == (status, "", f"anchormine: {said}\n")
    assert not result.folder.exists()


def test_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    result = mine(tmp_path / "out", tmp_path / "in")
    assert (result.status, result.err) == (2, f"anchormine: {tmp_path / 'in'}: {NAMES}\n")
    assert not result.folder.exists()
