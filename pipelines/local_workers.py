"""Worker processes of the local runner: the run ends with one that is killed, for which Beam would wait."""

import re
import signal
import threading
from typing import Any

from apache_beam.portability import python_urns
from apache_beam.runners.portability.fn_api_runner.worker_handlers import (
    SubprocessSdkWorkerHandler,
    WorkerHandler,
)
from apache_beam.runners.portability.local_job_service import SubprocessSdkWorker

from anchormine.errors import CommandError
from anchormine.pipelines.interruption import stop_run
from anchormine.pipelines.run_errors import FEWER, NO_ROOM
from anchormine.pipelines.runner_threads import watch_threads

_THREADS = 24  # of the run's own process, and of a worker: measured, half of what they come to have
_STATUS = re.compile(r"return code (-?\d+)$")  # in the error that Beam makes of it


def check_threads(workers: int) -> None:
    """Tries whether the system starts as many threads as a run with workers needs at least.

    One that gRPC cannot start later may leave it waiting for ever, with Python's lock: no signal would help.

    Raises:
        CommandError: it does not.
    """
    done = threading.Event()
    started: list[threading.Thread] = []
    try:
        for _ in range(_THREADS * (workers + 1)):
            thread = threading.Thread(target=done.wait, daemon=True)
            thread.start()
            started.append(thread)
    except RuntimeError:
        raise CommandError(f"{NO_ROOM}; {FEWER}") from None
    finally:
        done.set()
        for thread in started:
            thread.join()


def watch_workers() -> None:
    """Has Beam start the worker processes of local runners as `WatchedWorker` does."""
    WorkerHandler.register_environment(python_urns.SUBPROCESS_SDK, bytes)(WatchedWorker)
    watch_threads()


class WatchedWorker(SubprocessSdkWorkerHandler):
    """One worker process, which stops the run if it ends before the runner has closed it.

    A run outside of the main thread, which nothing can stop, waits for ever as Beam does.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._closed = False

    def start_worker(self) -> None:
        """Starts the process, and a thread that waits for its end."""
        self.worker = SubprocessSdkWorker(
            self._worker_command_line, self.control_address, self.provision_info, self.worker_id
        )
        self.worker_thread = threading.Thread(name="run_worker", target=self._wait, daemon=True)
        self.worker_thread.start()

    def close(self) -> None:
        """Lets the process end, and waits for that."""
        self._closed = True
        super().close()

    def _wait(self) -> None:
        status = 0
        try:
            self.worker.run()
        except RuntimeError as error:
            status = _status(error)
        except OSError as error:
            stop_run(_lost(f"could not be started ({error.strerror})", "fewer --workers"))
            return
        if not self._closed:
            stop_run(_ended(status))


def _status(error: RuntimeError) -> int:
    found = _STATUS.search(str(error))
    return int(found[1]) if found else 1


def _ended(status: int) -> CommandError:
    """The error for a process with a status, which is the number of a signal, negative, if that killed it."""
    if status == -signal.SIGKILL:
        return _lost("was killed (SIGKILL), perhaps because memory ran out", "fewer --workers")
    names = {-number: number.name for number in signal.Signals}
    how = f"was killed ({names.get(status, -status)})" if status < 0 else f"ended with status {status}"
    return _lost(how, "--workers 1, which needs none")


def _lost(how: str, remedy: str) -> CommandError:
    return CommandError(f"a worker process {how}; nothing was published: give {remedy}")
