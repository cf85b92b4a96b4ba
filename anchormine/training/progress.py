"""What a person sees of a training or an evaluation: a bar on a terminal, now and then a line elsewhere."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from anchormine.control_characters import one_line, shown

MODES = ("auto", "plain", "none")
SECONDS_BETWEEN_LINES = 10.0


class Progress:
    """Writes to standard error.

    Attributes:
        mode: "auto" (a bar if that is a terminal, else lines), "plain" (lines) or "none" (warnings only).
    """

    def __init__(self, mode: str = "auto", stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self.mode = "bar" if mode == "auto" and self._stream.isatty() else "plain" if mode == "auto" else mode
        self._console = Console(file=self._stream) if self.mode == "bar" else None

    def note(self, text: str) -> None:
        """A line of information; none with "none"."""
        if self.mode != "none":
            self._print(text)

    def warn(self, text: str) -> None:
        """A warning, which is always shown."""
        self._print(f"anchormine: {text}")

    def _print(self, text: str) -> None:
        text = one_line(text)
        if self._stream.isatty():
            text = shown(text)
        if self._console:
            self._console.print(text, markup=False, highlight=False, soft_wrap=True)
        else:
            print(text, file=self._stream, flush=True)

    @contextmanager
    def count(self, what: str, total: int) -> Iterator["Counter"]:
        """Shows how far a piece of work is, for as long as the context lasts.

        Args:
            what: its name.
            total: how many steps it has.
        """
        if self._console is None:
            yield Counter(self, what, total)
            return
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Bars(
            *columns, TextColumn("{task.fields[state]}"), console=self._console, transient=True
        ) as bars:
            yield Counter(self, what, total, bars)


class Counter:
    """One piece of work."""

    def __init__(self, progress: Progress, what: str, total: int, bars: Bars | None = None) -> None:
        self._progress, self._what, self._total, self._bars = progress, what, total, bars
        self._task = bars.add_task(what, total=total, state="") if bars else None
        self._last_line = time.monotonic()

    def reach(self, done: int, state: str = "") -> None:
        """Says how far it is.

        Args:
            done: steps so far.
            state: what else is worth seeing, such as the loss.
        """
        if self._bars is not None and self._task is not None:
            self._bars.update(self._task, completed=done)
            if state:
                self._bars.update(self._task, state=state)
        elif done == self._total or time.monotonic() - self._last_line > SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            self._progress.note(f"{self._what}: {done}/{self._total} {state}".rstrip())
