"""What the benchmarks measure of commands."""

import sys

import pytest

from tests.bench.measured_runs import children_seconds

_MEGABYTE = 1 << 20


def test_peak_memory_is_that_of_the_command_alone() -> None:
    taken = b"x" * (300 * _MEGABYTE)
    _, small = children_seconds([sys.executable, "-c", "pass"])
    _, large = children_seconds([sys.executable, "-c", f"taken = b'x' * {len(taken)}"])
    assert small < 100
    assert 300 < large < 400


def test_cpu_seconds_are_those_of_all_its_processes() -> None:
    spin = "import time; [0 for _ in iter(lambda: time.process_time() < .5, False)]"
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {spin!r}])"
    seconds, _ = children_seconds([sys.executable, "-c", child])
    assert 0.5 < seconds < 1.5


def test_a_command_that_fails_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="no such thing"):
        children_seconds([sys.executable, "-c", "raise SystemExit('no such thing')"])
