"""Two runs in one folder at once, and runs that are stopped by a signal."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

import anchormine
from anchormine.errors import CommandError, UsageError
from anchormine.pipelines import interruption, output_folder
from anchormine.pipelines.cli import main
from anchormine.pipelines.interruption import Interrupted, insisting, stoppable
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.pipelines.run_marks import write_mark
from anchormine.transforms.files import create_file
from tests.pipelines.command_runs import QUIET, read_table
from tests.pipelines.worker_rigs import job_service
from tests.wiki.small_dumps import dump, page

__all__ = ["job_service"]  # a fixture
ROOT = Path(anchormine.__file__).parents[1]
ENVIRONMENT = os.environ | {
    "PYTHONPATH": os.pathsep.join(path for path in [str(ROOT), os.environ.get("PYTHONPATH", "")] if path)
}
SECONDS = 60


@pytest.fixture(scope="module")
def long_dump(tmp_path_factory) -> Path:
    """A dump that takes many more seconds than a test waits, on a fast machine too."""
    path = tmp_path_factory.mktemp("long") / "w.xml"
    text = "The [[quay]] and the ''[[pier]]''. " * 600
    path.write_bytes(dump(*(page(n, f"Page {n}", text) for n in range(1, 6001))))
    return path


@pytest.fixture
def short_dump(tmp_path: Path) -> Path:
    path = tmp_path / "w.xml"
    path.write_bytes(dump(page(1, "Pier", "A [[quay]]."), page(2, "Quay", "A [[pier]].")))
    return path


def start(source: Path, output: Path, *options: str) -> subprocess.Popen:
    """Starts a run and waits until it has something in its folder."""
    command = [sys.executable, "-m", "anchormine", "wiki", str(source), "--output", str(output)]
    process = subprocess.Popen(
        [*command, "--progress", "none", *options],
        env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    until = time.monotonic() + SECONDS
    while not list(output.glob(".anchormine-wiki-*/started")):
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.02)
    return process


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize(("workers", "seconds"), [("1", 0.0), ("1", 2.0), ("2", 0.0), ("2", 4.0)])
def test_a_signal_leaves_nothing(
    tmp_path: Path, long_dump: Path, number: int, status: int, workers: str, seconds: float
) -> None:
    process = start(long_dump, tmp_path / "out", "--workers", workers)
    time.sleep(seconds)
    check_stop(process, number, status, tmp_path / "out")


def check_stop(process: subprocess.Popen, number: int, status: int, output: Path) -> None:
    """Sends a signal, and checks that all that is left of the run is its exit status."""
    process.send_signal(number)
    out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out, err) == (status, "", "anchormine: interrupted; nothing was published\n")
    assert not output.exists()


def test_a_closed_terminal_leaves_nothing(tmp_path: Path, long_dump: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # these tests may run under nohup themselves
    process = start(long_dump, tmp_path / "out", "--workers", "2")
    signal.signal(signal.SIGHUP, before)
    time.sleep(3)
    check_stop(process, signal.SIGHUP, 129, tmp_path / "out")


@pytest.mark.slow
def test_a_job_on_a_cluster_ends_with_its_run(
    tmp_path: Path, long_dump: Path, job_service: list[str]
) -> None:
    """Its workers may go on for a while, and write nothing any more."""
    output = tmp_path / "out"
    process = start(long_dump, output, *job_service)
    until = time.monotonic() + SECONDS
    while not list(output.glob(".anchormine-wiki-*/progress/*")):
        assert time.monotonic() < until
        time.sleep(0.02)
    check_stop(process, signal.SIGINT, 130, output)
    time.sleep(4)
    assert not output.exists()


@pytest.mark.parametrize("number", range(10))
def test_what_is_removed_stays_so_while_workers_go_on(tmp_path: Path, number: int) -> None:
    folder = OutputFolder(str(tmp_path / "out"))
    scratch = folder.open_scratch("web")
    refused = []

    def work(worker: int) -> None:
        for chunk in itertools.count():
            try:
                with create_file(f"{scratch}/{worker}/{chunk % 7}/{chunk}") as stream:
                    stream.write(b"a")
            except (CommandError, OSError) as error:
                refused.append(error)
                return

    workers = [threading.Thread(target=work, args=(worker,)) for worker in range(2)]
    for worker in workers:
        worker.start()
    time.sleep(0.01 * number)
    folder.discard()
    for worker in workers:
        worker.join(SECONDS)
    assert len(refused) == 2
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(left) <= 2  # of each worker, what it had begun when the mark went
    OutputFolder(str(tmp_path / "out")).open_scratch("web")
    assert [path for path in left if path.exists()] == []


def test_under_nohup_a_closed_terminal_is_nothing(tmp_path: Path, short_dump: Path, monkeypatch) -> None:
    def write(scratch: str) -> None:
        write_mark(scratch)
        os.kill(os.getpid(), signal.SIGHUP)

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    monkeypatch.setattr(output_folder, "write_mark", write)
    assert main(["wiki", str(short_dump), "--output", str(tmp_path / "out"), *QUIET]) == 0
    assert signal.signal(signal.SIGHUP, before) is signal.SIG_IGN
    assert [row["title"] for row in read_table(tmp_path / "out", "pages")] == ["Pier", "Quay"]


def test_a_worker_that_starts_late_is_ended_too(monkeypatch) -> None:
    """One that starts between the last look for workers and the end."""
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)  # is given back after the test
    monkeypatch.setattr(interruption, "_SECONDS_BETWEEN_LOOKS", SECONDS)
    command = [sys.executable, "-c", "input()", "anchormine.pipelines.worker_process"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        with pytest.raises(Interrupted), stoppable():
            signal.raise_signal(signal.SIGTERM)
        assert process.wait(SECONDS) == -signal.SIGKILL


def test_a_signal_as_soon_as_the_folder_is_there(
    tmp_path: Path, short_dump: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(scratch: str) -> None:
        write_mark(scratch)
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(output_folder, "write_mark", write)
    assert main(["wiki", str(short_dump), "--output", str(tmp_path / "out"), *QUIET]) == 143
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("processes", ["/proc", "/none"], ids=["Linux", "ps"])
def test_workers_are_found_in_a_narrow_terminal(monkeypatch, processes: str) -> None:
    """What `ps` prints is cut off at COLUMNS, where that is set."""
    if processes == "/none" and shutil.which("ps") is None:
        pytest.skip("there is no ps")
    monkeypatch.setattr(interruption, "_PROCESSES", processes)
    monkeypatch.setenv("COLUMNS", "20")
    command = [sys.executable, "-c", "input()", "x" * 200, "anchormine.pipelines.worker_process"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        found = interruption._workers()
        process.kill()
    assert found == [process.pid]


@pytest.mark.parametrize("seconds", [0.0, SECONDS])
def test_what_swallows_a_signal_is_stopped_all_the_same(monkeypatch, seconds: float) -> None:
    """When it ends, or sooner if that takes long; what tidies up behind it is left alone."""
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)  # is given back after the test
    monkeypatch.setattr(interruption, "_SECONDS_TO_UNWIND", 0.1)
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGURG)]
    tidied = []
    started = time.monotonic()

    def run() -> None:
        try:
            with insisting():
                with suppress(BaseException):
                    os.kill(os.getpid(), signal.SIGTERM)
                    time.sleep(SECONDS)
                time.sleep(seconds)
        finally:
            time.sleep(1)
            tidied.append(time.monotonic() - started)

    with pytest.raises(Interrupted) as caught, stoppable():
        run()
    assert (caught.value.exit_status, len(tidied)) == (143, 1)
    assert tidied[0] < SECONDS / 2
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGURG)] == before


def test_a_command_within_a_command_leaves_the_signal_to_it(monkeypatch) -> None:
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)  # is given back after the test
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    reached = []

    def run() -> None:
        try:
            with stoppable():
                os.kill(os.getpid(), signal.SIGTERM)
                time.sleep(SECONDS)
        except BaseException as error:
            reached.append(type(error))
            raise RuntimeError("wrapped by a runner") from error

    with pytest.raises(Interrupted) as caught, stoppable():
        run()
    assert reached == [Interrupted]
    assert (caught.value.exit_status, str(caught.value)) == (143, "interrupted; nothing was published")
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


_TWICE = """
import os, signal, sys, threading, time
from anchormine.pipelines.interruption import Interrupted, stoppable

def send():
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(float(sys.argv[1]))
    os.kill(os.getpid(), signal.SIGTERM)

try:
    with stoppable():
        threading.Thread(target=send).start()
        time.sleep(30)
except Interrupted as stop:
    time.sleep(2 + 30 * float(sys.argv[1]))
    print("tidied up", stop.exit_status)
"""


@pytest.mark.parametrize(
    ("seconds", "status", "out"),
    [("0", 0, "tidied up 143\n"), ("0.05", 0, "tidied up 143\n"), ("1", -signal.SIGTERM, "")],
    ids=["at once", "together", "later"],
)
def test_only_a_later_signal_ends_the_tidying_up(seconds: str, status: int, out: str) -> None:
    command = [sys.executable, "-c", _TWICE, seconds]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=SECONDS)
    assert (done.returncode, done.stdout, done.stderr) == (status, out, "")


def test_without_a_signal_nothing_is_changed() -> None:
    with pytest.raises(KeyError), stoppable():
        raise KeyError("x")


def test_a_second_run_is_refused_while_the_first_lives(
    tmp_path: Path, long_dump: Path, short_dump: Path, capsys
) -> None:
    folder = tmp_path / "out"
    process = start(long_dump, folder)
    process.send_signal(signal.SIGSTOP)
    (scratch,) = folder.iterdir()
    mark = json.loads((scratch / "started").read_text())
    assert main(["wiki", str(short_dump), "--output", str(folder), "--overwrite", *QUIET]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: {folder}: process {process.pid} on {socket.gethostname()} (since {mark['started']}) is "
        "writing to it; wait for it, or give another folder\n"
    )
    assert list(folder.iterdir()) == [scratch]
    process.kill()
    process.communicate(timeout=SECONDS)
    assert main(["wiki", str(short_dump), "--output", str(folder), *QUIET]) == 0
    assert [row["title"] for row in read_table(folder, "pages")] == ["Pier", "Quay"]
    assert not list(folder.glob(".anchormine-*"))


def leave_mark(folder: Path, **changes: object) -> Path:
    """Leaves the scratch folder of some run, and returns it."""
    scratch = folder / ".anchormine-wiki-0"
    scratch.mkdir(parents=True)
    mark = {
        "host": socket.gethostname(),
        "pid": os.getppid(),
        "birth": None,
        "started": "2026-01-02T03:04:05",
    }
    (scratch / "started").write_text(json.dumps({**mark, **changes}))
    return scratch


def test_a_run_on_another_machine_is_not_judged(tmp_path: Path, short_dump: Path, capsys) -> None:
    scratch = leave_mark(tmp_path / "out", host="elsewhere", pid=17)
    assert main(["wiki", str(short_dump), "--output", str(tmp_path / "out"), *QUIET]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: {tmp_path}/out: process 17 on elsewhere (since 2026-01-02T03:04:05) may be writing to "
        f"it; wait for it, or delete {scratch} if it died\n"
    )
    assert scratch.exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"pid": 2**22 + 1},  # beyond what Linux counts to
        {"birth": "1"},  # the number is another process's now
        {"pid": os.getpid()},
        {"pid": "17"},
    ],
    ids=["dead", "another process", "this one", "no number"],
)
def test_what_a_dead_run_left_is_removed(tmp_path: Path, changes: dict[str, object]) -> None:
    scratch = leave_mark(tmp_path, **changes)
    (scratch / "rows.parquet").write_bytes(b"rest")
    own = OutputFolder(str(tmp_path)).open_scratch("wiki")
    assert [str(path) for path in tmp_path.iterdir()] == [own]


@pytest.mark.parametrize("text", ["", "{", "{}", "[]"])
def test_an_unreadable_mark_is_no_run(tmp_path: Path, text: str) -> None:
    (leave_mark(tmp_path) / "started").write_text(text)
    own = OutputFolder(str(tmp_path)).open_scratch("wiki")
    assert [str(path) for path in tmp_path.iterdir()] == [own]


def test_of_two_that_start_at_once_none_writes_beside_the_other(tmp_path: Path, monkeypatch) -> None:
    """The other one's mark appears between the look and the own mark."""
    from anchormine.pipelines import output_folder

    write = output_folder.write_mark

    def write_both(scratch: str) -> None:
        leave_mark(tmp_path, host="elsewhere")
        write(scratch)

    monkeypatch.setattr(output_folder, "write_mark", write_both)
    with pytest.raises(UsageError, match="may be writing to it"):
        OutputFolder(str(tmp_path)).open_scratch("pairs")
    assert [path.name for path in tmp_path.iterdir()] == [".anchormine-wiki-0"]
