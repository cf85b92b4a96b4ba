"""`anchormine pairs`: pages and anchors to training pairs, of HARP's tasks and of Anchor-DR's."""

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any

from anchormine.datasets.funnel import funnel_row
from anchormine.datasets.pair_tables import overlap_table, pair_table
from anchormine.errors import CommandError
from anchormine.pipelines.earlier_tasks import Asked, TaskDivision, divide_tasks, kept_counts
from anchormine.pipelines.extras import ATTENTION, require
from anchormine.pipelines.input_folder import input_folder
from anchormine.pipelines.mining import Job, Outcome, Plan, run_job, step_versions
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.pipelines.pair_arguments import add_arguments, task_options
from anchormine.pipelines.pair_options import (
    TaskOptions,
    concerning,
    idle_options,
    merged_options,
    pair_options,
)
from anchormine.pipelines.pair_pipeline import PairRun, build
from anchormine.pipelines.pair_source import PairSource, pair_source
from anchormine.sampling.weighers import WeighingOptions, make_weigher
from anchormine.schemas.pairs import ANCHOR_TASKS, HARP_TASKS
from anchormine.tasks.anchor_document import ANCHOR_DOCUMENT
from anchormine.tasks.codoc import CODOC
from anchormine.transforms.report import Report

# About what goes through the largest grouping. Of HARP's tasks: an anchor's share of the answers, and of the
# leads in them. Of codoc: two passages of a page.
_BYTES_PER_ANCHOR = 1_000
_BYTES_PER_PASSAGES = 1_000
__all__ = ["add_arguments", "run"]


def run(args: argparse.Namespace) -> int:
    """Runs the step."""
    folder, options = OutputFolder(args.folder), task_options(args)
    if _by_attention(args.task, options):
        require("anchormine pairs --weights attention", ATTENTION)
    needs_anchors = bool({*ANCHOR_TASKS}.intersection(args.task))
    source = pair_source(input_folder(folder.path), args.limit, needs_anchors)
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
        args,
    )
    return run_job(args, folder, partial(plan_pairs, made), done=not tasks.made)


def plan_pairs(run: PairRun) -> Job:
    """Plans the step, and wires the pipeline."""
    if _by_attention(run.tasks.made, run.options) and not run.args.dry_run:
        # Before anything is written: a worker's error would come late.
        make_weigher(run.options.weighing, None)
    source, of_anchors = run.source, {*ANCHOR_TASKS}.intersection(run.tasks.made)
    plan = Plan(
        step="pairs",
        inputs=[(entry["path"], entry["bytes"]) for entry in source.inputs],
        tables=[*_tables(run.tasks.made), "rejects/pairs"],
        stages=_stages(source, run.tasks),
        total=source.rows if of_anchors else source.page_rows,
        counter="anchors" if of_anchors else "pages",
        unit="anchors" if of_anchors else "pages",
        shuffled_bytes=_shuffled_bytes(source, run.tasks),
    )
    return Job(
        plan,
        partial(build, run=run),
        partial(conclude, run=run),
        {"task": list(run.tasks.all), **run.manifest_options},
        _tables(run.tasks.kept),
    )


def _tables(tasks: Sequence[str]) -> tuple[str, ...]:
    """The tables that tasks write."""
    provenance = (f"provenance/{ANCHOR_DOCUMENT}",) if ANCHOR_DOCUMENT in tasks else ()
    return (*(f"pairs/{task}" for task in tasks), *provenance)


def _stages(source: PairSource, tasks: TaskDivision) -> list[str]:
    stages = []
    if tasks.made_of(HARP_TASKS):
        stages += [f"read {source.table}", "weigh sentences", "ask pages"]
    if ANCHOR_DOCUMENT in tasks.made:
        stages += [f"gather the links of {source.table}", "join pages"]
    if CODOC in tasks.made:
        stages += ["pair passages of pages"]
    return [*stages, "write"]


def _shuffled_bytes(source: PairSource, tasks: TaskDivision) -> int:
    """What goes through the largest grouping; texts of pages are about as large there as in their files."""
    return max(
        source.rows * _BYTES_PER_ANCHOR if tasks.made_of(HARP_TASKS) else 0,
        2 * source.page_bytes if ANCHOR_DOCUMENT in tasks.made else 0,
        source.page_rows * _BYTES_PER_PASSAGES if CODOC in tasks.made else 0,
    )


def conclude(report: Report, run: PairRun) -> Outcome:
    """Makes the outcome of a run."""
    counts, tasks = report.counts, run.tasks.all
    _count_read(counts, run)
    for task in run.tasks.made:
        counts[f"pairs-{task}.written"] = report.rows(f"pairs/{task}")
    counts.update(run.kept_counts)
    tables: list[tuple[str, str, Any]] = [("pairs", *pair_table(tasks, counts))]
    overlaps = overlap_table(counts)
    if overlaps:
        tables.append(("lead_overlap", *overlaps))
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
    if CODOC in run.tasks.made:
        counts[f"pairs-{CODOC}.read"] = run.source.page_rows * run.options.passages.pairs_per_page
    if not run.tasks.made_of(ANCHOR_TASKS):
        return
    counts["anchors.read"] = run.source.rows
    if not counts.get("anchors.written") and not counts.get(f"pairs-{CODOC}.written"):
        raise CommandError(
            f"{_no_destinations(run)}, so there are no pairs, and nothing was published; {_remedy(run)}"
        )


def _no_destinations(run: PairRun) -> str:
    return (
        f"{run.args.folder}: none of its {run.source.rows:,} anchors in {run.source.table}/ leads to a "
        "page of the input"
    )


def _remedy(run: PairRun) -> str:
    """What gives anchors that lead to pages of the input."""
    remedy = "make the folder of a whole dump or crawl, or of more parts"
    if run.source.table == "filtered":
        within = f"`anchormine filter {run.args.folder} --same-site off --overwrite`"
        return f"keep links within a site ({within}), or {remedy}"
    return remedy


def _warnings(run: PairRun, counts: dict[str, int]) -> list[str]:
    table = run.source.table if run.tasks.made_of(ANCHOR_TASKS) else "pages"
    kept = f"; {', '.join(run.tasks.kept)} stay as they are" if run.tasks.kept else ""
    not_compared = _not_compared(run.options.weighing) if run.tasks.made_of(HARP_TASKS) else None
    return [
        f"pairs are made of {table}/{kept}",
        *(line for line in (run.tasks.removed, not_compared) if line),
        *idle_options(run.args, run.args.task),
        *(f"{task}: no pair was made" for task in run.tasks.all if not counts.get(f"pairs-{task}.written")),
        *_lost_anchors(run, counts),
    ]


def _lost_anchors(run: PairRun, counts: dict[str, int]) -> list[str]:
    if counts.get("anchors.written") or not run.tasks.made_of(ANCHOR_TASKS):
        return []
    return [f"{_no_destinations(run)}; {_remedy(run)}"]


def _not_compared(weighing: WeighingOptions) -> str | None:
    """Why the ways of weighing are not all side by side."""
    if weighing.profile.unit != "words":
        return f"the ways of weighing are not compared: --profile {weighing.profile.name} draws word pieces"
    if weighing.weights != "attention":
        return "attention is compared with the others under --weights attention only"
    return None


def _by_attention(tasks: Sequence[str], options: TaskOptions) -> bool:
    """Whether an encoder is needed."""
    return bool({*HARP_TASKS}.intersection(tasks)) and options.weighing.weights == "attention"


def _packages(tasks: Sequence[str], options: TaskOptions) -> tuple[str, ...]:
    """The packages whose versions scores hang on, and where passages end."""
    encoder = ("torch", "transformers", "tokenizers") if _by_attention(tasks, options) else ()
    return (*encoder, *(("nltk",) if CODOC in tasks else ()))
