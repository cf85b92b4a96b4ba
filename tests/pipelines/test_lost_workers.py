"""Runs whose worker processes are killed, or do not start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import grpc
import pytest

from anchormine.errors import CommandError
from anchormine.pipelines import interruption
from anchormine.pipelines.cli import main
from anchormine.pipelines.interruption import Interrupted, insisting, stop_run, stoppable
from anchormine.pipelines.local_workers import check_threads
from anchormine.pipelines.runner_threads import watch_threads
from tests.pipelines.command_runs import DEMO
from tests.pipelines.running_processes import running_processes
from tests.pipelines.test_interrupted_runs import ENVIRONMENT, SECONDS, long_dump, start
from tests.pipelines.test_reading_process import check_end

__all__ = ["long_dump"]  # a fixture

KILLED = (
    "anchormine: a worker process was killed (SIGKILL), perhaps because memory ran out; nothing was published"
    ": give fewer --workers\n"
)
NEEDS_NONE = "nothing was published: give --workers 1, which needs none\n"


def workers_of(process: subprocess.Popen) -> list[int]:
    """Waits until a run has two worker processes."""
    until = time.monotonic() + SECONDS
    found: list[int] = []
    while len(found) < 2:
        assert process.poll() is None
        assert time.monotonic() < until
        found = [
            number
            for number, (parent, command) in running_processes().items()
            if parent == process.pid and command.endswith(".worker_process")
        ]
    return found


@pytest.mark.parametrize(
    ("number", "err"),
    [
        (signal.SIGKILL, KILLED),
        (signal.SIGSEGV, f"anchormine: a worker process was killed (SIGSEGV); {NEEDS_NONE}"),
    ],
)
@pytest.mark.parametrize("seconds", [0.0, 4.0])
def test_a_killed_worker_ends_the_run(
    tmp_path: Path, long_dump: Path, number: int, err: str, seconds: float
) -> None:
    process = start(long_dump, tmp_path / "out", "--workers", "2")
    workers = workers_of(process)
    time.sleep(seconds)
    os.kill(workers[0], number)
    assert process.communicate(timeout=SECONDS) == ("", err)
    assert process.returncode == 1
    assert not (tmp_path / "out").exists()
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc to see their end in")
@pytest.mark.parametrize("seconds", [0.0, 4.0])
def test_workers_end_with_a_killed_launcher(tmp_path: Path, long_dump: Path, seconds: float) -> None:
    """Also those that have no connection to it yet."""
    process = start(long_dump, tmp_path / "out", "--workers", "2")
    workers = workers_of(process)
    time.sleep(seconds)
    process.kill()
    assert process.communicate(timeout=SECONDS) == ("", "")
    for worker in workers:
        check_end(worker)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_to_all_processes_is_no_loss(
    tmp_path: Path, long_dump: Path, number: int, status: int
) -> None:
    """As batch systems and terminals send it."""
    process = start(long_dump, tmp_path / "out", "--workers", "2")
    workers = workers_of(process)
    time.sleep(4)
    for each in [*workers, process.pid]:
        os.kill(each, number)
    out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out, err) == (status, "", "anchormine: interrupted; nothing was published\n")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "command",
    ["wiki {dump} --output {out}", "filter {folder} --suggest-keywords 9 --suggestions {out}/keywords.tsv"],
    ids=["mining", "suggestions"],
)
@pytest.mark.parametrize(
    ("cause", "how"),
    [
        ("sys.executable = 'false'", f"ended with status 1; {NEEDS_NONE}"),
        ("sys.executable = 'true'", f"ended with status 0; {NEEDS_NONE}"),
        (
            "logging.disable()\n"
            "from apache_beam.runners.portability.local_job_service import SubprocessSdkWorker\n"
            "def run(_): raise BlockingIOError(11, 'Resource temporarily unavailable')\n"
            "SubprocessSdkWorker.run = run",
            "could not be started (Resource temporarily unavailable); nothing was published: give fewer "
            "--workers\n",
        ),
    ],
    ids=["fails", "ends", "no process"],
)
def test_workers_that_do_not_start(
    demo_folder: Path, tmp_path: Path, command: str, cause: str, how: str
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    before = sorted(tmp_path.rglob("*"))
    program = f"import logging, sys\nfrom anchormine.pipelines.cli import console\n{cause}\nconsole()"
    arguments = command.format(dump=DEMO / "wiki.xml", folder=demo_folder, out=out).split()
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments, "--workers", "2", "--progress", "none"],
        env=ENVIRONMENT, capture_output=True, text=True, timeout=SECONDS,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"anchormine: a worker process {how}")
    assert sorted(tmp_path.rglob("*")) == before


@pytest.fixture
def quiet_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """What prints errors of threads is given back after the test."""
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)


@pytest.mark.usefixtures("quiet_threads")
@pytest.mark.parametrize("swallowed", [(), (CommandError,)])
def test_a_loss_stops_what_waits(swallowed: tuple[type[Exception], ...]) -> None:
    """Twice if need be; what tidies up behind it is left alone."""
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGURG)]
    lost = CommandError("lost")
    tidied = []

    def run() -> None:
        try:
            with insisting():
                threading.Thread(target=stop_run, args=(lost,)).start()
                with suppress(*swallowed):
                    time.sleep(SECONDS)
                time.sleep(SECONDS)
        finally:
            stop_run(CommandError("lost by that"))
            time.sleep(3)
            tidied.append(True)

    started = time.monotonic()
    with pytest.raises(CommandError) as caught, stoppable():
        run()
    assert (caught.value, tidied) == (lost, [True])
    assert time.monotonic() - started < SECONDS / 2
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGURG)] == before


@pytest.mark.parametrize("error", [RuntimeError("can't start new thread"), MemoryError()])
def test_a_runner_without_room_is_stopped(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """By what needs no thread for it."""
    monkeypatch.setattr(threading, "excepthook", threading.__excepthook__)
    watch_threads()

    def fail(*_: object) -> None:
        raise error

    def run() -> None:
        with insisting():
            threading.Thread(target=fail).start()
            monkeypatch.setattr(threading.Thread, "start", fail)
            time.sleep(SECONDS)

    started = time.monotonic()
    with pytest.raises(CommandError) as caught, stoppable():
        run()
    assert str(caught.value) == (
        "there is no memory for another thread, or no room by a limit of processes (`ulimit -u`); "
        "nothing was published: give fewer --workers, or raise the limit"
    )
    assert time.monotonic() - started < SECONDS / 2


def test_too_few_threads_are_told_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And those that were tried have ended: the run would wait for ever, and could not be stopped."""
    start, tried = threading.Thread.start, []

    def start_some(thread: threading.Thread) -> None:
        tried.append(thread)
        if len(tried) == 70:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_some)
    with pytest.raises(CommandError, match="there is no memory for another thread"):
        check_threads(2)
    assert (len(tried), [thread for thread in tried if thread.is_alive()]) == (70, [])

    tried.clear()
    command = ["web", str(DEMO / "crawl.warc.gz"), "--output", str(tmp_path / "out"), "--workers", "2"]
    assert main([*command, "--progress", "none"]) == 1
    assert capsys.readouterr() == (
        "",
        "anchormine: there is no memory for another thread, or no room by a limit of processes "
        "(`ulimit -u`); give fewer --workers, or raise the limit\n",
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("error", "said"),
    [(grpc.RpcError("CANCELLED"), ""), (KeyError("row"), "KeyError: 'row'\n")],
    ids=["a call that another process has ended", "an error of the program"],
)
def test_what_is_printed_of_a_thread(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception, said: str
) -> None:
    monkeypatch.setattr(threading, "excepthook", threading.__excepthook__)
    watch_threads()

    def fail() -> None:
        raise error

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    assert capsys.readouterr().err.rpartition("    raise error\n")[2] == said


@pytest.mark.usefixtures("quiet_threads")
def test_a_loss_is_told_whatever_the_runner_makes_of_it() -> None:
    def run() -> None:
        with insisting():
            stop_run(CommandError("lost"))
            raise RuntimeError("Channel closed prematurely.")

    with pytest.raises(CommandError, match="lost"), stoppable():
        run()


@pytest.mark.usefixtures("quiet_threads")
def test_a_signal_is_told_before_a_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    """And while the run tidies up, a later signal is no longer held back."""
    monkeypatch.setattr(interruption, "_SECONDS_TOGETHER", 1.5)  # in which the run is told of the loss
    before = signal.getsignal(signal.SIGTERM)
    tidied = []

    def run() -> None:
        try:
            with insisting():
                stop_run(CommandError("lost"))
                os.kill(os.getpid(), signal.SIGTERM)
                time.sleep(SECONDS)
        finally:
            tidied.append(signal.getsignal(signal.SIGTERM))

    with pytest.raises(Interrupted) as caught, stoppable():
        run()
    assert (caught.value.exit_status, tidied) == (143, [before])


def test_where_nothing_can_be_stopped_the_thread_fails() -> None:
    with insisting(), pytest.raises(CommandError, match="lost"):
        stop_run(CommandError("lost"))
