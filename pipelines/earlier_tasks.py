"""`pairs` in a folder that has pairs of some tasks: which are made, and which stay as they are."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from anchormine.errors import UsageError
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.pipelines.pair_families import ANCHOR_TASKS, FAMILIES
from anchormine.pipelines.pair_options import concerning
from anchormine.pipelines.pair_run import TaskDivision, in_order
from anchormine.pipelines.resumption import difference

_COUNTS = ("pairs-{}.", "words.{}.", "terms.{}.")


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
    What concerns tasks of one of the runs alone may be anything.

    Raises:
        UsageError: tasks are there already and nothing says what to do, or were made in another way.
    """
    if asked.overwrite and asked.resume:
        raise UsageError("--overwrite and --resume: give one of them")
    section = folder.manifest["steps"].get("pairs") if folder.manifest else None
    if section is None:
        return TaskDivision(in_order(asked.tasks), ())
    found = section["options"]["task"]
    there = [task for task in asked.tasks if task in found]
    missing = len(there) < len(asked.tasks)
    versions = {"versions": _known(asked.versions, section["versions"])} if missing or asked.overwrite else {}
    if asked.overwrite:
        rest = in_order({*found} - {*asked.tasks})
        others = {task: _other(section, asked, [task], versions) for task in rest}
        kept = tuple(task for task in rest if not others[task])
        return TaskDivision(in_order(asked.tasks), kept, _removals(others))
    other = _other(section, asked, found, versions)
    if there and not asked.resume:
        raise UsageError(
            f"{folder.path}: holds the output of `anchormine pairs` already ({', '.join(found)}); give "
            f"--overwrite to replace {', '.join(there)}, --resume to make what is missing, or another folder"
        )
    if other:
        unlike = [task for task in found if _other(section, asked, [task], versions)]
        replaced = in_order({*unlike, *there})
        named = "all pairs" if len(replaced) == len(found) else ", ".join(replaced)
        raise UsageError(
            f"{folder.path}: has {', '.join(unlike or found)} of `anchormine pairs` with {other}; give "
            f"--overwrite to replace {named}, or another folder"
        )
    return TaskDivision(in_order({*asked.tasks} - {*found}), in_order(found))


def _other(
    section: Mapping[str, Any], asked: Asked, tasks: Sequence[str], versions: Mapping[str, Any]
) -> str | None:
    """The first thing in which tasks were made in another way; None if there is none."""
    return difference(section, {**concerning(asked.configuration, tasks), **versions}, asked.inputs)


def _removals(others: Mapping[str, str | None]) -> tuple[str, ...]:
    reasons = dict.fromkeys(filter(None, others.values()))
    by_reason = {reason: [task for task in others if others[task] == reason] for reason in reasons}
    return tuple(
        f"{', '.join(tasks)} of an earlier run go: made with {why}" for why, tasks in by_reason.items()
    )


def kept_counts(section: Mapping[str, Any] | None, tasks: TaskDivision) -> dict[str, int]:
    """The counts of the tasks that stay, out of the manifest's section.

    Of what tasks have in common every run that makes one of them counts anew.
    """
    prefixes = [form.format(task) for task in tasks.kept for form in _COUNTS]
    prefixes += ["anchors."] if tasks.stays(ANCHOR_TASKS) else []
    prefixes += [
        prefix for family in FAMILIES if tasks.stays(family.tasks) for prefix in family.common_counts
    ]
    counts = section["counts"] if section else {}
    return {name: count for name, count in counts.items() if name.startswith(tuple(prefixes))}


def kept_units(tasks: TaskDivision) -> tuple[str, ...]:
    """Units of the funnel whose rejects of earlier runs stay."""
    units = tuple(f"pairs-{task}" for task in tasks.kept)
    return ("anchors", *units) if tasks.stays(ANCHOR_TASKS) else units


def _known(versions: Mapping[str, str], found: Mapping[str, str]) -> dict[str, str]:
    """The versions found, with those of now for what both runs have used."""
    return {package: versions.get(package, version) for package, version in found.items()}
