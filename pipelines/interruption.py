"""Signals and lost workers: both end a run in good order, with what was not published removed."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from anchormine.errors import CommandError

# Ctrl-C; of a batch system or a container; of a terminal that is closed, or a connection that is lost.
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_WORKER = "anchormine.pipelines.worker_process"
_PROCESSES = "/proc"  # a folder for each, by its number, on Linux
_SECONDS_BETWEEN_LOOKS = 0.2
_SECONDS_TO_UNWIND = 2.0
# Signals that come together are one: `timeout` sends its own to the command, and then to its whole group.
_SECONDS_TOGETHER = 0.2
_AGAIN = signal.SIGURG  # which does nothing where no one asks for it


class Interrupted(BaseException):
    """A run that was told to stop.

    It is no KeyboardInterrupt: once one has passed through `exec`, Python ends itself by SIGINT, even
    if it was caught at last, and a run that SIGTERM has ended would have the wrong status.

    Attributes:
        number: of the signal.
        state: that it leaves behind, in words; None if nothing was published.
        exit_status: what shells expect, 128 and the number of the signal.
    """

    def __init__(self, number: int, state: str | None = None) -> None:
        super().__init__(f"interrupted; {state or 'nothing was published'}")
        self.number = number
        self.state = state
        self.exit_status = 128 + number


@contextmanager
def stoppable() -> Iterator[None]:
    """Lets Ctrl-C, SIGTERM and SIGHUP end what is done in it, and `stop_run` what insists in it.

    Runners wrap what is raised while they run, so it is remembered that there was a signal. A command that
    another one runs leaves signals to that one.

    Raises:
        Interrupted: there was one.
        CommandError: the one that `stop_run` was given.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()  # no other is told of signals
    if not in_main_thread or isinstance(signal.getsignal(signal.SIGTERM), _Stop):
        yield
        return
    stop = _Stop()
    try:
        yield
    except Interrupted:
        raise
    except BaseException:
        stop.check()
        raise
    finally:
        stop.end()


@contextmanager
def leaving(state: str) -> Iterator[None]:
    """Ends a signal with the state that it leaves behind; where such are nested, the inner one's counts.

    Raises:
        Interrupted: there was one.
    """
    try:
        yield
    except Interrupted as stop:
        raise Interrupted(stop.number, stop.state or state) from None


@contextmanager
def insisting() -> Iterator[None]:
    """Lets no signal get lost in what is done in it, and `stop_run` stop it.

    Python drops what is raised while it destroys an object or calls back from C, and so might a runner.

    Raises:
        Interrupted: there was one.
        CommandError: the one that `stop_run` was given.
    """
    stop = signal.getsignal(_AGAIN)
    if not isinstance(stop, _Stop):
        yield
        return
    stop.insists = True
    try:
        yield
    except Exception:
        stop.check()  # a runner that has lost a worker may notice, and raise an error of its own
        raise
    finally:
        stop.insists = False
    stop.check()


def stop_run(error: CommandError) -> None:
    """Ends the run from another thread than the main one, whatever that waits for.

    Args:
        error: for the user; one that comes after another, or after a signal, is a consequence of that.

    Raises:
        CommandError: the error, where nothing stands by to be stopped (see `stoppable`).
    """
    stop = signal.getsignal(_AGAIN)
    if not isinstance(stop, _Stop):
        raise error
    stop.lose(error)


class _Stop:
    """What is done at the first signal or loss; a later signal ends the tidying up too.

    Attributes:
        received: numbers of the signals.
        lost: errors of what the run has lost, and cannot go on without.
        insists: whether it is done again if it has no effect.
    """

    def __init__(self) -> None:
        self.received: list[int] = []
        self.lost: list[CommandError] = []
        self.insists = False
        self._begun, self._ended = threading.Event(), threading.Event()
        self._seconds = 0.0
        # It stands by from the start: when it is needed, there may be no room for another thread.
        threading.Thread(target=self._see_to_it, daemon=True).start()
        before = {number: signal.getsignal(number) for number in _SIGNALS}
        # One that is ignored from the start, as in the background of a script or by nohup, stays so.
        self._before = {number: was for number, was in before.items() if was is not signal.SIG_IGN}
        for number in self._before:
            signal.signal(number, self)
        self._again_before = signal.signal(_AGAIN, self)

    def __call__(self, number: int, _frame: FrameType | None) -> None:
        if number == _AGAIN:
            if self.insists:
                self.check()
            return
        self.received.append(number)
        if len(self.received) > 1:
            return
        self._begin(_SECONDS_TO_UNWIND)
        self._wait_for_others()
        self.restore()
        raise Interrupted(number)

    def _wait_for_others(self) -> None:
        """Waits as long as signals are taken for one, which a loss that came before may not cut short."""
        insists, self.insists = self.insists, False
        time.sleep(_SECONDS_TOGETHER)
        self.insists = insists

    def lose(self, error: CommandError) -> None:
        """Stops the run at a loss, which is none if it is being stopped already."""
        if self.received or self.lost:
            return
        self.lost.append(error)
        self._begin(0)

    def check(self) -> None:
        """Raises `Interrupted` if there was a signal, which may be what a worker was lost by, or the loss."""
        if self.received:
            raise Interrupted(self.received[0])
        if self.lost:
            raise self.lost[0]

    def restore(self) -> None:
        """Gives the signals back to whoever had them."""
        for number, was in self._before.items():
            signal.signal(number, was)

    def end(self) -> None:
        """There is nothing more to stop."""
        self._ended.set()
        self._begun.set()
        if self.received or self.lost:
            _kill_workers()  # one may have started since the last look
        self.restore()
        signal.signal(_AGAIN, self._again_before)

    def _begin(self, seconds: float) -> None:
        # The runner's threads lose their workers, some of them when the run has ended: the process does too.
        threading.excepthook = lambda _: None
        self._seconds = seconds
        self._begun.set()

    def _see_to_it(self) -> None:
        """Ends worker processes, those too that only just start, and what goes on all the same in a while."""
        self._begun.wait()
        main, insists_at = threading.main_thread().ident or 0, time.monotonic() + self._seconds
        while not self._ended.wait(_SECONDS_BETWEEN_LOOKS):
            _kill_workers()
            if time.monotonic() > insists_at:
                insists_at = time.monotonic() + _SECONDS_TO_UNWIND
                signal.pthread_kill(main, _AGAIN)


def _kill_workers() -> None:
    for process in _workers():
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def _workers() -> list[int]:
    """The processes that were started by this one for the local runner."""
    processes = _processes_of_linux() if Path(_PROCESSES, "self").exists() else _listed_processes()
    return [number for number, parent, command in processes if parent == os.getpid() and _WORKER in command]


def _processes_of_linux() -> Iterator[tuple[int, int, str]]:
    """Yields number, parent and command of each process; slim containers have no `ps`."""
    for folder in Path(_PROCESSES).glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            parent = folder.joinpath("stat").read_text(errors="replace").rpartition(")")[2].split()[1]
            yield int(folder.name), int(parent), folder.joinpath("cmdline").read_text(errors="replace")


def _listed_processes() -> Iterator[tuple[int, int, str]]:
    """Yields the same where there is `ps`; without both the runner ends its workers, at its leisure."""
    columns = ("ps", "-A", "-ww", "-o", "pid=,ppid=,args=")  # else cut off where COLUMNS is set
    try:
        listed = subprocess.run(columns, capture_output=True, text=True, errors="replace", check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return
    for row in (line.split(None, 2) for line in listed.splitlines()):
        if len(row) == 3:
            yield int(row[0]), int(row[1]), row[2]
