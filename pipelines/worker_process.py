"""A worker process of the local runner: Beam's own, but quiet; the launcher is told what goes wrong."""

import atexit
import logging
import os
import sys
import threading
import time
from pathlib import Path
from typing import NoReturn

from anchormine.pipelines.garbage import kept_objects

LAUNCHER = "ANCHORMINE_LAUNCHER"  # the variable with the number of the process that starts this one
_SECONDS_BETWEEN_LOOKS = 0.5


def work() -> NoReturn:
    """Works until the launcher has no more work, or is gone, and ends the process.

    Threads of gRPC and Arrow may still be at work then. They end with the process: were Python taken apart
    under them, it might break off with a report on the standard error of the command.
    """
    _end_with_launcher()
    status = 1
    try:
        _serve()
        status = 0
    finally:
        atexit._run_exitfuncs()
        os._exit(status)


def _end_with_launcher() -> None:
    """Ends this process, whatever it does, when the launcher is no more: killed, it ends no one.

    Before there is a connection whose end would be noticed, gRPC waits for one for two minutes.
    """
    # It says its number itself: where it is gone already, this process has another parent by now.
    launcher = int(os.environ.get(LAUNCHER) or os.getppid())

    def watch() -> None:
        while os.getppid() == launcher:
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        os._exit(1)

    threading.Thread(target=watch, name="launcher", daemon=True).start()


def _serve() -> None:
    # With a handler of its own the root logger is not given one for standard error by the first warning.
    logging.getLogger().addHandler(logging.NullHandler())
    with kept_objects():
        from apache_beam.runners.worker import sdk_worker_main

    # Beam prints a traceback of what it tells the launcher too, and the launcher says that in one line.
    with Path(os.devnull).open("w", encoding="utf-8") as sys.stderr:
        sdk_worker_main.main([])


if __name__ == "__main__":
    work()
