"""The same bytes of a crawl from one worker, from two processes, and from a job service."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pipelines.worker_rigs import assert_same, job_service, run_step
from tests.web.small_crawls import warc, warc_gz
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
