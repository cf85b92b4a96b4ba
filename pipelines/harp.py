"""`anchormine harp`: HARP's own JSON lines to pages, anchors and rejects."""

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import apache_beam as beam

from anchormine.archives.compression import compression_of
from anchormine.datasets.funnel import funnel_row
from anchormine.datasets.places import Place, input_entry
from anchormine.errors import CommandError, UsageError
from anchormine.pipelines.changed_inputs import changed_lines
from anchormine.pipelines.mining import Job, Outcome, Plan, report_path, run_job
from anchormine.pipelines.mining_options import add_mining_options, language_tag, said
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.transforms.checksum_files import ChecksumFiles
from anchormine.transforms.files import join
from anchormine.transforms.import_harp import HarpFile, ImportHarp
from anchormine.transforms.input_files import find_files
from anchormine.transforms.input_folders import FoundFile
from anchormine.transforms.other_readers import other_reader
from anchormine.transforms.report import Report, WriteReport
from anchormine.transforms.resumed_reads import ReadStopped, ResumedFile

_UNITS = ("files", "sentences", "links", "pages")
_BUCKET_BYTES = 64 << 20


def add_arguments(parser: StepParser) -> None:
    """Adds the options of the step."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="JSON lines as HARP's programs read them")
    parser.add_argument("--output", required=True, metavar="DIR", help="dataset folder to write")
    parser.add_argument(
        "--wiki", type=said, default="harp", metavar="NAME", help="name of the source in the card"
    )
    parser.add_argument(
        "--language",
        type=language_tag,
        default="en",
        metavar="CODE",
        help="of the text (default: %(default)s)",
    )
    parser.add_argument("--licence", type=said, metavar="SPDX", help="of the text")
    add_mining_options(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the step."""
    folder = OutputFolder(args.output)
    done = folder.is_done(args.step, args.overwrite, args.resume)
    return run_job(args, folder, partial(plan_harp, args), done)


def plan_harp(args: argparse.Namespace) -> Job:
    """Looks at the files, and wires the pipeline."""
    found = find_files(args.files, "harp")
    if args.limit and len(found) > 1:
        raise UsageError(f"--limit {args.limit}: with one file only, but {len(found)} are given")
    _refuse_equal_names(found)
    empty = next((file.path for file in found if not file.size), None)
    if empty and len(found) == 1:
        raise CommandError(f"{empty}: an empty file; fetch it again. Nothing was published")
    for file in found:
        _refuse_others(file.path)
    files = tuple(HarpFile(number, file.path, file.size, args.limit) for number, file in enumerate(found))
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
        asked(args),
    )


def asked(args: argparse.Namespace) -> dict[str, Any]:
    """The options of the step that its rows depend on."""
    return {name: getattr(args, name) for name in ("wiki", "language", "licence", "limit")}


def _refuse_equal_names(found: Sequence[FoundFile]) -> None:
    """Ids are made of a file's name and the line: those of equal names would be the same."""
    paths: dict[str, str] = {}
    for file in found:
        name = file.path.rpartition("/")[2]
        first = paths.setdefault(name, file.path)
        if first != file.path:
            raise UsageError(
                f"{first} and {file.path}: both are named {name}, and ids are made of a file's name and the "
                "line; rename one of them"
            )


def _refuse_others(path: str) -> None:
    """Refuses what another command reads, and what is compressed."""
    try:
        with ResumedFile(path) as stream:
            kind = compression_of(stream.read(16))
    except ReadStopped:
        return  # who reads it says so
    if other := other_reader(path, "harp"):
        raise CommandError(f"{path}: {other}; nothing was published")
    if kind:
        raise UsageError(
            f"{path}: is compressed ({kind}), and only plain JSON lines are read; unpack it first"
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
    read: dict[int, dict[str, Any]] = dict(report.notes["files"])
    inputs = _verdicts(report, read, found)
    bad = [entry for entry in inputs if entry["verdict"] == "unreadable"]
    counts["files.read"], counts["files.unreadable"] = len(inputs), len(bad)
    counts["files.written"] = len(inputs) - len(bad)
    if not counts["sentences.written"]:
        detail = inputs[0]["places"][0]["reason"] if inputs[0]["places"] else "no lines in it"
        raise CommandError(f"{inputs[0]['path']}: no line is HARP's JSON ({detail}); nothing was published")
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
        options={"wikis": [wiki], **asked(args)},
        packages=(),
        warnings=[*_warnings(read, inputs), *changed_lines(report)],
        unreadable=any(entry["verdict"] != "complete" for entry in inputs),
    )


def _warnings(read: Mapping[int, Mapping[str, Any]], inputs: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = []
    for number, entry in enumerate(inputs):
        path, counts = entry["path"], read[number]
        if not counts["sentences"]:
            lines.append(f"{path}: unreadable: {entry['places'][0]['reason']}")
        elif counts["unreadable"]:
            (_, _, first) = counts["first"][0]
            lines.append(f"{path}: {counts['unreadable']} unreadable lines; the first: {first}")
        if counts["wrong"]:
            lines.append(
                f"{path}: {counts['wrong']} anchors are not at the place that is given (see manifest.json)"
            )
    return lines


def _verdicts(
    report: Report, read: Mapping[int, Mapping[str, Any]], found: Sequence[FoundFile]
) -> list[dict[str, Any]]:
    """What the manifest says of each file; wrong places of anchors do not make it damaged."""
    sums = dict(report.notes["sha256"])
    inputs = []
    for number, file in enumerate(found):
        counts = read[number]
        places = [Place(*place) for place in counts["places"]]
        if not counts["sentences"] and not places:
            places = [Place(0, 0, "an empty file" if not file.size else "no lines in it")]
        verdict = "complete" if not counts["unreadable"] else "damaged"
        verdict = verdict if counts["sentences"] else "unreadable"
        if verdict != "unreadable" and file.path in report.changed:
            places.insert(0, Place(0, 0, report.changed[file.path]))
            verdict, sums[file.path] = "damaged", None
        left_out = counts["unreadable"] + counts["wrong"] - len(counts["places"])
        inputs.append(input_entry(file.path, file.size, sums[file.path], verdict, places, left_out))
    return inputs
