"""Which steps of a run file are done: `<file>.done.json` beside it.

A dataset's manifest says how what is there now was made. It cannot say that a step is done whose output a
later one has replaced, as when negatives are mined again by the model that was trained on the first ones.
Files and folders that a step is given, such as a dump, are known again by their length and time, as `make`
does.
"""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from anchormine.errors import CommandError, UsageError
from anchormine.hidden_secrets import HIDDEN, is_sealed_by, seal, without_secrets
from anchormine.pipelines.run_file import FileStep, typed_run, work_folder
from anchormine.pipelines.step_inputs import changed_file, with_outputs
from anchormine.pipelines.step_outputs import made_files, missing_output


class RunJournal:
    """The steps that are done, in order.

    Attributes:
        path: of the journal.
        done: of each its name, arguments without credentials, a seal where there are some, the files among
            the arguments, and the tables that it had made when the last step was done.
        anew: names of steps that were done, and are to be run anew: what they have made is not to be kept.
    """

    def __init__(self, run_file: str) -> None:
        """Reads what there is.

        Raises:
            UsageError: the journal is damaged.
        """
        self.path = work_folder(run_file) / f"{Path(run_file).stem}.done.json"
        self.done: list[dict[str, Any]] = []
        self.anew: list[str] = []
        if self.path.is_file():
            try:
                content = json.loads(self.path.read_text(encoding="utf-8"))
                self.done = [_whole(step) for step in content["steps"]]
                self.anew = _names(content.get("anew", []))
            except (ValueError, KeyError, TypeError, RecursionError):
                raise UsageError(
                    f"{self.path}: is no list of the steps that are done; delete it, and the steps say "
                    "themselves what is there"
                ) from None

    def count_done(self, steps: list[FileStep], run_file: str, variables: Sequence[str]) -> int:
        """How many of the steps are done, from the first on.

        Args:
            steps: of the file.
            run_file: its path.
            variables: as they were set over those of the file.

        Raises:
            UsageError: a done step or a file that it was given has changed, or output of it is gone.
        """
        for number, (step, done) in enumerate(zip(steps, self.done, strict=False), start=1):
            change = _change(done, step) or changed_file(done["files"]) or missing_output(step, done["made"])
            if change:
                again = typed_run(run_file, variables, "--from", step.name)
                raise UsageError(
                    f"{run_file}: step {number} ({step.name}) is done, but {change}; {again} runs it and "
                    "what follows anew"
                )
        return min(len(steps), len(self.done))

    def keep(self, count: int, anew: Sequence[FileStep] = ()) -> None:
        """Forgets all but the first steps.

        Args:
            count: how many are kept.
            anew: steps that are run whether they are done or not. A run that is stopped before them has left
                what they had made, and whoever goes on is not to take that for theirs.

        Raises:
            CommandError: the journal cannot be written.
        """
        forgotten = {done["name"] for done in self.done[count:]}
        waiting = {*self.anew, *(step.name for step in anew if step.name in forgotten)}
        self.anew = sorted(waiting)
        self.done = self.done[:count]
        self._write()

    def add(self, steps: Sequence[FileStep], files: dict[str, list[int]]) -> None:
        """Takes a step that is done; it may have replaced what one before it had made.

        Args:
            steps: those that were done, and it.
            files: what `given_files` said of it before it was run.

        Raises:
            CommandError: the journal cannot be written.
        """
        step = steps[-1]
        done = {"name": step.name, "arguments": list(step.shown), "files": files}
        self.done.append(done | ({} if step.shown == step.arguments else {"seal": seal(step.arguments)}))
        self.anew = [name for name in self.anew if name != step.name]
        for each, entry in zip(steps, self.done, strict=True):
            entry["made"] = made_files(each)
            entry["files"] = with_outputs(entry["files"], step)
        self._write()

    def _write(self) -> None:
        unfinished = self.path.with_suffix(".tmp")
        content = {"steps": self.done, **({"anew": self.anew} if self.anew else {})}
        text = json.dumps(content, indent=1, ensure_ascii=False)
        try:
            unfinished.write_text(text, encoding="utf-8")
            unfinished.replace(self.path)
        except OSError as error:
            raise CommandError(
                f"{self.path}: cannot be written ({error.strerror}), so which steps are done is not kept; "
                "see that it can be written, and has room, and give the same command again"
            ) from None


def _whole(step: Any) -> dict[str, Any]:
    """A step of the journal.

    Raises:
        ValueError: it is not as `RunJournal.add` writes it.
        KeyError, TypeError: likewise.
    """
    name, arguments, files = step["name"], step["arguments"], step["files"]
    whole = (
        isinstance(name, str)
        and _is_list_of(arguments, str)
        and isinstance(files, dict)
        and all(_is_list_of(state, int) and len(state) == 2 for state in files.values())
        and isinstance(step.get("seal", ""), str)
        and _are_sums(step.get("made", {}))
    )
    if not whole:
        raise ValueError(step)
    known = {key: step[key] for key in ("name", "files", "seal") if key in step}
    # Those of a journal of before are in the clear, and it does not say what was made.
    return known | {"arguments": without_secrets(arguments), "made": step.get("made", {})}


def _names(value: Any) -> list[str]:
    """Raises ValueError where it is no list of names."""
    if not _is_list_of(value, str):
        raise ValueError(value)
    return list(value)


def _are_sums(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())


def _is_list_of(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


def _change(done: dict[str, Any], step: FileStep) -> str | None:
    """The first difference between a step and what was done, or None."""
    if done["name"] != step.name:
        return f"was named {done['name']}"
    before, now = _options(done["arguments"]), _options(step.shown)
    gone = list((Counter(before) - Counter(now)).elements())
    come = list((Counter(now) - Counter(before)).elements())
    if gone or come:
        return f"its {' '.join(gone) or 'nothing'} is now {' '.join(come) or 'gone'}"
    if done["arguments"] != list(step.shown):
        return "its arguments are in another order"
    hides = step.shown != step.arguments
    same = is_sealed_by(step.arguments, done.get("seal", "")) if hides else "seal" not in done
    return None if same else f"what {HIDDEN} stands for in its arguments has changed"


def _options(arguments: Sequence[str]) -> list[str]:
    """Arguments as they are typed, each option with its values."""
    found: list[list[str]] = []
    for word in arguments:
        if word.startswith("--") or not found or not found[-1][0].startswith("--"):
            found.append([word])
        else:
            found[-1].append(word)
    return [shlex.join(words) for words in found]
