"""The same bytes of real crawls from one worker, from two processes, and from a job service."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.crawls.command_results import Result, add, mine, section
from tests.pipelines.worker_rigs import assert_same, job_service
from tests.web.crawl_files import FOLDER, needs_crawls

__all__ = ["job_service"]  # a fixture

pytestmark = [pytest.mark.data, pytest.mark.slow, needs_crawls]


def workers_of(folder: Path, step: str) -> tuple[int | None, str]:
    """How a step was run."""
    found = section(folder, step)
    return found["workers"], found["runner"]


def test_all_files_by_two_workers(everything: Result, tmp_path: Path) -> None:
    two = mine(tmp_path / "2", FOLDER, "--workers", "2")
    assert (two.status, two.err) == (0, everything.err)
    assert_same(everything.folder, two.folder)
    assert workers_of(everything.folder, "web") == (1, "DirectRunner")
    assert workers_of(two.folder, "web") == (2, "DirectRunner")


def test_all_files_by_a_job_service(everything: Result, job_service: list[str], tmp_path: Path) -> None:
    service = mine(tmp_path / "3", FOLDER, *job_service)
    assert service.status == 0, service.err
    assert_same(everything.folder, service.folder)
    assert workers_of(service.folder, "web") == (None, "PortableRunner")


def test_filters_and_pairs(two_crawls: Result, job_service: list[str], tmp_path: Path) -> None:
    folders = []
    for name, rig in {"1": ["--workers", "1"], "2": ["--workers", "2"], "3": job_service}.items():
        folder = Path(shutil.copytree(two_crawls.folder, tmp_path / name))
        for step, options in {
            "filter": ["--same-site", "off", "--device", "cpu"],
            "pairs": ["--task", "anchor_document", "codoc"],
        }.items():
            result = add(step, folder, *options, *rig)
            assert result.status == 0, result.err
        folders.append(folder)
    one, two, service = folders
    assert_same(one, two)
    assert_same(one, service)
    assert [workers_of(folder, "pairs") for folder in folders] == [
        (1, "DirectRunner"),
        (2, "DirectRunner"),
        (None, "PortableRunner"),
    ]
