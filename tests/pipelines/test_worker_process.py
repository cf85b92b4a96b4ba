"""How a worker process of the local runner ends."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from anchormine.pipelines.worker_process import LAUNCHER
from tests.pipelines.test_interrupted_runs import ENVIRONMENT, SECONDS

PROGRAM = """
import atexit, logging, runpy, sys, threading, time
logging.disable()
from apache_beam.runners.worker import sdk_worker_main

class Kept:
    def __del__(self):
        print("taken apart", flush=True)

def serve(_):
    atexit.register(lambda: print("asked to tidy up", flush=True))
    sys.kept = Kept()
    threading.Thread(target=time.sleep, args=({seconds},)).start()
    {end}

sdk_worker_main.main = serve
runpy.run_module("anchormine.pipelines.worker_process", run_name="__main__")
"""


@pytest.mark.parametrize(
    ("end", "status"),
    [("return", 0), ("raise RuntimeError('the launcher is gone')", 1), ("sys.exit(0)", 1)],
    ids=["done", "failed", "left"],
)
def test_python_is_not_taken_apart_under_threads_at_work(end: str, status: int) -> None:
    program = PROGRAM.format(seconds=4 * SECONDS, end=end)
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", program], env=ENVIRONMENT, capture_output=True, text=True, timeout=2 * SECONDS
    )
    assert (done.returncode, done.stdout, done.stderr) == (status, "asked to tidy up\n", "")
    assert time.monotonic() - started < SECONDS


def test_a_launcher_that_is_gone_before_the_worker_is_there() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as launcher:
        launcher.wait()
    program = PROGRAM.format(seconds=4 * SECONDS, end=f"time.sleep({4 * SECONDS})")
    done = subprocess.run(
        [sys.executable, "-c", program], env=ENVIRONMENT | {LAUNCHER: str(launcher.pid)},
        capture_output=True, text=True, timeout=SECONDS,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
