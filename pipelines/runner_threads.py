"""What ends a thread of a runner: printed, or told in one line, or what a run cannot go on without."""

import threading

import grpc

from anchormine.errors import CommandError
from anchormine.pipelines.interruption import stop_run
from anchormine.pipelines.run_errors import FEWER, NO_ROOM, NO_THREAD


def watch_threads() -> None:
    """Takes the errors that end threads, unless somebody does."""
    if threading.excepthook is threading.__excepthook__:
        threading.excepthook = _take_error


def _take_error(error: threading.ExceptHookArgs) -> None:
    """Prints an error, but for that of a call to another process, which that one has ended.

    It is how a job server ends the calls of a job that is done; and the loss of a worker is told in one line.
    Where there is no room for what the runner needs, it would wait for ever: the run is stopped.
    """
    if issubclass(error.exc_type, MemoryError) or str(error.exc_value) == NO_THREAD:
        stop_run(CommandError(f"{NO_ROOM}; nothing was published: {FEWER}"))
    elif not issubclass(error.exc_type, grpc.RpcError):
        threading.__excepthook__(error)
