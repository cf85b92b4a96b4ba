"""`anchormine clueweb22`: ClueWeb22's own files to pages, anchors and rejects."""

from __future__ import annotations

import argparse
from functools import partial

import apache_beam as beam

from anchormine.clueweb22.stem_reader import ReaderOptions
from anchormine.errors import CommandError
from anchormine.numerals import counted
from anchormine.pipelines.clueweb22_outcome import asked, conclude
from anchormine.pipelines.mining import Job, Plan, report_path, run_job
from anchormine.pipelines.mining_options import add_mining_options, language_tag, positive, said
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.pipelines.verdicts import nothing_readable
from anchormine.transforms.checksum_files import ChecksumFiles
from anchormine.transforms.clueweb22_plan import OTHER_SIDE, ClueWeb22Plan, plan_clueweb22
from anchormine.transforms.files import join
from anchormine.transforms.import_clueweb22 import ImportClueWeb22
from anchormine.transforms.report import WriteReport

# One bucket of addresses is in memory at a time. Of a file, addresses are about a fortieth, and what
# out-links ask for about as many; in-links ask only for pages that they say no id of.
_BUCKET_FILE_BYTES = 1 << 30
_SHUFFLED_SHARES = {"inlink": 1 / 40, "outlink": 1 / 20}


def add_arguments(parser: StepParser) -> None:
    """Adds the options of the step."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="ROOT",
        help="the collection's folder, with txt, inlink and outlink in it; or globs, or files (.json.gz)",
    )
    parser.add_argument("--output", required=True, metavar="DIR", help="dataset folder to write")
    parser.add_argument(
        "--wiki", type=said, default="ClueWeb22", metavar="NAME", help="name of the source in the card"
    )
    parser.add_argument(
        "--language", type=language_tag, metavar="CODE", help="of all rows, over what the files say"
    )
    parser.add_argument("--licence", type=said, metavar="SPDX", help="of the text, if you have it under one")
    parser.add_argument(
        "--max-record-bytes",
        type=positive,
        default=ReaderOptions().record_bytes,
        metavar="N",
        help="longer records are rejected (default: %(default)s)",
    )
    add_mining_options(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the step."""
    folder = OutputFolder(args.output)
    done = folder.is_done(args.step, args.overwrite, args.resume)
    return run_job(args, folder, partial(plan_import, args), done)


def plan_import(args: argparse.Namespace) -> Job:
    """Looks at the files, and wires the pipeline."""
    plan = plan_clueweb22(args.files, args.limit)
    if not plan.stems:
        raise CommandError(nothing_readable(plan.files))
    size = sum(file.size for file in plan.files)
    steps = Plan(
        step="clueweb22",
        inputs=[(file.path, file.size) for file in plan.files],
        tables=("pages", "anchors", "rejects/clueweb22"),
        stages=_stages(plan),
        total=size,
        counter="file_bytes",
        unit="pages",
        shuffled_bytes=int(size * _SHUFFLED_SHARES[plan.links]),
        set_aside=[(file.path, file.reason) for file in plan.set_aside],
    )
    buckets = 1 + size // _BUCKET_FILE_BYTES
    return Job(
        steps,
        partial(build, plan=plan, args=args, buckets=buckets),
        partial(conclude, plan=plan, args=args),
        asked(args),
    )


def _stages(plan: ClueWeb22Plan) -> tuple[str, ...]:
    if plan.links == "outlink":
        return ("read texts and out-links", "resolve links", "write")
    read, aside = "read texts and in-links", sum(file.reason == OTHER_SIDE for file in plan.set_aside)
    if aside:
        told = counted(aside, "file of out-links is", "files of out-links are")
        read += f" ({told} left out: the same links from the other side)"
    return (read, "look up pages that link and have no id", "write")


def build(
    pipeline: beam.Pipeline, scratch: str, plan: ClueWeb22Plan, args: argparse.Namespace, buckets: int
) -> None:
    """Wires the pipeline."""
    options = ReaderOptions(args.language, args.licence, args.max_record_bytes)
    reports = pipeline | "Import" >> ImportClueWeb22(
        plan, options, buckets, join(scratch, "parts"), join(scratch, "progress")
    )
    sums = pipeline | "Checksum files" >> ChecksumFiles(tuple(file.path for file in plan.files))
    (reports, sums) | "Reports" >> beam.Flatten() | "Write report" >> WriteReport(report_path(scratch))
