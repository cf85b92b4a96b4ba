"""`anchormine web`: files of a crawl to pages, anchors and rejects."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any

import apache_beam as beam

from anchormine.errors import CommandError
from anchormine.hypertext.rows import Provenance
from anchormine.pipelines.mining import Job, Plan, report_path, run_job
from anchormine.pipelines.mining_options import (
    add_mining_options,
    add_page_limits,
    language_tag,
    page_limits,
    positive,
    said,
)
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.pipelines.verdicts import nothing_readable
from anchormine.pipelines.web_outcome import asked, conclude, crawl_name
from anchormine.schemas.rejects import Reject
from anchormine.transforms.blobs import pack
from anchormine.transforms.checksum_files import ChecksumFiles
from anchormine.transforms.crawl_plan import CrawlPlan, plan_crawl
from anchormine.transforms.files import join
from anchormine.transforms.input_files import told_apart
from anchormine.transforms.input_folders import PASSED_OVER
from anchormine.transforms.parse_captures import ParseCaptures
from anchormine.transforms.read_crawl import CrawlVerdict, ReadCrawl
from anchormine.transforms.report import WriteReport
from anchormine.transforms.tabulate_pages import TabulatePages
from anchormine.transforms.write_rejects import WriteRejects
from anchormine.web.addresses import WebAddresses
from anchormine.web.records.crawl_records import RecordLimits
from anchormine.web.tracking import TRACKING

_TABLES = ("pages", "anchors", "rejects/web")
_STAGES = ("read", "parse", "resolve links", "write")
# One bucket of URLs is in memory at a time. Of a file of a crawl, URLs and targets are about a tenth.
_BUCKET_FILE_BYTES = 256 << 20
_SHUFFLED_SHARE = 1 / 8
# The rows of a group of files go to the same shards.
_GROUP_FILE_BYTES = 128 << 20
_BEFORE_ALL = -1  # a group of rows of no file that is read


def add_arguments(parser: StepParser) -> None:
    """Adds the options of the step."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="WARC or ARC files, globs, or folders of them: plain, .gz or .zst",
    )
    parser.add_argument("--output", required=True, metavar="DIR", help="dataset folder to write")
    parser.add_argument(
        "--wiki", type=said, metavar="NAME", help="name of the crawl in the card (default: its files')"
    )
    parser.add_argument(
        "--language", type=language_tag, metavar="CODE", help="of all pages, over what they say themselves"
    )
    parser.add_argument(
        "--licence", type=said, metavar="SPDX", help="of the text, where all of it is under one"
    )
    parser.add_argument(
        "--keep-tracking",
        action="store_true",
        help="leave parameters such as utm_source in canonical URLs (default: they are taken out)",
    )
    parser.add_argument(
        "--max-payload-bytes",
        type=positive,
        default=RecordLimits().payload_bytes,
        metavar="N",
        help="longer payloads are rejected (default: %(default)s)",
    )
    add_page_limits(parser)
    add_mining_options(parser)


def check(args: argparse.Namespace) -> None:
    """Makes sure of what can be told without the files.

    Raises:
        UsageError: an option is out of its range.
    """
    page_limits(args)


def run(args: argparse.Namespace) -> int:
    """Runs the step."""
    check(args)
    folder = OutputFolder(args.output)
    done = folder.is_done(args.step, args.overwrite, args.resume)
    return run_job(args, folder, partial(plan_web, args), done)


def plan_web(args: argparse.Namespace) -> Job:
    """Looks at the crawl, and wires the pipeline."""
    plan = plan_crawl(args.files, args.limit, RecordLimits(args.max_payload_bytes))
    if not plan.to_read:
        raise CommandError(nothing_readable(plan.files))
    size = sum(file.size for file in plan.to_read)
    steps = Plan(
        step="web",
        inputs=[(file.path, file.size) for file in plan.files],
        tables=_TABLES,
        stages=_STAGES,
        total=size,
        counter="file_bytes",
        unit="pages",
        shuffled_bytes=int(size * _SHUFFLED_SHARE),
        set_aside=[(path, PASSED_OVER) for path in plan.passed_over],
    )
    return Job(
        steps,
        partial(build, plan=plan, args=args, buckets=1 + size // _BUCKET_FILE_BYTES),
        partial(conclude, plan=plan, args=args),
        asked(args),
    )


def build(
    pipeline: beam.Pipeline, scratch: str, plan: CrawlPlan, args: argparse.Namespace, buckets: int
) -> None:
    """Wires the pipeline: read, parse, resolve, write."""
    tracking = () if args.keep_tracking else TRACKING
    provenances = (Provenance("web", "web", crawl_name(plan, args), args.licence),) * len(plan.files)
    read = pipeline | "Read crawl" >> ReadCrawl(
        plan, RecordLimits(args.max_payload_bytes), join(scratch, "progress")
    )
    pages = read.captures | "Parse captures" >> ParseCaptures(page_limits(args), args.language, tracking)
    tables = pages | "Tabulate pages" >> TabulatePages(
        (WebAddresses(),) * len(plan.files), provenances, shard_groups(plan), buckets, scratch
    )
    verdicts = read.verdicts | "Verdicts" >> beam.Map(_verdict_report)
    sums = pipeline | "Checksum files" >> ChecksumFiles(tuple(file.path for file in plan.files))
    rejects = _rejects_of_files(pipeline, plan.passed_over, scratch)
    (
        (tables, rejects, verdicts, sums)
        | "Reports" >> beam.Flatten()
        | "Write report" >> WriteReport(report_path(scratch))
    )


def _rejects_of_files(pipeline: beam.Pipeline, paths: Sequence[str], scratch: str) -> beam.PCollection:
    """Writes the rows of files that are passed over, before those of all others."""
    rows = [Reject("web", PASSED_OVER, "files", None, name, "") for name in told_apart(paths)]
    blobs = [(_BEFORE_ALL, pack(rows))] if rows else []
    return (
        pipeline
        | "Files passed over" >> beam.Create(blobs, reshuffle=False).with_output_types(tuple[int, bytes])
        | "Set aside" >> WriteRejects("web", join(scratch, "parts"))
    )


def shard_groups(plan: CrawlPlan) -> tuple[int, ...]:
    """Returns the group of each file: the rows of a group are written by one worker, in input order."""
    groups, before = [], 0
    for file in plan.files:
        groups.append(before // _GROUP_FILE_BYTES)
        before += file.size
    return tuple(groups)


def _verdict_report(verdict: CrawlVerdict) -> dict[str, Any]:
    pairs = zip(verdict.damages, verdict.records_before, strict=True)
    damages = [[damage.offset, damage.bytes_skipped, damage.reason, before] for damage, before in pairs]
    return {
        "counts": {
            "records.read": verdict.records,
            "records.written": verdict.captures,
            "pages.read": verdict.captures,
            **{f"captures.{problem}": count for problem, count in verdict.problems},
        },
        "damages": [verdict.file, verdict.records, damages, verdict.damages_left_out],
        "unread": [verdict.file, verdict.unread_from],
    }
