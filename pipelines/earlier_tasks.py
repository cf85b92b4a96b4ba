"""`pairs` in a folder that has pairs of some tasks: which are made, and which stay as they are."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from anchormine.errors import UsageError
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.pipelines.resumption import difference
from anchormine.schemas.pairs import TASKS

_COUNTS = ("pairs-{}.", "words.{}.")


class TaskDivision(NamedTuple):
    """What becomes of each task of a folder, in the order of `TASKS`.

    Attributes:
        made: the tasks to run.
        kept: tasks whose pairs stay.
        removed: what goes besides, and why, in a line; None if nothing does.
    """

    made: tuple[str, ...]
    kept: tuple[str, ...]
    removed: str | None = None

    @property
    def all(self) -> tuple[str, ...]:
        """What the folder has in the end."""
        return _in_order({*self.made, *self.kept})


class Asked(NamedTuple):
    """What a run asks for.

    Attributes:
        tasks: their names.
        configuration: options (but the tasks) and seed.
        versions: of the packages.
        inputs: (path, bytes) of each file.
        overwrite: the named tasks may be replaced.
        resume: only those that are missing are asked for.
    """

    tasks: Sequence[str]
    configuration: Mapping[str, Any]
    versions: Mapping[str, str]
    inputs: Sequence[tuple[str, int]]
    overwrite: bool
    resume: bool


def divide_tasks(folder: OutputFolder, asked: Asked) -> TaskDivision:
    """Tells which tasks are run, and which pairs of earlier runs stay.

    Pairs of two runs stand in one folder only if both ran in the same way: one configuration describes all.

    Raises:
        UsageError: tasks are there already and nothing says what to do, or were made in another way.
    """
    if asked.overwrite and asked.resume:
        raise UsageError("--overwrite and --resume: give one of them")
    section = folder.manifest["steps"].get("pairs") if folder.manifest else None
    if section is None:
        return TaskDivision(_in_order(asked.tasks), ())
    found = section["options"]["task"]
    there = [task for task in asked.tasks if task in found]
    missing = len(there) < len(asked.tasks)
    versions = {"versions": asked.versions} if missing or asked.overwrite else {}
    other = difference(section, {**asked.configuration, **versions}, asked.inputs)
    if asked.overwrite:
        rest = _in_order({*found} - {*asked.tasks})
        if other and rest:
            return TaskDivision(_in_order(asked.tasks), (), f"removed {', '.join(rest)}: made with {other}")
        return TaskDivision(_in_order(asked.tasks), rest)
    if there and not asked.resume:
        raise UsageError(
            f"{folder.path}: holds the output of `anchormine pairs` already ({', '.join(found)}); give "
            f"--overwrite to replace {', '.join(there)}, --resume to make what is missing, or another folder"
        )
    if other:
        raise UsageError(
            f"{folder.path}: has {', '.join(found)} of `anchormine pairs` with {other}; give --overwrite to "
            "replace all pairs, or another folder"
        )
    return TaskDivision(_in_order({*asked.tasks} - {*found}), _in_order(found))


def kept_counts(section: Mapping[str, Any] | None, kept: Sequence[str]) -> dict[str, int]:
    """The counts of the tasks that stay, out of the manifest's section."""
    prefixes = tuple(form.format(task) for task in kept for form in _COUNTS)
    counts = section["counts"] if section else {}
    return {name: count for name, count in counts.items() if name.startswith(prefixes)}


def _in_order(tasks: Iterable[str]) -> tuple[str, ...]:
    return tuple(task for task in TASKS if task in tasks)
