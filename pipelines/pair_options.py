"""What `pairs` writes into the manifest: all that its rows depend on, and which tasks each of it concerns."""

import argparse
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from anchormine.pipelines.pair_families import FAMILIES, families_of

_FIRST, *_OTHERS = FAMILIES
# The options in the order in which cards list them: those of all tasks come behind the first family's.
_NAMES = (
    "source",
    *_FIRST.concerns,
    *("min_words", "limit", "language"),
    *(name for family in _OTHERS for name in family.concerns),
)


def pair_options(
    tasks: Collection[str], options: Mapping[str, Any], shared: Mapping[str, Any]
) -> dict[str, Any]:
    """Collects the options of a run but its tasks, its profile and every constant.

    Args:
        tasks: that are asked for; what concerns others is left out.
        options: of each family, by its name.
        shared: "source" (the table of anchors), "min_words", "limit" and "language".
    """
    given = dict(shared)
    for family in families_of(tasks):
        given |= family.describe_options(options[family.name])
    return merged_options(concerning(given, tasks), {})


def concerning(options: Mapping[str, Any], tasks: Collection[str]) -> dict[str, Any]:
    """The options without those that concern other tasks alone."""
    concerned: dict[str, bool] = {}
    for family in FAMILIES:
        for name, group in family.concerns.items():
            concerned[name] = concerned.get(name, False) or bool({*group}.intersection(tasks))
    return {name: value for name, value in options.items() if concerned.get(name, True)}


def merged_options(asked: Mapping[str, Any], earlier: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a run and of the earlier tasks that stay, in the one order that they have."""
    found = {**earlier, **asked}
    return {name: found[name] for name in _NAMES if name in found}


def idle_options(args: argparse.Namespace, tasks: Sequence[str]) -> Iterator[str]:
    """Yields a line for each option that was given but concerns none of the tasks."""
    defaults = {name: value for family in FAMILIES for name, value in family.defaults.items()}
    given = {name: vars(args)[name] for name in defaults}
    at_work = concerning(given, tasks)
    for name, value in given.items():
        if name not in at_work and value != defaults[name]:
            yield f"--{name.replace('_', '-')} has no part in {' or '.join(tasks)}"
