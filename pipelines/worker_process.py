"""A worker process of the local runner: Beam's own, but quiet; the launcher is told what goes wrong."""

import logging
import os
import sys
from pathlib import Path

from anchormine.pipelines.garbage import kept_objects

if __name__ == "__main__":
    # With a handler of its own the root logger is not given one for standard error by the first warning.
    logging.getLogger().addHandler(logging.NullHandler())
    with kept_objects():
        from apache_beam.runners.worker import sdk_worker_main

    # Beam prints a traceback of what it tells the launcher too, and the launcher says that in one line.
    with Path(os.devnull).open("w", encoding="utf-8") as sys.stderr:
        sdk_worker_main.main([])
