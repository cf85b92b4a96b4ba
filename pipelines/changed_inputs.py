"""Input files that something writes to while they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from anchormine.transforms.files import is_local
from anchormine.transforms.report import Report


class _State(NamedTuple):
    size: int
    written: int  # when it was last, in nanoseconds


class WatchedInputs:
    """The files of an input as they are when its reading starts; those of this machine alone.

    What is read of a file that changes meanwhile is of no one file: its checksum, its size and its records
    may each be of another.
    """

    def __init__(self, inputs: Sequence[tuple[str, int]]) -> None:
        """Looks at the files.

        Args:
            inputs: (path, bytes) of each, as planned.
        """
        self._planned = [(path, size, _state(path)) for path, size in inputs if is_local(path)]

    def changed(self) -> dict[str, str]:
        """Returns what has become of the files that are no more as they were, by path."""
        return dict(self._changes())

    def _changes(self) -> Iterator[tuple[str, str]]:
        for path, size, before in self._planned:
            now = _state(path)
            if before and now is None:
                yield path, "removed while it was read; put it back, and run again"
            elif now and (now.size != size or now != before):
                sizes = f"{size:,} bytes at first, {now.size:,} in the end"
                yield path, f"changed while it was read ({sizes}); run again when nothing writes to it"


def changed_lines(report: Report) -> Iterator[str]:
    """Yields a line for each file that has changed, where no verdict is told."""
    for path, what in report.changed.items():
        yield f"{path}: {what}"


def _state(path: str) -> _State | None:
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return _State(found.st_size, found.st_mtime_ns)
