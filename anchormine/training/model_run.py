"""What every training does around its loop: look, prepare, train, and make the model folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from anchormine.compute import choose_compute
from anchormine.numerals import counted
from anchormine.training.loop import Fitted, Task, fit
from anchormine.training.progress import Progress
from anchormine.training.run_folder import RunFolder
from anchormine.training.settings import Settings


class LeftOut(NamedTuple):
    """Examples that are of no use; the counts grow while they are read.

    Attributes:
        place: where they are, as the user named it.
        unit: what they are called, one and several.
        counts: how many, by reason.
    """

    place: str
    unit: tuple[str, str]
    counts: Mapping[str, int]

    def lines(self) -> list[str]:
        """A sentence for each reason."""
        counts = sorted(self.counts.items())
        return [f"{self.place}: left out {counted(count, *self.unit)}: {reason}" for reason, count in counts]


class Preparation(NamedTuple):
    """A training that is ready to begin.

    Attributes:
        task: what is trained, and on what.
        depends_on: what decides the weights, by name, but for the task's rate; a run is only resumed
            with the same.
        note: what a person is told before it begins.
        left_out: of its examples.
        save: writes the trained model's files into a folder; takes the lines on what was left out, too.
    """

    task: Task
    depends_on: dict[str, Any]
    note: str
    left_out: LeftOut
    save: Callable[[Path, Fitted, list[str]], None]


def train_model(prepare: Callable[[], Preparation], settings: Settings, progress: Progress) -> Path:
    """Trains, and makes the model folder.

    Args:
        prepare: loads model and data.
        settings: for how long.
        progress: for a person.

    Returns:
        The model folder.

    Raises:
        UsageError: data, model or options are not as they must be; nothing was touched.
        CommandError: malformed data; or the training failed, then its checkpoint stays.
    """
    compute = choose_compute(settings.device, settings.dtype)
    run = RunFolder(settings.output, settings.resume, settings.overwrite)
    preparation = prepare()
    options = {**preparation.depends_on, "lr": preparation.task.lr}
    if run.finished:
        run.check_finished(options)
        progress.note(f"{settings.output}: is complete; there is nothing to resume")
        return run.output
    run.begin(options)
    progress.note(preparation.note)
    try:
        fitted = fit(preparation.task, settings, compute, run, progress)
    finally:
        left_out = preparation.left_out.lines()
        for line in left_out:
            progress.warn(line)
    run.publish(lambda folder: preparation.save(folder, fitted, left_out))
    return run.output
