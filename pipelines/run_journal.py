"""Which steps of a run file are done: `<file>.done.json` beside it.

A dataset's manifest says how what is there now was made. It cannot say that a step is done whose output a
later one has replaced, as when negatives are mined again by the model that was trained on the first ones.
Files that a step is given, such as a dump, are known again by their length and time, as `make` does.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

from anchormine.errors import CommandError, UsageError
from anchormine.pipelines.run_file import FileStep, work_folder


class RunJournal:
    """The steps that are done, in order.

    Attributes:
        path: of the journal.
        done: of each its name, arguments and the files among these.
    """

    def __init__(self, run_file: str) -> None:
        """Reads what there is.

        Raises:
            UsageError: the journal is damaged.
        """
        self.path = work_folder(run_file) / f"{Path(run_file).stem}.done.json"
        self.done: list[dict[str, Any]] = []
        if self.path.is_file():
            try:
                self.done = [
                    {"name": step["name"], "arguments": step["arguments"], "files": step["files"]}
                    for step in json.loads(self.path.read_text(encoding="utf-8"))["steps"]
                ]
            except (ValueError, KeyError, TypeError):
                raise UsageError(
                    f"{self.path}: is no list of the steps that are done; delete it, and the steps say "
                    "themselves what is there"
                ) from None

    def count_done(self, steps: list[FileStep], run_file: str) -> int:
        """How many of the steps are done, from the first on.

        Raises:
            UsageError: a done step or a file that it was given has changed, or its output is gone.
        """
        for number, (step, done) in enumerate(zip(steps, self.done, strict=False), start=1):
            change = _change(done, step) or _changed_file(done) or _missing_output(step)
            if change:
                again = shlex.join(["anchormine", "run", run_file, "--from", step.name])
                raise UsageError(
                    f"{run_file}: step {number} ({step.name}) is done, but {change}; `{again}` runs it and "
                    "what follows anew"
                )
        return min(len(steps), len(self.done))

    def keep(self, count: int) -> None:
        """Forgets all but the first steps.

        Raises:
            CommandError: the journal cannot be written.
        """
        self.done = self.done[:count]
        self._write()

    def add(self, step: FileStep, files: dict[str, list[int]]) -> None:
        """Takes a step that is done.

        Args:
            step: it.
            files: what `given_files` said of it before it was run.

        Raises:
            CommandError: the journal cannot be written.
        """
        self.done.append({"name": step.name, "arguments": list(step.arguments), "files": files})
        self._write()

    def _write(self) -> None:
        unfinished = self.path.with_suffix(".tmp")
        text = json.dumps({"steps": self.done}, indent=1, ensure_ascii=False)
        try:
            unfinished.write_text(text, encoding="utf-8")
            unfinished.replace(self.path)
        except OSError as error:
            raise CommandError(
                f"{self.path}: cannot be written ({error.strerror}), so which steps are done is not kept; "
                "see that it can be written, and has room, and give the same command again"
            ) from None


def given_files(step: FileStep) -> dict[str, list[int]]:
    """The files that a step is given, by the argument: bytes, and nanoseconds of the last change."""
    output = getattr(step.args, "output", None)
    return {word: _state(word) for word in step.arguments if word != output and Path(word).is_file()}


def _state(path: str) -> list[int]:
    found = Path(path).stat()
    return [found.st_size, found.st_mtime_ns]


def _change(done: dict[str, Any], step: FileStep) -> str | None:
    """The first difference between a step and what was done, or None."""
    if done["name"] != step.name:
        return f"was named {done['name']}"
    before = [word for word in done["arguments"] if word not in step.arguments]
    now = [word for word in step.arguments if word not in done["arguments"]]
    if before or now:
        return f"its {' '.join(before) or 'nothing'} is now {' '.join(now) or 'gone'}"
    return None if done["arguments"] == list(step.arguments) else "its arguments are in another order"


def _changed_file(done: dict[str, Any]) -> str | None:
    """The first of a step's files that is another now, or None; a done step misses none that is gone."""
    for path, state in done["files"].items():
        if Path(path).is_file() and _state(path) != state:
            return f"{path} has changed since"
    return None


def _missing_output(step: FileStep) -> str | None:
    """What a step has written and is there no more, as far as its arguments tell."""
    output = getattr(step.args, "output", None)
    if output and "://" not in output and not Path(output).exists():
        return f"{output} is gone"
    return None
