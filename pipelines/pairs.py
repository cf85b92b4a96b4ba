"""`anchormine pairs`: pages and anchors to training pairs, of all families of tasks."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from shlex import quote
from typing import Any

from anchormine.datasets.funnel import funnel_row
from anchormine.datasets.pair_tables import pair_table
from anchormine.errors import CommandError
from anchormine.numerals import counted
from anchormine.pipelines.earlier_sets import found_sets
from anchormine.pipelines.earlier_steps import Kept
from anchormine.pipelines.earlier_tasks import Asked, divide_tasks, kept_counts
from anchormine.pipelines.input_folder import input_folder
from anchormine.pipelines.mining import Job, Outcome, Plan, run_job, step_versions
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.pipelines.pair_arguments import add_arguments, task_options
from anchormine.pipelines.pair_families import ANCHOR_TASKS, TaskFamily, families_of
from anchormine.pipelines.pair_options import concerning, idle_options, merged_options, pair_options
from anchormine.pipelines.pair_pipeline import build
from anchormine.pipelines.pair_run import PairRun
from anchormine.pipelines.pair_source import pair_source
from anchormine.transforms.report import Report

__all__ = ["add_arguments", "check", "run"]

_MANY_WITHIN = 100  # times as many links within sites as between them: a crawl of few sites


def check(args: argparse.Namespace) -> None:
    """Makes sure of what can be told without the folder.

    Raises:
        UsageError: an option is out of its range.
    """
    task_options(args)


def run(args: argparse.Namespace) -> int:
    """Runs the step."""
    args.task = list(dict.fromkeys(args.task))  # one that is named twice is made once
    folder, options = OutputFolder(args.folder), task_options(args)
    for family, named in _by_family(args.task):
        family.require(named, options[family.name])
    linking = [task for task in args.task if task in ANCHOR_TASKS]
    others = [task for task in args.task if task not in ANCHOR_TASKS]
    source = pair_source(input_folder(folder.path), args.limit, linking, others)
    shared = {name: getattr(args, name) for name in ("min_words", "limit", "language")}
    asked = pair_options(args.task, options, {"source": source.table, **shared})
    sizes = [(entry["path"], entry["bytes"]) for entry in source.inputs]
    versions = step_versions(_packages(args.task, options))
    configuration = {"seed": args.seed, **asked}
    tasks = divide_tasks(
        folder, Asked(args.task, configuration, versions, sizes, args.overwrite, args.resume)
    )
    section = folder.manifest["steps"].get("pairs") if folder.manifest else None
    earlier = section if section and tasks.kept else {"options": {}, "versions": {}}
    made = PairRun(
        source,
        tasks,
        options,
        merged_options(asked, concerning(earlier["options"], tasks.kept)),
        kept_counts(section, tasks),
        earlier["versions"],
        frozenset(found_sets(folder.manifest)),
        args,
    )
    return run_job(args, folder, partial(plan_pairs, made), done=not tasks.made)


def plan_pairs(run: PairRun) -> Job:
    """Plans the step, and wires the pipeline."""
    source, made, of_anchors = run.source, _by_family(run.tasks.made), run.tasks.made_of(ANCHOR_TASKS)
    for family, tasks in () if run.args.dry_run else made:
        family.try_out(tasks, run.options[family.name])
    plan = Plan(
        step="pairs",
        inputs=[(entry["path"], entry["bytes"]) for entry in source.inputs],
        tables=[*_tables(run.tasks.made), "rejects/pairs"],
        stages=[*(stage for family, tasks in made for stage in family.stages(source, tasks)), "write"],
        total=source.rows if of_anchors else source.page_rows,
        counter="anchors" if of_anchors else "pages",
        unit="anchors" if of_anchors else "pages",
        shuffled_bytes=max((family.shuffled_bytes(source, tasks) for family, tasks in made), default=0),
    )
    return Job(
        plan,
        partial(build, run=run),
        partial(conclude, run=run),
        {"task": list(run.tasks.all), **run.manifest_options},
        Kept(_tables(run.tasks.kept), ("negatives",) if run.mined <= {*run.tasks.kept} else ()),
        run.tasks.removals,
    )


def _by_family(tasks: Sequence[str]) -> list[tuple[TaskFamily, tuple[str, ...]]]:
    """The families of tasks, each with those of its tasks that are named."""
    return [(family, tuple(task for task in family.tasks if task in tasks)) for family in families_of(tasks)]


def _tables(tasks: Sequence[str]) -> tuple[str, ...]:
    """The tables that tasks write."""
    others = (table for family, named in _by_family(tasks) for table in family.tables(named))
    return (*(f"pairs/{task}" for task in tasks), *others)


def _packages(tasks: Sequence[str], options: Mapping[str, Any]) -> tuple[str, ...]:
    """The packages whose versions the rows hang on."""
    return tuple(
        package
        for family, named in _by_family(tasks)
        for package in family.packages(named, options[family.name])
    )


def conclude(report: Report, run: PairRun) -> Outcome:
    """Makes the outcome of a run."""
    counts, tasks = report.counts, run.tasks.all
    _count_read(counts, run)
    for task in run.tasks.made:
        counts[f"pairs-{task}.written"] = report.rows(f"pairs/{task}")
    counts.update(run.kept_counts)
    tables: list[tuple[str, str, Any]] = [("pairs", *pair_table(tasks, counts))]
    for family in families_of(tasks):
        tables.extend(family.result_tables(counts))
    units = [f"pairs-{task}" for task in tasks]
    if {*ANCHOR_TASKS}.intersection(tasks):
        units.insert(0, "anchors")
    return Outcome(
        funnel=[funnel_row("pairs", unit, counts) for unit in units],
        inputs=run.source.inputs,
        counts=counts,
        options={"task": list(tasks), **run.manifest_options},
        packages=_packages(run.tasks.made, run.options),
        warnings=_warnings(run, counts),
        tables=tables,
        versions=run.kept_versions,
    )


def _count_read(counts: dict[str, int], run: PairRun) -> None:
    """Counts what was read. It is known before and after the run, so it checks what was counted in between.

    Raises:
        CommandError: no anchor leads to a page, and no other pairs were made.
    """
    for family in families_of(run.tasks.made):
        for name, count in family.read_counts(run).items():
            counts[name] = count  # instead of what workers have counted
    if not run.tasks.made_of(ANCHOR_TASKS):
        return
    counts["anchors.read"] = run.source.rows
    if not counts.get("anchors.written") and not _any_written(counts, run.tasks.made):
        raise CommandError(
            f"{_no_destinations(run)}, so there are no pairs, and nothing was published; {_remedy(run)}"
        )


def _any_written(counts: Mapping[str, int], tasks: Iterable[str]) -> bool:
    return any(counts.get(f"pairs-{task}.written") for task in tasks)


def _no_destinations(run: PairRun) -> str:
    return (
        f"{run.args.folder}: of {counted(run.source.rows, 'anchor')} in {run.source.table}/ none leads to a "
        "page of the input"
    )


def _remedy(run: PairRun) -> str:
    """What gives anchors that lead to pages of the input."""
    remedy = "make the folder of a whole dump or crawl, or of more parts"
    return f"keep links within a site ({_within(run)}), or {remedy}" if run.source.left_out else remedy


def _within(run: PairRun) -> str:
    return f"`anchormine filter {quote(run.args.folder)} --same-site off --overwrite`"


def _warnings(run: PairRun, counts: dict[str, int]) -> list[str]:
    table = run.source.table if run.tasks.made_of(ANCHOR_TASKS) else "pages"
    stay = "stays as it is" if len(run.tasks.kept) == 1 else "stay as they are"
    kept = f"; {', '.join(run.tasks.kept)} {stay}" if run.tasks.kept else ""
    return [
        f"pairs are made of {table}/{kept}",
        *(line for family in families_of(run.tasks.made) for line in family.warnings(run, counts)),
        *idle_options(run.args, run.args.task),
        *(f"{task}: no pair was made" for task in run.tasks.all if not counts.get(f"pairs-{task}.written")),
        *_lost_anchors(run, counts),
    ]


def _lost_anchors(run: PairRun, counts: dict[str, int]) -> list[str]:
    if not run.tasks.made_of(ANCHOR_TASKS):
        return []
    written, within = counts.get("anchors.written", 0), run.source.left_out
    if not written:
        return [f"{_no_destinations(run)}; {_remedy(run)}"]
    if written * _MANY_WITHIN > within:
        return []
    return [
        f"{run.args.folder}: only {written:,} of its anchors are in pairs, and the filter has dropped "
        f"{within:,} within one site; keep those ({_within(run)}) if the crawl is of few sites"
    ]
