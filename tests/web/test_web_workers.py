"""The same bytes of a crawl from one worker, from two processes, and from a job service."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anchormine.pipelines import web
from anchormine.pipelines.cli import main
from anchormine.pipelines.crawl_entry import crawl_entry, language_lines
from anchormine.transforms.crawl_plan import CrawlFile, CrawlPlan
from tests.demo.make_crawl import CRAWL
from tests.pipelines.command_runs import read_table
from tests.pipelines.worker_rigs import assert_same, job_service, run_command, run_step
from tests.web.case_files import read_cases
from tests.web.small_crawls import html, response, warc, warc_gz
from tests.web.test_web_command import RECORDS

__all__ = ["job_service"]  # a fixture


@pytest.fixture(scope="module")
def crawl(tmp_path_factory) -> Path:
    """The records in three files, of which some point into others."""
    folder = tmp_path_factory.mktemp("crawl")
    (folder / "a.warc.gz").write_bytes(warc_gz(*RECORDS[:4]))
    (folder / "b.warc").write_bytes(warc(*RECORDS[4:9]))
    (folder / "c.warc.gz").write_bytes(warc_gz(*RECORDS[9:]))
    return folder


@pytest.mark.slow
def test_workers(crawl: Path, job_service: list[str], tmp_path: Path) -> None:
    one = run_step("web", tmp_path / "1", str(crawl), "--workers", "1")
    assert_same(one, run_step("web", tmp_path / "2", str(crawl), "--workers", "2"))
    assert_same(one, run_step("web", tmp_path / "3", str(crawl), *job_service))
    sections = [json.loads((tmp_path / name / "manifest.json").read_text())["steps"]["web"] for name in "123"]
    assert [(section["workers"], section["runner"]) for section in sections] == [
        (1, "DirectRunner"),
        (2, "DirectRunner"),
        (None, "PortableRunner"),
    ]


@pytest.mark.slow
def test_workers_that_met_other_pages_before(tmp_path: Path) -> None:
    """What a page gives does not hang on what its worker read before: in each file that is another."""
    folder = tmp_path / "crawl"
    folder.mkdir()
    pages = [response(f"http://a.test/{number}", html(case.html)) for number, case in enumerate(read_cases())]
    twice = [response(f"http://b.test/{number}", html(case.html)) for number, case in enumerate(read_cases())]
    for name, records in (("a", pages), ("b", twice[::-1])):
        (folder / f"{name}.warc.gz").write_bytes(warc_gz(*records))
    one = run_step("web", tmp_path / "1", str(folder), "--workers", "1")
    assert_same(one, run_step("web", tmp_path / "2", str(folder), "--workers", "2"))


@pytest.mark.slow
def test_all_steps_of_a_crawl(job_service: list[str], tmp_path: Path) -> None:
    """From records to pairs, with the rules and the classifier in between."""
    rigs = {"1": ["--workers", "1"], "2": ["--workers", "2"], "3": job_service}
    for name, rig in rigs.items():
        folder = run_step("web", tmp_path / name, str(CRAWL), *rig)
        run_command("filter", str(folder), *rig)
        run_command("pairs", str(folder), "--task", "anchor_document", "codoc", *rig)
    one, two, service = (tmp_path / name for name in rigs)
    assert len(read_table(one, "pairs/anchor_document")) == 30
    assert_same(one, two)
    assert_same(one, service)


@pytest.mark.slow
def test_workers_that_write_groups_of_files(
    crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "_GROUP_FILE_BYTES", 1)
    for workers in "12":
        arguments = ["web", str(crawl), "--output", str(tmp_path / workers), "--workers", workers]
        assert main([*arguments, "--progress", "none"]) == 0
    assert len(list((tmp_path / "1" / "pages").iterdir())) == 2
    assert_same(tmp_path / "1", tmp_path / "2")


@pytest.mark.parametrize("order", [("fr", "de", "it"), ("it", "de", "fr")])
def test_the_language_of_a_crawl_is_that_of_half_its_pages_and_the_first_of_two(
    order: tuple[str, ...],
) -> None:
    pages = {"fr": 2, "de": 2, "it": 1}
    counts = {"links.read": 9, **{f"languages.{code}": pages[code] for code in order}}
    for written, language in ((4, "de"), (5, None)):  # the fifth names one, too
        entry = crawl_entry("x", {**counts, "pages.written": written}, None, None)
        assert (entry["language"], entry["languages"]) == (language, ["de", "fr", "it"])
    assert crawl_entry("x", {"links.read": 9, "pages.written": 1}, None, None)["language"] is None


@pytest.mark.parametrize(("told", "lines"), [(9, []), (8, ["2 of 10"])])
def test_pages_that_name_no_language_are_told_where_they_are_many(told: int, lines: list[str]) -> None:
    counts = {"pages.written": 10, "languages.de": 1, "languages.fr": told - 1}
    advice = "pages name no language; if all pages are of one, name it by --language"
    assert list(language_lines(counts)) == [f"{line} {advice}" for line in lines]


def test_files_whose_rows_one_worker_writes() -> None:
    """128 MiB of input or what is left of it, by where each file starts; a larger file has a group."""
    mib = 1 << 20
    sizes = [100 * mib, 28 * mib - 1, 1, 127 * mib, mib, 300 * mib, 0, 1]
    files = tuple(CrawlFile(f"{number}.warc", size, None) for number, size in enumerate(sizes))
    assert web.shard_groups(CrawlPlan(files, (), ())) == (0, 0, 0, 1, 1, 2, 4, 4)
