"""What all mining steps share: their frame from plan to publication, and what they print."""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, NamedTuple

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions

from anchormine.datasets.funnel import FunnelRow, check_balance, render_funnel
from anchormine.datasets.manifest import Section, versions_of
from anchormine.errors import UsageError
from anchormine.pipelines.changed_inputs import WatchedInputs
from anchormine.pipelines.earlier_steps import Kept
from anchormine.pipelines.interruption import insisting, leaving
from anchormine.pipelines.jobs import run_to_end
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.pipelines.planned import PlannedRun, print_planned
from anchormine.pipelines.progress import ProgressMonitor
from anchormine.pipelines.publication import publish
from anchormine.pipelines.resumption import check_same
from anchormine.pipelines.run_errors import plain_errors
from anchormine.pipelines.runners import (
    default_workers,
    is_local,
    make_pipeline,
    pipeline_options,
    runner_name,
)
from anchormine.pipelines.standard_streams import tell
from anchormine.pipelines.suggestion_file import outdated_suggestions
from anchormine.transforms.files import join
from anchormine.transforms.report import Report

# What a worker process of the local runner takes into one stage after a grouping (gRPC's limit).
_STAGE_LIMIT_BYTES = 2 << 30


class Plan(NamedTuple):
    """What a step is about to do.

    Attributes:
        step: the command.
        inputs: (path, bytes) of each file.
        tables: folders that it writes.
        stages: what is done, in order.
        total: of the counter that the progress is measured by.
        counter: its name, "file_bytes" for bytes of the input.
        unit: what is counted for the speed, such as "pages".
        shuffled_bytes: about how much goes through the largest grouping.
        set_aside: (path, reason) of each file that is found and not read.
        passes: how many times each unit is read, and counted.
    """

    step: str
    inputs: Sequence[tuple[str, int]]
    tables: Sequence[str]
    stages: Sequence[str]
    total: int
    counter: str
    unit: str
    shuffled_bytes: int
    set_aside: Sequence[tuple[str, str]] = ()
    passes: int = 1


class Outcome(NamedTuple):
    """What a step found.

    Attributes:
        funnel: its rows.
        inputs: of the manifest.
        counts: of the manifest.
        options: of the manifest.
        packages: whose versions go to the manifest.
        warnings: lines for standard error.
        unreadable: whether some input was.
        tables: for standard output behind the funnel: text, and JSON by name.
        versions: of packages that what stays of an earlier run was made with.
        inputs_set_aside: of the manifest.
    """

    funnel: list[FunnelRow]
    inputs: list[dict[str, Any]]
    counts: Mapping[str, Any]
    options: Mapping[str, Any]
    packages: Sequence[str]
    warnings: Sequence[str] = ()
    unreadable: bool = False
    tables: Sequence[tuple[str, str, Any]] = ()
    versions: Mapping[str, str] = {}
    inputs_set_aside: Sequence[dict[str, str]] = ()


class Job(NamedTuple):
    """How a step is run, once it is planned.

    Attributes:
        plan: see `Plan`.
        build: given a pipeline and the scratch folder, builds it up to a report at the path that
            `report_path` gives.
        conclude: makes an outcome of the report.
        options: of the manifest, as far as they are known before; what `--resume` keeps has the same.
        kept: what stays of an earlier run of the step.
        removals: what does not stay though it is not made again, and why, in lines.
    """

    plan: Plan
    build: Callable[[beam.Pipeline, str], Any]
    conclude: Callable[[Report], Outcome]
    options: Mapping[str, Any]
    kept: Kept = Kept()
    removals: Sequence[str] = ()


def report_path(scratch: str) -> str:
    """Where a pipeline leaves its report."""
    return join(scratch, "report.json")


def run_job(args: argparse.Namespace, folder: OutputFolder, make_job: Callable[[], Job], done: bool) -> int:
    """Runs a mining step, and publishes what it made.

    Args:
        args: of the step, with the options of `add_mining_options`.
        folder: for the output.
        make_job: looks at the input; nothing is written before it has succeeded.
        done: whether `--resume` finds the output there.

    Returns:
        The exit status.
    """
    started = now()
    workers = args.workers or default_workers()
    beam_options = pipeline_options(args.beam_options, workers)
    job = make_job()
    if done:
        check_same(folder, args.step, {"seed": args.seed, **job.options}, job.plan.inputs)
        folder.check_there(args.step)
        say_done(args, folder)
        return 3 if args.strict and folder.earlier.has_unreadable(args.step) else 0
    folder.check_places(args.step, job.kept, job.plan.tables)
    removals = [*job.removals, *_removals(folder, args.step, job.kept)]
    if args.dry_run:
        print_planned(_planned(job.plan, folder, removals), workers, beam_options, args.json)
        return 0
    _check_shuffle(job.plan, workers, beam_options)
    inputs = WatchedInputs(job.plan.inputs)
    pipeline = make_pipeline(beam_options)  # before anything is written: its runner may not answer
    for line in removals:
        tell(f"anchormine: {folder.path}: {line}")
    try:  # from here on: a signal may come as soon as the folder is there
        scratch = folder.open_scratch(args.step)
        with insisting(), ProgressMonitor(join(scratch, "progress"), job.plan, args.progress):
            _run_pipeline(job, pipeline, folder.path, scratch)
        report = Report(report_path(scratch), inputs.changed())
        outcome = job.conclude(report)
        check_balance(outcome.funnel)
        section = _section(args, outcome, started, workers, beam_options)
        publish(folder, args.step, section, report, job.kept)
    except BaseException:
        folder.discard()
        raise
    with leaving("all was published"):
        folder.discard()
        return _print_outcome(args, folder, outcome)


def _run_pipeline(job: Job, pipeline: beam.Pipeline, folder: str, scratch: str) -> None:
    job.build(pipeline, scratch)
    with plain_errors(folder):
        run_to_end(pipeline)


def _check_shuffle(plan: Plan, workers: int, options: PipelineOptions) -> None:
    if is_local(options) and workers > 1 and plan.shuffled_bytes > workers * _STAGE_LIMIT_BYTES:
        raise UsageError(
            f"about {plan.shuffled_bytes >> 30} GiB go through one grouping, and {workers} worker processes "
            f"take {workers * _STAGE_LIMIT_BYTES >> 30}; give --workers 1 (in memory, without that limit), "
            "more workers, or a cluster with --runner"
        )


def _section(
    args: argparse.Namespace, outcome: Outcome, started: str, workers: int, options: PipelineOptions
) -> Section:
    return Section(
        command=f"anchormine {args.step}",
        options=outcome.options,
        seed=args.seed,
        versions={**outcome.versions, **step_versions(outcome.packages)},
        started=started,
        finished=now(),
        workers=workers if is_local(options) else None,
        runner=runner_name(options),
        inputs=outcome.inputs,
        inputs_set_aside=list(outcome.inputs_set_aside),
        outputs=[],
        counts=dict(sorted(outcome.counts.items())),
        funnel=[row.to_json() for row in outcome.funnel],
    )


def step_versions(packages: Sequence[str]) -> dict[str, str]:
    """The versions that a step writes to the manifest."""
    return versions_of("anchormine", "apache-beam", "pyarrow", *packages)


def now() -> str:
    """The time, ISO 8601, UTC."""
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def _removals(folder: OutputFolder, step: str, kept: Kept) -> list[str]:
    """What does not stay in its place because it was made from a step's old output, in lines."""
    steps = folder.earlier.lost_steps(step, kept)
    names = " and ".join(f"`anchormine {name}`" for name in steps)
    lines = [f"what {names} made before goes with that"] if steps else []
    outdated = outdated_suggestions(folder.path, step)
    return [*lines, outdated] if outdated else lines


def _planned(plan: Plan, folder: OutputFolder, removals: Sequence[str]) -> PlannedRun:
    outputs = [join(folder.path, table) for table in plan.tables]
    return PlannedRun(plan.step, plan.inputs, plan.stages, outputs, removals, plan.set_aside)


def say_done(args: argparse.Namespace, folder: OutputFolder) -> None:
    """Says of a step that it has nothing to do; with `--json` the funnel is that of the run that did it."""
    tell(f"{folder.path}: `anchormine {args.step}` is done already")
    if args.json:
        funnel = folder.earlier.funnel(args.step)
        print(json.dumps({"funnel": funnel, "output": folder.path}, ensure_ascii=False))


def _print_outcome(args: argparse.Namespace, folder: OutputFolder, outcome: Outcome) -> int:
    for line in outcome.warnings:
        tell(f"anchormine: {line}")
    if args.json:
        tables = {name: value for name, _, value in outcome.tables}
        funnel = [row.to_json() for row in outcome.funnel]
        print(json.dumps({"funnel": funnel, **tables, "output": folder.path}, ensure_ascii=False))
    else:
        print(render_funnel(outcome.funnel))
        for _, text, _ in outcome.tables:
            print(f"\n{text}")
        print(f"\n{folder.path}")
    return 3 if args.strict and outcome.unreadable else 0
