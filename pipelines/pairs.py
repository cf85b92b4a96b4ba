"""`anchormine pairs`: pages and anchors to the training pairs of HARP."""

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import apache_beam as beam

from anchormine.datasets.folder import DatasetFolder
from anchormine.datasets.funnel import funnel_row
from anchormine.datasets.pair_tables import overlap_table, pair_table
from anchormine.errors import CommandError, MissingExtra, UsageError
from anchormine.pipelines.mining import Job, Outcome, Plan, add_mining_options, report_path, run_job
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.pipelines.pair_options import pair_options
from anchormine.sampling.profiles import PROFILES
from anchormine.sampling.stop_words import read_stop_words
from anchormine.sampling.weighers import WEIGHTS, WeighingOptions, make_weigher
from anchormine.schemas.pairs import TASKS
from anchormine.transforms.answer_pages import AnswerPages
from anchormine.transforms.files import join, plain_path
from anchormine.transforms.find_candidates import FindCandidates
from anchormine.transforms.pair_buckets import PairBuckets
from anchormine.transforms.read_corpus import ReadCorpus
from anchormine.transforms.read_sentences import ReadSentences
from anchormine.transforms.report import Report, WriteReport
from anchormine.transforms.table_slices import TableSlice, slice_table
from anchormine.transforms.write_pairs import WritePairs
from anchormine.transforms.write_rejects import WriteRejects

_ANCHORS_PER_SLICE = 4096
_PAGES_PER_SLICE = 4096
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
    add_mining_options(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the step."""
    weighing = _weighing(args)
    source = DatasetFolder(plain_path(args.folder))
    return run_job(args, OutputFolder(args.folder), partial(plan_pairs, args, source, weighing))


def _weighing(args: argparse.Namespace) -> WeighingOptions:
    if args.min_words < 0:
        raise UsageError(f"--min-words {args.min_words}: give 0 or more")
    stop_words = read_stop_words(args.stop_words) if args.stop_words else None
    return WeighingOptions(
        args.weights, args.encoder, args.device, args.dtype, PROFILES[args.profile], stop_words
    )


def _check_weigher(weighing: WeighingOptions) -> None:
    """Loads the encoder once before anything is written: a worker's error would come late."""
    if weighing.weights == "attention":
        try:
            make_weigher(weighing, None)
        except ModuleNotFoundError as error:
            raise MissingExtra("anchormine pairs --weights attention", error.name or "torch") from error


class _Source(NamedTuple):
    """What pairs are made of."""

    anchors: str
    anchor_slices: tuple[TableSlice, ...]
    page_slices: tuple[TableSlice, ...]
    buckets: PairBuckets
    rows: int


def plan_pairs(args: argparse.Namespace, source: DatasetFolder, weighing: WeighingOptions) -> Job:
    """Looks at the folder, and wires the pipeline."""
    tasks = tuple(task for task in TASKS if task in args.task)
    table = "filtered" if "filtered" in source.configs() else "anchors"
    anchors, pages = _shards(source, table), _shards(source, "pages")
    rows = sum(count for _, count in anchors)
    found = _Source(
        table,
        tuple(slice_table(anchors, _ANCHORS_PER_SLICE, args.limit)),
        tuple(slice_table(pages, _PAGES_PER_SLICE)),
        PairBuckets.for_corpus(source.rows("pages"), rows),
        min(rows, args.limit or rows),
    )
    if not args.dry_run:
        _check_weigher(weighing)
    plan = Plan(
        step="pairs",
        inputs=[(entry["path"], entry["bytes"]) for entry in _inputs(source, table)],
        tables=[*(f"pairs/{task}" for task in tasks), "rejects/pairs"],
        stages=(f"read {table}", "weigh sentences", "ask pages", "write"),
        total=found.rows,
        counter="anchors",
        unit="anchors",
        shuffled_bytes=found.rows * _BYTES_PER_ANCHOR,
    )
    return Job(
        plan,
        partial(build, source=found, tasks=tasks, weighing=weighing, args=args),
        partial(conclude, source=found, tasks=tasks, weighing=weighing, folder=source, args=args),
        pair_options(weighing, tasks, table, args.min_words, args.limit),
    )


def _shards(source: DatasetFolder, config: str) -> list[tuple[str, int]]:
    counts = {
        output["path"]: output["rows"]
        for section in source.manifest["steps"].values()
        for output in section["outputs"]
    }
    try:
        return [(join(source.path, path), counts[path]) for path in source.shards(config)]
    except CommandError as error:
        if config == "anchors" and "wiki" in source.manifest["steps"]:
            raise CommandError(
                f"{source.path}: its dump had no links to articles, so there is nothing to make pairs of"
            ) from None
        raise error from None


def build(
    pipeline: beam.Pipeline,
    scratch: str,
    source: _Source,
    tasks: tuple[str, ...],
    weighing: WeighingOptions,
    args: argparse.Namespace,
) -> None:
    """Wires the pipeline: read, weigh, ask, write."""
    buckets, parts = source.buckets, join(scratch, "parts")
    share = _probe_share(source, tasks, weighing)
    corpus = pipeline | "Read corpus" >> ReadCorpus(source.page_slices, buckets, args.min_words)
    sentences = pipeline | "Read sentences" >> ReadSentences(source.anchor_slices)
    found = (sentences, corpus.frequencies, corpus.usable) | "Find candidates" >> FindCandidates(
        tasks, weighing, args.seed, buckets, share, join(scratch, "progress")
    )
    answered = (corpus.pages, found.asks, corpus.frequencies) | "Answer pages" >> AnswerPages(
        weighing, args.seed, buckets
    )
    written = (found.drafts, answered.answers) | "Write pairs" >> WritePairs(buckets, parts)
    rejects = (found.rejects, written.rejects) | "Rejects" >> beam.Flatten() | WriteRejects("pairs", parts)
    counts = (
        (found.counts, answered.counts) | "Counts" >> beam.Flatten() | "As report" >> beam.Map(_counts_report)
    )
    (
        (written.reports, rejects, counts)
        | "Reports" >> beam.Flatten()
        | "Write report" >> WriteReport(report_path(scratch))
    )


def _probe_share(source: _Source, tasks: Sequence[str], weighing: WeighingOptions) -> float:
    """Part of the occurrences that are probed; none where other ways than attention have no terms."""
    return min(1.0, _PROBES / source.rows) if "rqp" in tasks and weighing.profile.unit == "words" else 0.0


def _counts_report(counts: dict[str, int]) -> dict[str, Any]:
    return {"counts": counts}


def conclude(
    report: Report,
    source: _Source,
    tasks: tuple[str, ...],
    weighing: WeighingOptions,
    folder: DatasetFolder,
    args: argparse.Namespace,
) -> Outcome:
    """Makes the outcome of a run."""
    counts = report.counts
    # Known before and after the run, and so a check on what was counted in between.
    counts["anchors.read"] = source.rows
    for task in tasks:
        counts[f"pairs-{task}.written"] = report.rows(f"pairs/{task}")
    funnel = [funnel_row("pairs", unit, counts) for unit in ("anchors", *(f"pairs-{task}" for task in tasks))]
    tables: list[tuple[str, str, Any]] = [("pairs", *pair_table(tasks, counts))]
    overlaps = overlap_table(counts)
    if overlaps:
        tables.append(("lead_overlap", *overlaps))
    return Outcome(
        funnel=funnel,
        inputs=_inputs(folder, source.anchors),
        counts=counts,
        options=pair_options(weighing, tasks, source.anchors, args.min_words, args.limit),
        packages=("torch", "transformers", "tokenizers") if weighing.weights == "attention" else (),
        warnings=[f"pairs are made of {source.anchors}/"],
        tables=tables,
    )


def _inputs(folder: DatasetFolder, table: str) -> list[dict[str, Any]]:
    """The files that pairs are made of, as the manifest lists inputs."""
    used = {*folder.shards(table), *folder.shards("pages")}
    outputs = (output for section in folder.manifest["steps"].values() for output in section["outputs"])
    return [
        {
            "path": output["path"],
            "bytes": output["bytes"],
            "sha256": output["sha256"],
            "verdict": "complete",
            "places": [],
        }
        for output in outputs
        if output["path"] in used
    ]
