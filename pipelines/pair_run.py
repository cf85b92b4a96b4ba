"""A run of `pairs`: what it makes of what, and what a family of tasks gives to it."""

import argparse
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import apache_beam as beam

from anchormine.pipelines.pair_source import PairSource
from anchormine.schemas.pairs import TASKS


class TaskDivision(NamedTuple):
    """What becomes of each task of a folder, in the order of `TASKS`.

    Attributes:
        made: the tasks to run.
        kept: tasks whose pairs stay.
        removals: what goes besides, and why, a line for each reason.
    """

    made: tuple[str, ...]
    kept: tuple[str, ...]
    removals: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """What the folder has in the end."""
        return in_order({*self.made, *self.kept})

    def made_of(self, family: Iterable[str]) -> tuple[str, ...]:
        """The tasks of a family that are run."""
        return tuple(task for task in self.made if task in family)

    def stays(self, family: Iterable[str]) -> bool:
        """Whether tasks of a family stay and none is made."""
        return bool({*family}.intersection(self.kept)) and not self.made_of(family)


class PairRun(NamedTuple):
    """All that a run is about.

    Attributes:
        source: what is read.
        tasks: what is made, and what stays.
        options: how pairs are made, by the name of the family.
        manifest_options: the same as the manifest has it, with what concerns the tasks that stay.
        kept_counts: of the tasks that stay.
        kept_versions: of the packages that these were made with.
        mined: tasks whose pairs have been given negatives.
        args: of the command line.
    """

    source: PairSource
    tasks: TaskDivision
    options: Mapping[str, Any]
    manifest_options: Mapping[str, Any]
    kept_counts: Mapping[str, int]
    kept_versions: Mapping[str, str]
    mined: frozenset[str]
    args: argparse.Namespace


class Made(NamedTuple):
    """What a family of tasks gives: reports, (bucket, blob of rejects), and reports of counts alone."""

    reports: list[beam.PCollection]
    rejects: list[beam.PCollection]
    counts: list[beam.PCollection]


def in_order(tasks: Iterable[str]) -> tuple[str, ...]:
    """Tasks in the order of `TASKS`."""
    return tuple(task for task in TASKS if task in tasks)
