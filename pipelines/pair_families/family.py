"""What `pairs` has to know of a family of tasks: tasks that have options in common and are wired together."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import apache_beam as beam

from anchormine.pipelines.options import StepParser
from anchormine.pipelines.pair_run import Made, PairRun
from anchormine.pipelines.pair_source import PairSource

Tasks = Sequence[str]  # those of the family that are at hand


def _nothing(*_: Any) -> tuple[()]:
    return ()


def _no_counts(run: PairRun) -> dict[str, int]:
    return {}


@dataclass(frozen=True)
class TaskFamily:
    """Tasks of `pairs` that belong together. What is asked about tasks is asked only if there are some.

    Attributes:
        name: of the family; `PairRun.options` has its options under it.
        tasks: of `anchormine.schemas.pairs.TASKS`.
        anchor_tasks: those of them that are made of anchors; the others are made of pages alone.
        concerns: the manifest's options in their order, and which of the tasks each concerns. Families may
            share an option; one of them adds its flag.
        defaults: what the command line says of each flag that was not given.
        add_arguments: adds the flags.
        read_options: the options out of the command line, which check themselves.
        describe_options: the same for the manifest, under the names of `concerns`.
        wire: builds the pipeline of a run up to the reports of `Made`, given the folder for scratch, and
            whether it falls to this family to count the anchors.
        stages: what is done, in order, for the plan.
        shuffled_bytes: about how much goes through the largest grouping.
        tables: that the tasks write besides `pairs/<task>`.
        packages: whose versions the rows hang on.
        require: raises MissingPackage where something is not installed, before anything is looked at.
        try_out: does what a worker would fail at too late; before anything is written.
        read_counts: of what is read, known without the run: they check what was counted in it.
        common_counts: beginnings of the names of counts that tasks have in common.
        warnings: lines for standard error, given the counts of the run.
        result_tables: behind the table of pairs: name, text and JSON of each, out of the counts.
    """

    name: str
    tasks: tuple[str, ...]
    anchor_tasks: tuple[str, ...]
    concerns: Mapping[str, tuple[str, ...]]
    defaults: Mapping[str, Any]
    add_arguments: Callable[[StepParser], None]
    read_options: Callable[[argparse.Namespace], Any]
    describe_options: Callable[[Any], dict[str, Any]]
    wire: Callable[[beam.Pipeline, str, PairRun, bool], Made]
    stages: Callable[[PairSource, Tasks], Iterable[str]]
    shuffled_bytes: Callable[[PairSource, Tasks], int]
    tables: Callable[[Tasks], Iterable[str]] = _nothing
    packages: Callable[[Tasks, Any], Iterable[str]] = _nothing
    require: Callable[[Tasks, Any], object] = _nothing
    try_out: Callable[[Tasks, Any], object] = _nothing
    read_counts: Callable[[PairRun], Mapping[str, int]] = _no_counts
    common_counts: tuple[str, ...] = ()
    warnings: Callable[[PairRun, Mapping[str, int]], Iterable[str]] = _nothing
    result_tables: Callable[[Mapping[str, int]], Iterable[tuple[str, str, Any]]] = _nothing
