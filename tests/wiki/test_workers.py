"""The same bytes from one worker, from two processes, and from a job service with workers of its own."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import anchormine
from anchormine.pipelines.cli import main
from tests.pipelines.command_runs import checksums
from tests.wiki.real_dumps import FOLDER, needs_dumps

DEMO = Path(anchormine.__file__).parent / "demo" / "wiki.xml"
ROOT = Path(anchormine.__file__).parents[1]
ENVIRONMENT = os.environ | {
    "PYTHONPATH": os.pathsep.join(path for path in [str(ROOT), os.environ.get("PYTHONPATH", "")] if path)
}


def anchormine_wiki(folder: Path, *arguments: str, cwd: Path | None = None) -> Path:
    """Runs the command in a process of its own, as a user does."""
    command = [sys.executable, "-m", "anchormine.pipelines.cli", "wiki", *arguments, "--output", str(folder)]
    done = subprocess.run(command, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder if cwd is None else cwd / folder


def manifest_without_run(folder: Path) -> dict[str, Any]:
    """The manifest without what may differ between two equal runs."""
    manifest = json.loads((folder / "manifest.json").read_text())
    for section in manifest["steps"].values():
        for name in ("started", "finished", "workers", "runner"):
            del section[name]
        for entry in section["inputs"]:
            del entry["path"]
    return manifest


def assert_same(one: Path, other: Path) -> None:
    assert checksums(one) == checksums(other)
    assert manifest_without_run(one) == manifest_without_run(other)


@pytest.fixture(scope="module")
def one_worker(tmp_path_factory) -> Path:
    return anchormine_wiki(tmp_path_factory.mktemp("one") / "out", str(DEMO), "--workers", "1")


@pytest.fixture(scope="module")
def job_service() -> Iterator[list[str]]:
    """Options for Beam's own job service without Java, and a pool of worker processes."""
    job_port, pool_port = free_port(), free_port()
    # The pool starts plain `python`: it is to be this one.
    environment = ENVIRONMENT | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    modules = (
        ["local_job_service_main", "-p", str(job_port)],
        ["worker_pool", f"--service_port={pool_port}"],
    )
    places = {
        "worker_pool": "worker.worker_pool_main",
        "local_job_service_main": "portability.local_job_service_main",
    }
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", f"apache_beam.runners.{places[name]}", *options],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for name, *options in modules
    ]
    try:
        for port in (job_port, pool_port):
            wait_for(port)
        yield [
            "--runner=PortableRunner",
            f"--job_endpoint=localhost:{job_port}",
            "--environment_type=EXTERNAL",
            f"--environment_config=localhost:{pool_port}",
        ]
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return probe.getsockname()[1]


def wait_for(port: int, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("localhost", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError(f"nothing listens on port {port}")


def test_two_worker_processes(one_worker: Path, tmp_path: Path) -> None:
    assert_same(one_worker, anchormine_wiki(tmp_path / "out", str(DEMO), "--workers", "2"))


def test_again_with_relative_paths_from_another_folder(one_worker: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "wiki.xml").write_bytes(DEMO.read_bytes())
    found = anchormine_wiki(Path("out"), "in/wiki.xml", "--workers", "1", cwd=tmp_path)
    assert_same(one_worker, found)


@pytest.mark.slow
def test_job_service(one_worker: Path, job_service: list[str], tmp_path: Path) -> None:
    assert_same(one_worker, anchormine_wiki(tmp_path / "out", str(DEMO), *job_service))


@pytest.mark.slow
def test_job_service_from_another_folder(one_worker: Path, job_service: list[str], tmp_path: Path) -> None:
    """The workers are started elsewhere: relative paths mean the launcher's folder."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "wiki.xml").write_bytes(DEMO.read_bytes())
    assert_same(one_worker, anchormine_wiki(Path("out"), "in/wiki.xml", *job_service, cwd=tmp_path))


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
    one = anchormine_wiki(tmp_path / "1", str(path), "--workers", "1")
    assert_same(one, anchormine_wiki(tmp_path / "2", str(path), "--workers", "2"))
    assert_same(one, anchormine_wiki(tmp_path / "3", str(path), *job_service))
