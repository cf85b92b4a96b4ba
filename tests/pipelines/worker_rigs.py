"""Steps as users run them: in a process of their own, with worker processes, and through a job service."""

from __future__ import annotations

import json
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import anchormine
from tests.pipelines.command_runs import checksums

ROOT = Path(anchormine.__file__).parents[1]
ENVIRONMENT = os.environ | {
    "PYTHONPATH": os.pathsep.join(path for path in [str(ROOT), os.environ.get("PYTHONPATH", "")] if path)
}


def run_step(step: str, folder: Path, *arguments: str, cwd: Path | None = None) -> Path:
    """Runs a command that makes a folder, and returns that."""
    run_command(step, *arguments, "--output", str(folder), cwd=cwd)
    return folder if cwd is None else cwd / folder


def run_command(*arguments: str, cwd: Path | None = None) -> None:
    """Runs a command in a process of its own, as a user does."""
    command = [sys.executable, "-m", "anchormine", *arguments]
    done = subprocess.run(command, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def manifest_without_run(folder: Path) -> dict[str, Any]:
    """The manifest without what may differ between two equal runs."""
    manifest = json.loads((folder / "manifest.json").read_text())
    for section in manifest["steps"].values():
        for name in ("started", "finished", "workers", "runner"):
            del section[name]
        for entry in (*section["inputs"], *section["inputs_set_aside"]):
            del entry["path"]
    return manifest


def assert_same(one: Path, other: Path) -> None:
    assert checksums(one) == checksums(other)
    assert manifest_without_run(one) == manifest_without_run(other)


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
    """A port that nobody has, and that no system gives to one who asks for any before it is used."""
    for number in random.SystemRandom().sample(range(20_000, 32_768), 1000):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("localhost", number))
            return number
    raise OSError("all ports are taken")


def wait_for(port: int, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("localhost", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError(f"nothing listens on port {port}")
