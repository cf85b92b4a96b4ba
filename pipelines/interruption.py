"""Ctrl-C and SIGTERM: both end a run in good order, with what was not published removed."""

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)  # of a terminal; of a batch system or a container
_WORKER = "anchormine.pipelines.worker_process"
_SECONDS_BETWEEN_LOOKS = 0.2


class Interrupted(BaseException):
    """A run that was told to stop.

    It is no KeyboardInterrupt: once one has passed through `exec`, Python ends itself by SIGINT, even
    if it was caught at last, and a run that SIGTERM has ended would have the wrong status.

    Attributes:
        exit_status: what shells expect, 128 and the number of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__("interrupted; nothing was published")
        self.exit_status = 128 + number


@contextmanager
def stoppable() -> Iterator[None]:
    """Lets Ctrl-C and SIGTERM end what is done in it.

    Runners wrap what is raised while they run, so it is remembered that there was a signal. A command that
    another one runs leaves signals to that one.

    Raises:
        Interrupted: there was one.
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
        if stop.received:
            raise Interrupted(stop.received[0]) from None
        raise
    finally:
        stop.ended.set()
        stop.restore()


class _Stop:
    """What is done at the first signal; a second one ends the tidying up too.

    Attributes:
        received: numbers of the signals.
        ended: set when there is nothing more to stop.
    """

    def __init__(self) -> None:
        self.received: list[int] = []
        self.ended = threading.Event()
        before = {number: signal.getsignal(number) for number in _SIGNALS}
        # One that is ignored from the start, as in the background of a script, stays so.
        self._before = {number: was for number, was in before.items() if was is not signal.SIG_IGN}
        for number in self._before:
            signal.signal(number, self)

    def __call__(self, number: int, _frame: FrameType | None) -> None:
        self.received.append(number)
        self.restore()
        # The runner's threads lose their workers, some of them when the run has ended: the process does too.
        threading.excepthook = lambda _: None
        threading.Thread(target=_end_workers, args=(self.ended,), daemon=True).start()
        raise Interrupted(number)

    def restore(self) -> None:
        """Gives the signals back to whoever had them."""
        for number, was in self._before.items():
            signal.signal(number, was)


def _end_workers(ended: threading.Event) -> None:
    """Ends worker processes until the run has ended: the runner would wait for those that only just start."""
    while not ended.wait(_SECONDS_BETWEEN_LOOKS):
        for process in _workers():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def _workers() -> list[int]:
    """The processes that were started by this one for the local runner."""
    columns = ("ps", "-A", "-ww", "-o", "pid=,ppid=,args=")  # else cut off where COLUMNS is set
    try:
        listed = subprocess.run(columns, capture_output=True, text=True, errors="replace", check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return []  # without `ps` the runner ends them, at its leisure
    rows = (line.split(None, 2) for line in listed.splitlines())
    own = str(os.getpid())
    return [int(row[0]) for row in rows if len(row) == 3 and row[1] == own and _WORKER in row[2]]
