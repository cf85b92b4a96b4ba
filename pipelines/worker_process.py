"""A worker process of the local runner: Beam's own, but quiet; the launcher is told what goes wrong."""

import atexit
import logging
import os
import sys
from pathlib import Path
from typing import NoReturn

from anchormine.pipelines.garbage import kept_objects


def work() -> NoReturn:
    """Works until the launcher has no more work, or is gone, and ends the process.

    Threads of gRPC and Arrow may still be at work then. They end with the process: were Python taken apart
    under them, it might break off with a report on the standard error of the command.
    """
    status = 1
    try:
        _serve()
        status = 0
    finally:
        atexit._run_exitfuncs()
        os._exit(status)


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
