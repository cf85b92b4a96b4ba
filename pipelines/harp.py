"""`anchormine harp`: HARP's own JSON lines to pages, anchors and rejects."""

import argparse
from collections import Counter
from functools import partial
from typing import Any

import apache_beam as beam

from anchormine.datasets.funnel import funnel_row
from anchormine.errors import CommandError, UsageError
from anchormine.pipelines.mining import Job, Outcome, Plan, add_mining_options, report_path, run_job
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.transforms.checksum_files import ChecksumFiles
from anchormine.transforms.files import FoundFile, find_files, join
from anchormine.transforms.import_harp import HarpFile, ImportHarp
from anchormine.transforms.report import Report, WriteReport

_UNITS = ("files", "sentences", "links", "pages")
_BUCKET_BYTES = 64 << 20


def add_arguments(parser: StepParser) -> None:
    """Adds the options of the step."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="JSON lines as HARP's programs read them")
    parser.add_argument("--output", required=True, metavar="DIR", help="dataset folder to write")
    parser.add_argument("--wiki", default="harp", metavar="NAME", help="name of the source in the card")
    parser.add_argument("--language", default="en", metavar="CODE", help="of the text (default: %(default)s)")
    parser.add_argument("--licence", metavar="SPDX", help="of the text")
    add_mining_options(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the step."""
    folder = OutputFolder(args.output)
    done = folder.is_done(args.step, args.overwrite, args.resume)
    return run_job(args, folder, partial(plan_harp, args), done)


def plan_harp(args: argparse.Namespace) -> Job:
    """Looks at the files, and wires the pipeline."""
    found = find_files(args.files)
    if args.limit and len(found) > 1:
        raise UsageError(f"--limit {args.limit}: with one file only, but {len(found)} are given")
    empty = next((file.path for file in found if not file.size), None)
    if empty and len(found) == 1:
        raise CommandError(f"{empty}: an empty file; fetch it again. Nothing was published")
    files = tuple(HarpFile(number, file.path, args.limit) for number, file in enumerate(found))
    size = sum(file.size for file in found)
    plan = Plan(
        step="harp",
        inputs=[(file.path, file.size) for file in found],
        tables=("pages", "anchors", "rejects/harp"),
        stages=("read", "write"),
        total=size,
        counter="file_bytes",
        unit="sentences",
        shuffled_bytes=size,
    )
    buckets = 1 + size // _BUCKET_BYTES
    return Job(
        plan,
        partial(build, files=files, buckets=buckets, language=args.language),
        partial(conclude, found=found, args=args),
        {"limit": args.limit},
    )


def build(
    pipeline: beam.Pipeline, scratch: str, files: tuple[HarpFile, ...], buckets: int, language: str
) -> None:
    """Wires the pipeline."""
    reports = pipeline | "Import" >> ImportHarp(
        files, language, buckets, join(scratch, "parts"), join(scratch, "progress")
    )
    sums = pipeline | "Checksum files" >> ChecksumFiles(tuple(file.path for file in files))
    (reports, sums) | "All reports" >> beam.Flatten() | "Write report" >> WriteReport(report_path(scratch))


def conclude(report: Report, found: list[FoundFile], args: argparse.Namespace) -> Outcome:
    """Makes the outcome of a run."""
    counts = Counter(report.counts)
    inputs = _verdicts(report, found)
    counts["files.read"] = counts["files.written"] = len(inputs)
    if not counts["sentences.written"]:
        detail = inputs[0]["places"][0]["reason"] if inputs[0]["places"] else "no lines in it"
        raise CommandError(f"{inputs[0]['path']}: no line is HARP's JSON ({detail}); nothing was published")
    warnings = [
        f"{entry['path']}: {len(entry['places'])} unreadable lines; the first: {entry['places'][0]['reason']}"
        for entry in inputs
        if entry["places"]
    ]
    repaired = {name: count for name, count in counts.items() if name.startswith("places.repaired.")}
    for name, count in sorted(repaired.items()):
        reason = name.rpartition(".")[2]
        warnings.append(f"{count} anchors are placed by their words, as the place given is wrong ({reason})")
    wiki = {
        "wiki": args.wiki,
        "name": None,
        "base": None,
        "language": args.language,
        "licence": args.licence,
        "newest": None,
    }
    return Outcome(
        funnel=[funnel_row("harp", unit, counts) for unit in _UNITS],
        inputs=inputs,
        counts=counts,
        options={"wikis": [wiki], "limit": args.limit},
        packages=(),
        warnings=warnings,
        unreadable=counts["sentences.unreadable"] > 0,
    )


def _verdicts(report: Report, found: list[FoundFile]) -> list[dict[str, Any]]:
    problems = dict(report.notes["problems"])
    sums = dict(report.notes["sha256"])
    return [
        {
            "path": file.path,
            "bytes": file.size,
            "sha256": sums[file.path],
            "verdict": "damaged" if problems[number] else "complete",
            "places": [
                {"offset": line, "bytes_skipped": 0, "reason": f"line {line}: {reason}"}
                for line, reason in problems[number]
            ],
        }
        for number, file in enumerate(found)
    ]
