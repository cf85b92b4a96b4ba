"""`negatives` in a folder that has negatives of some tasks: which are made, and which stay as they are."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from anchormine.errors import UsageError
from anchormine.option_change import UNCOMPARED, told_change
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.schemas.pairs import TASKS

_COUNTS = ("negatives-{}.", "negatives.{}.")
_OF_DOCUMENTS = "pages-{}"  # a unit of the funnel


class SetDivision(NamedTuple):
    """What becomes of each task's set.

    Attributes:
        made: the tasks to run.
        kept: tasks whose sets stay.
        options: how the sets that stay were made, by task.
        documents: kinds of them that sets that stay were searched in, and that the run does not index again.
        counts: of the sets that stay.
        versions: of the packages that these were made with.
    """

    made: tuple[str, ...]
    kept: tuple[str, ...]
    options: Mapping[str, Mapping[str, Any]]
    documents: tuple[str, ...]
    counts: Mapping[str, int]
    versions: Mapping[str, str]

    @property
    def all(self) -> tuple[str, ...]:
        """What the folder has in the end."""
        return _in_order({*self.made, *self.kept})

    @property
    def kept_units(self) -> tuple[str, ...]:
        """The units of the funnel that stay, with their rejects."""
        return (*map(_OF_DOCUMENTS.format, self.documents), *(f"negatives-{task}" for task in self.kept))


def units_of_documents(options: Mapping[str, Mapping[str, Any]], tasks: Sequence[str]) -> list[str]:
    """The units of the funnel of the documents that sets are searched in.

    Args:
        options: of the sets, by task.
        tasks: whose sets.
    """
    forms = dict.fromkeys(options[task]["document"] for task in reversed(tasks))
    return [_OF_DOCUMENTS.format(form) for form in forms]


def found_sets(manifest: Mapping[str, Any] | None) -> Mapping[str, Mapping[str, Any]]:
    """The options of the sets that a folder has, by task."""
    section = manifest["steps"].get("negatives") if manifest else None
    return section["options"]["sets"] if section else {}


def divide_sets(
    folder: OutputFolder, asked: Mapping[str, Mapping[str, Any]], overwrite: bool, resume: bool, refresh: bool
) -> SetDivision:
    """Tells which tasks are run, and which sets of earlier runs stay. Each set has options of its own.

    Args:
        folder: for the output.
        asked: how the sets of the tasks are to be made.
        overwrite: the named tasks may be replaced.
        resume: only those that are missing are asked for.
        refresh: the named tasks are there, and are replaced.

    Raises:
        UsageError: sets are there already and nothing says what to do, or were made in another way, or there
            is none to refresh.
    """
    if overwrite + resume + refresh > 1:
        raise UsageError("--overwrite, --resume and --refresh: give one of them")
    section = folder.manifest["steps"].get("negatives") if folder.manifest else None
    found = found_sets(folder.manifest)
    there = [task for task in asked if task in found]
    if refresh:
        _check_there(folder, asked, found)
    elif resume:
        _check_options(folder, {task: asked[task] for task in there}, found)
    elif there and not overwrite:
        raise UsageError(
            f"{folder.path}: holds negatives of {', '.join(there)} already; give --overwrite or --refresh to "
            "replace them, --resume to make what is missing, or another folder"
        )
    made = _in_order({*asked} - ({*found} if resume else set()))
    kept = _in_order({*found} - {*made})
    anew = {asked[task]["document"] for task in made}
    documents = tuple(sorted({found[task]["document"] for task in kept} - anew))
    return SetDivision(
        made,
        kept,
        {task: found[task] for task in kept},
        documents,
        _counts_of(section["counts"] if section else {}, kept, documents),
        section["versions"] if section and kept else {},
    )


def _check_there(folder: OutputFolder, asked: Iterable[str], found: Mapping[str, Any]) -> None:
    missing = [task for task in asked if task not in found]
    if missing:
        raise UsageError(
            f"--refresh: {folder.path} has no negatives of {', '.join(missing)} yet; leave out --refresh"
        )


def _check_options(
    folder: OutputFolder, asked: Mapping[str, Mapping[str, Any]], found: Mapping[str, Mapping[str, Any]]
) -> None:
    for task, options in asked.items():
        for name, value in options.items():
            if found[task].get(name) != value and name not in UNCOMPARED:
                change = told_change(name, found[task].get(name), value)
                raise UsageError(
                    f"--resume: {folder.path} has negatives of {task} with {change}; give --overwrite "
                    "to replace them, or another folder"
                )


def _counts_of(counts: Mapping[str, int], tasks: Iterable[str], documents: Iterable[str]) -> dict[str, int]:
    prefixes = tuple(form.format(task) for task in tasks for form in _COUNTS)
    prefixes += tuple(f"{_OF_DOCUMENTS.format(form)}." for form in documents)
    return {name: count for name, count in counts.items() if prefixes and name.startswith(prefixes)}


def _in_order(tasks: Iterable[str]) -> tuple[str, ...]:
    chosen = {*tasks}
    return tuple(task for task in TASKS if task in chosen)
