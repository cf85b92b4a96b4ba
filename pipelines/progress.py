"""Progress of a run on standard error: what the workers' heartbeats add up to."""

import json
import sys
import threading
import time
from typing import Any, Protocol

from apache_beam.io.filesystem import BeamIOError
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from anchormine.errors import CommandError
from anchormine.transforms.files import files_below, open_file

MODES = ("auto", "plain", "none")
_SECONDS = {"bar": 0.5, "plain": 10.0}


class Measured(Protocol):
    """What is measured: see `anchormine.pipelines.mining.Plan`."""

    @property
    def step(self) -> str: ...
    @property
    def total(self) -> int: ...
    @property
    def counter(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def passes(self) -> int: ...


class ProgressMonitor:
    """Shows the progress while it is entered."""

    def __init__(self, folder: str, plan: Measured, mode: str) -> None:
        """Takes the heartbeats' folder, and "auto" (a bar on a terminal, else lines), "plain" or "none"."""
        self._folder, self._plan = folder, plan
        self._mode = (
            "bar" if mode == "auto" and sys.stderr.isatty() else "plain" if mode != "none" else "none"
        )
        self._started = time.monotonic()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "ProgressMonitor":
        if self._mode != "none":
            self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._stopped.set()
        if self._mode != "none":
            self._thread.join()

    def _watch(self) -> None:
        if self._mode == "plain":
            while not self._stopped.wait(_SECONDS["plain"]):
                print(self._line(), file=sys.stderr, flush=True)
            return
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[state]}"),
            TimeElapsedColumn(),
        )
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(self._plan.step, total=self._plan.total, state="")
            while not self._stopped.wait(_SECONDS["bar"]):
                counts = read_heartbeats(self._folder)
                bar.update(task, completed=counts.get(self._plan.counter, 0), state=self._state(counts))

    def _line(self) -> str:
        return f"anchormine {self._plan.step}: {self._state(read_heartbeats(self._folder))}"

    def _state(self, counts: dict[str, int]) -> str:
        plan, seconds = self._plan, time.monotonic() - self._started
        done, units = counts.get(plan.counter, 0), counts.get(plan.unit, 0) // plan.passes
        if plan.total and done >= plan.total:
            return (
                f"all read, {units:,} {plan.unit}, {counts.get('rejects', 0):,} rejects; joining and writing"
            )
        left = f"{seconds * (plan.total - done) / done:,.0f} s left" if done else "starting"
        amount = (
            f"{done >> 20:,} of {plan.total >> 20:,} MiB"
            if plan.counter == "file_bytes"
            else f"{done // plan.passes:,} of {plan.total // plan.passes:,}"
        )
        return (
            f"{amount}, {units:,} {plan.unit}, {units / seconds:,.0f} {plan.unit}/s, "
            f"{counts.get('rejects', 0):,} rejects, {left}"
        )


def read_heartbeats(folder: str) -> dict[str, int]:
    """Sums the counts that workers have written so far."""
    counts: dict[str, int] = {}
    try:
        for path in files_below(folder):
            with open_file(path) as stream:
                for name, count in json.loads(stream.read()).items():
                    counts[name] = counts.get(name, 0) + count
    except (OSError, BeamIOError, ValueError, CommandError):
        pass  # a file that is being replaced, or a store that does not answer; the next look will find it
    return counts
