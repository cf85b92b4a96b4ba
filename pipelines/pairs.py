"""`anchormine pairs`: pages and anchors to the training pairs of HARP."""

import argparse
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import apache_beam as beam

from anchormine.datasets.funnel import funnel_row
from anchormine.datasets.pair_tables import overlap_table, pair_table
from anchormine.errors import CommandError, UsageError
from anchormine.pipelines.earlier_tasks import Asked, TaskDivision, divide_tasks, kept_counts
from anchormine.pipelines.extras import ATTENTION, require
from anchormine.pipelines.input_folder import input_folder
from anchormine.pipelines.mining import (
    Job,
    Outcome,
    Plan,
    report_path,
    run_job,
    step_versions,
)
from anchormine.pipelines.mining_options import add_mining_options
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.pipelines.pair_options import pair_options
from anchormine.pipelines.pair_source import PairSource, pair_source
from anchormine.sampling.profiles import PROFILES
from anchormine.sampling.stop_words import read_stop_words
from anchormine.sampling.weighers import WEIGHTS, WeighingOptions, make_weigher
from anchormine.schemas.pairs import TASKS
from anchormine.transforms.answer_pages import AnswerPages
from anchormine.transforms.files import join
from anchormine.transforms.find_candidates import FindCandidates
from anchormine.transforms.keep_rejects import KeepRejects
from anchormine.transforms.read_corpus import ReadCorpus
from anchormine.transforms.read_sentences import ReadSentences
from anchormine.transforms.report import Report, WriteReport
from anchormine.transforms.write_pairs import WritePairs
from anchormine.transforms.write_rejects import WriteRejects

_PROBES = 20_000  # occurrences whose queries are drawn in all ways, to compare them
# What an anchor sends through the largest grouping: its share of the answers, and of the leads in them.
_BYTES_PER_ANCHOR = 1_000


def add_arguments(parser: StepParser) -> None:
    """Adds the options of the step."""
    parser.add_argument("folder", metavar="DIR", help="dataset folder with pages and anchors")
    parser.add_argument("--task", nargs="+", choices=TASKS, default=list(TASKS), help="default: all")
    parser.add_argument(
        "--encoder",
        default="default",
        metavar="MODEL",
        help="a Hugging Face id or folder; the default is the small one in the package",
    )
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N (default: %(default)s)")
    parser.add_argument(
        "--dtype", default="auto", help="auto, float32, bfloat16 or float16 (default: %(default)s)"
    )
    parser.add_argument(
        "--weights", choices=WEIGHTS, default="attention", help="of terms (default: %(default)s)"
    )
    parser.add_argument(
        "--profile",
        choices=list(PROFILES),
        default="ours",
        help="paper: its formulas; code: its program (default: %(default)s)",
    )
    parser.add_argument(
        "--stop-words", metavar="FILE", help="one a line (default: the list of each text's language)"
    )
    parser.add_argument(
        "--min-words",
        type=int,
        default=0,
        metavar="N",
        help="pages with fewer words are no documents (HARP: 100)",
    )
    parser.add_argument(
        "--language",
        metavar="CODE",
        help="of all texts, over what the folder says: whose stop words",
    )
    add_mining_options(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the step."""
    folder, weighing = OutputFolder(args.folder), _weighing(args)
    if weighing.weights == "attention":
        require("anchormine pairs --weights attention", ATTENTION)
    source = pair_source(input_folder(folder.path), args.limit)
    options = pair_options(weighing, source.table, args.min_words, args.limit, args.language)
    sizes = [(entry["path"], entry["bytes"]) for entry in source.inputs]
    versions = step_versions(_packages(weighing))
    asked = Asked(args.task, {"seed": args.seed, **options}, versions, sizes, args.overwrite, args.resume)
    tasks = divide_tasks(folder, asked)
    section = folder.manifest["steps"].get("pairs") if folder.manifest else None
    made = _Run(source, tasks, weighing, options, kept_counts(section, tasks.kept), args)
    return run_job(args, folder, partial(plan_pairs, made), done=not tasks.made)


def _weighing(args: argparse.Namespace) -> WeighingOptions:
    if args.min_words < 0:
        raise UsageError(f"--min-words {args.min_words}: give 0 or more")
    stop_words = read_stop_words(args.stop_words) if args.stop_words else None
    return WeighingOptions(
        args.weights, args.encoder, args.device, args.dtype, PROFILES[args.profile], stop_words
    )


class _Run(NamedTuple):
    """All that a run is about."""

    source: PairSource
    tasks: TaskDivision
    weighing: WeighingOptions
    options: Mapping[str, Any]
    kept_counts: Mapping[str, int]
    args: argparse.Namespace


def plan_pairs(run: _Run) -> Job:
    """Plans the step, and wires the pipeline."""
    if run.weighing.weights == "attention" and not run.args.dry_run:
        make_weigher(run.weighing, None)  # before anything is written: a worker's error would come late
    source = run.source
    plan = Plan(
        step="pairs",
        inputs=[(entry["path"], entry["bytes"]) for entry in source.inputs],
        tables=[*(f"pairs/{task}" for task in run.tasks.made), "rejects/pairs"],
        stages=(f"read {source.table}", "weigh sentences", "ask pages", "write"),
        total=source.rows,
        counter="anchors",
        unit="anchors",
        shuffled_bytes=source.rows * _BYTES_PER_ANCHOR,
    )
    return Job(
        plan,
        partial(build, run=run),
        partial(conclude, run=run),
        {"task": list(run.tasks.all), **run.options},
        tuple(f"pairs/{task}" for task in run.tasks.kept),
    )


def build(pipeline: beam.Pipeline, scratch: str, run: _Run) -> None:
    """Wires the pipeline: read, weigh, ask, write."""
    source, weighing, args = run.source, run.weighing, run.args
    buckets, parts = source.buckets, join(scratch, "parts")
    share = _probe_share(source, weighing)
    corpus = pipeline | "Read corpus" >> ReadCorpus(source.pages, buckets, args.min_words, args.language)
    sentences = pipeline | "Read sentences" >> ReadSentences(source.anchors, args.language)
    found = (sentences, corpus.frequencies, corpus.usable) | "Find candidates" >> FindCandidates(
        run.tasks.made, weighing, args.seed, buckets, share, join(scratch, "progress")
    )
    answered = (corpus.pages, found.asks, corpus.frequencies) | "Answer pages" >> AnswerPages(
        weighing, args.seed, buckets
    )
    written = (found.drafts, answered.answers) | "Write pairs" >> WritePairs(buckets, parts)
    kept = pipeline | "Keep rejects" >> KeepRejects(
        source.rejects, tuple(f"pairs-{task}" for task in run.tasks.kept), buckets
    )
    rejects = (
        (found.rejects, written.rejects, kept) | "Rejects" >> beam.Flatten() | WriteRejects("pairs", parts)
    )
    counts = (
        (found.counts, answered.counts) | "Counts" >> beam.Flatten() | "As report" >> beam.Map(_counts_report)
    )
    (
        (written.reports, rejects, counts)
        | "Reports" >> beam.Flatten()
        | "Write report" >> WriteReport(report_path(scratch))
    )


def _probe_share(source: PairSource, weighing: WeighingOptions) -> float:
    """Part of the occurrences that are probed; none where other ways than attention have no terms."""
    return min(1.0, _PROBES / source.rows) if weighing.profile.unit == "words" else 0.0


def _counts_report(counts: dict[str, int]) -> dict[str, Any]:
    return {"counts": counts}


def conclude(report: Report, run: _Run) -> Outcome:
    """Makes the outcome of a run."""
    counts, tasks = report.counts, run.tasks.all
    # Known before and after the run, and so a check on what was counted in between.
    counts["anchors.read"] = run.source.rows
    if not counts["anchors.written"]:
        raise CommandError(
            f"{run.args.folder}: none of its {run.source.rows:,} anchors leads to a page of the input, so "
            "there are no pairs, and nothing was published; make the folder of a whole dump, or of more parts"
        )
    for task in run.tasks.made:
        counts[f"pairs-{task}.written"] = report.rows(f"pairs/{task}")
    counts.update(run.kept_counts)
    tables: list[tuple[str, str, Any]] = [("pairs", *pair_table(tasks, counts))]
    overlaps = overlap_table(counts)
    if overlaps:
        tables.append(("lead_overlap", *overlaps))
    missing = _not_compared(run.weighing)
    kept = f"; {', '.join(run.tasks.kept)} stay as they are" if run.tasks.kept else ""
    return Outcome(
        funnel=[
            funnel_row("pairs", unit, counts) for unit in ("anchors", *(f"pairs-{task}" for task in tasks))
        ],
        inputs=run.source.inputs,
        counts=counts,
        options={"task": list(tasks), **run.options},
        packages=_packages(run.weighing),
        warnings=[
            f"pairs are made of {run.source.table}/{kept}",
            *(line for line in (run.tasks.removed, missing) if line),
            *(f"{task}: no pair was made" for task in tasks if not counts.get(f"pairs-{task}.written")),
        ],
        tables=tables,
    )


def _not_compared(weighing: WeighingOptions) -> str | None:
    """Why the ways of weighing are not all side by side."""
    if weighing.profile.unit != "words":
        return f"the ways of weighing are not compared: --profile {weighing.profile.name} draws word pieces"
    if weighing.weights != "attention":
        return "attention is compared with the others under --weights attention only"
    return None


def _packages(weighing: WeighingOptions) -> tuple[str, ...]:
    """The packages whose versions scores hang on."""
    return ("torch", "transformers", "tokenizers") if weighing.weights == "attention" else ()
