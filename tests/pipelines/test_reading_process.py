"""The process that reads a page ends with the run that it reads for."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.pipelines.running_processes import running_processes
from tests.pipelines.test_interrupted_runs import SECONDS, start
from tests.wiki.small_dumps import dump, page


def reader_of(process: subprocess.Popen) -> int:
    """Waits until a run, or a worker process of it, has a process that reads a page."""
    until = time.monotonic() + SECONDS
    while True:
        assert process.poll() is None
        assert time.monotonic() < until
        running = running_processes()
        for number, (parent, arguments) in running.items():
            is_reader = "anchormine.hypertext.reading_process" in arguments
            if is_reader and process.pid in (parent, running.get(parent, (0, ""))[0]):
                return number


def check_end(number: int) -> None:
    """Waits until a process is no more, or nobody but its parent knows of it."""
    until = time.monotonic() + SECONDS / 6
    with suppress(ProcessLookupError, FileNotFoundError):
        while Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
            assert time.monotonic() < until
            time.sleep(0.02)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems let it go on with its page")
@pytest.mark.parametrize(
    ("workers", "number", "status", "said"),
    [
        ("1", signal.SIGINT, 130, "anchormine: interrupted; nothing was published\n"),
        ("2", signal.SIGINT, 130, "anchormine: interrupted; nothing was published\n"),
        ("2", signal.SIGTERM, 143, "anchormine: interrupted; nothing was published\n"),
        ("1", signal.SIGKILL, -signal.SIGKILL, ""),
    ],
)
def test_what_reads_a_page_ends_with_the_run(
    tmp_path: Path, workers: str, number: int, status: int, said: str
) -> None:
    """Without a word, also where Ctrl-C reaches it too."""
    source = tmp_path / "w.xml"
    source.write_bytes(dump(page(1, "Slow", "\n* [[a" * 2_600_000)))  # takes half a minute
    process = start(source, tmp_path / "out", "--workers", workers, "--page-timeout", "600")
    reader = reader_of(process)
    time.sleep(2)
    for each in (reader, process.pid) if number == signal.SIGINT else (process.pid,):
        os.kill(each, number)
    process.wait(SECONDS)
    check_end(reader)
    out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out, err) == (status, "", said)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems may bound no memory")
@pytest.mark.parametrize(("soft", "hard", "bound"), [(3, 3, 3), (3, 8, 3), (8, 8, 4), (-1, -1, 4)])
def test_a_lower_bound_of_memory_stays(soft: int, hard: int, bound: int) -> None:
    """That of `ulimit -v`, which only some users may raise."""
    gib = 1 << 30
    limits = tuple(resource.RLIM_INFINITY if size < 0 else size * gib for size in (soft, hard))
    program = (
        "import resource\n"
        "from anchormine.hypertext.reading_process import bound_memory\n"
        f"resource.setrlimit(resource.RLIMIT_AS, {limits})\n"
        "print(bound_memory(), resource.getrlimit(resource.RLIMIT_AS))\n"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout == f"{bound * gib} {(bound * gib, limits[1])}\n"
