"""The same bytes from one worker, from two processes, and from a job service with workers of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

import anchormine
from anchormine.pipelines.cli import main
from tests.pipelines.worker_rigs import assert_same, job_service, run_step
from tests.wiki.real_dumps import FOLDER, needs_dumps

__all__ = ["job_service"]  # a fixture

DEMO = Path(anchormine.__file__).parent / "demo" / "wiki.xml"


@pytest.fixture(scope="module")
def one_worker(tmp_path_factory) -> Path:
    return run_step("wiki", tmp_path_factory.mktemp("one") / "out", str(DEMO), "--workers", "1")


def test_two_worker_processes(one_worker: Path, tmp_path: Path) -> None:
    assert_same(one_worker, run_step("wiki", tmp_path / "out", str(DEMO), "--workers", "2"))


def test_again_with_relative_paths_from_another_folder(one_worker: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "wiki.xml").write_bytes(DEMO.read_bytes())
    found = run_step("wiki", Path("out"), "in/wiki.xml", "--workers", "1", cwd=tmp_path)
    assert_same(one_worker, found)


@pytest.mark.slow
def test_job_service(one_worker: Path, job_service: list[str], tmp_path: Path) -> None:
    assert_same(one_worker, run_step("wiki", tmp_path / "out", str(DEMO), *job_service))


@pytest.mark.slow
def test_job_service_from_another_folder(one_worker: Path, job_service: list[str], tmp_path: Path) -> None:
    """The workers are started elsewhere: relative paths mean the launcher's folder."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "wiki.xml").write_bytes(DEMO.read_bytes())
    assert_same(one_worker, run_step("wiki", Path("out"), "in/wiki.xml", *job_service, cwd=tmp_path))


@pytest.mark.slow
def test_in_this_process(one_worker: Path, tmp_path: Path) -> None:
    arguments = ["wiki", str(DEMO), "--output", str(tmp_path / "out"), "--workers", "1", "--progress", "none"]
    assert main(arguments) == 0
    assert_same(one_worker, tmp_path / "out")


@pytest.mark.data
@pytest.mark.slow
@needs_dumps
@pytest.mark.parametrize("name", ["vlswiki-20090430-pages-articles-multistream", "itwiki-small-dump"])
def test_real_dumps(name: str, job_service: list[str], tmp_path: Path) -> None:
    (path,) = FOLDER.glob(f"{name}.xml.*")
    one = run_step("wiki", tmp_path / "1", str(path), "--workers", "1")
    assert_same(one, run_step("wiki", tmp_path / "2", str(path), "--workers", "2"))
    assert_same(one, run_step("wiki", tmp_path / "3", str(path), *job_service))
