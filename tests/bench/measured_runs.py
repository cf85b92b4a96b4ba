"""CPU seconds and memory of commands, and ratios of what took turns in one run."""

from __future__ import annotations

import os
import statistics
import subprocess
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}


def children_seconds(command: Sequence[str], cwd: Path | None = None) -> tuple[float, float]:
    """CPU seconds of a command and all its processes, and its own peak memory in MB."""
    before = os.times()
    process = subprocess.Popen(
        command, cwd=cwd, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stderr
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command}: {errors.decode()[-500:]}")
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds, usage.ru_maxrss / 1024


def ratio_of(seconds: dict[str, list[float]], above: str, below: str) -> dict[str, float]:
    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    return {**medians, "ratio": medians[above] / medians[below]}
