"""The same bytes of a collection from one worker, from two processes, and from a job service."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.clueweb22.small_collection import write_collection
from tests.pipelines.worker_rigs import assert_same, job_service, run_step

__all__ = ["job_service"]  # a fixture


@pytest.mark.slow
@pytest.mark.parametrize("links", ["inlink", "outlink"])
def test_workers(links: str, job_service: list[str], tmp_path: Path, monkeypatch) -> None:
    root = str(write_collection(tmp_path / "in", "txt", links))
    one = run_step("clueweb22", tmp_path / "1", root, "--workers", "1")
    assert_same(one, run_step("clueweb22", tmp_path / "2", root, "--workers", "2"))
    assert_same(one, run_step("clueweb22", tmp_path / "3", root, *job_service))
