"""How far a run is: every worker keeps a small file of its own counts, and the launcher sums them.

No runner gives counts while it runs, so this is how all of them can.
"""

import json
import os
import time
import uuid

from anchormine.transforms.files import create_file

_SECONDS_BETWEEN_BEATS = 1.0


class Heartbeat:
    """The counts of one worker, written at most once a second."""

    def __init__(self, folder: str | None) -> None:
        self._path = f"{folder}/{os.getpid()}-{uuid.uuid4().hex}.json" if folder else None
        self._counts: dict[str, int] = {}
        self._written = 0.0

    def beat(self, flush: bool = False, **counts: int) -> None:
        """Adds to the counts.

        Args:
            flush: whether the file is written even if that was done within the last second.
            **counts: what to add to which.
        """
        if self._path is None:
            return
        for name, count in counts.items():
            self._counts[name] = self._counts.get(name, 0) + count
        now = time.monotonic()
        if flush or now - self._written >= _SECONDS_BETWEEN_BEATS:
            self._written = now
            with create_file(self._path) as stream:
                stream.write(json.dumps(self._counts).encode())
