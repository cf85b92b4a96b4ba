"""CPU seconds and memory of commands, and ratios of what took turns in one run."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}


# Linux counts into the peak of a process what the one that started it has: here that is little.
_LAUNCHER = """
import json, os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
times = os.times()
seconds = times.children_user + times.children_system
print(json.dumps([os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss / 1024]))
"""


def children_seconds(command: Sequence[str], cwd: Path | None = None) -> tuple[float, float]:
    """CPU seconds of a command and all its processes, and its own peak memory in MiB."""
    launched = [sys.executable, "-c", _LAUNCHER, *command]
    run = subprocess.run(launched, cwd=cwd, env=ENVIRONMENT, capture_output=True, check=True)
    status, seconds, peak = json.loads(run.stdout)
    if status:
        raise RuntimeError(f"{command}: {run.stderr.decode()[-500:]}")
    return seconds, peak


def pass_seconds(read: Callable[..., object], *arguments: str) -> float:
    """CPU seconds that a function takes in this process, and in children of it that end meanwhile."""
    started = _own_seconds()
    read(*arguments)
    return _own_seconds() - started


def _own_seconds() -> float:
    return sum(os.times()[:4])


def ratio_of(seconds: dict[str, list[float]], above: str, below: str) -> dict[str, float]:
    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    return {**medians, "ratio": medians[above] / medians[below]}
