"""`anchormine wiki`: MediaWiki XML dumps to pages, anchors and rejects."""

import argparse
import re
from functools import partial
from typing import Any

import apache_beam as beam

from anchormine.errors import CommandError, UsageError
from anchormine.hypertext.page_limits import PageLimits
from anchormine.hypertext.rows import Provenance
from anchormine.pipelines.mining import Job, Plan, report_path, run_job
from anchormine.pipelines.mining_options import (
    add_mining_options,
    add_page_limits,
    language_tag,
    page_limits,
    said,
)
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.pipelines.verdicts import nothing_readable
from anchormine.pipelines.wiki_outcome import asked, conclude
from anchormine.pipelines.wiki_plan import WikiDump, look_at_wikis, shard_groups
from anchormine.transforms.checksum_files import ChecksumFiles
from anchormine.transforms.dump_plan import plan_dump
from anchormine.transforms.files import join
from anchormine.transforms.parse_articles import ParseArticles
from anchormine.transforms.read_dump import RangeVerdict, ReadDump
from anchormine.transforms.report import WriteReport
from anchormine.transforms.tabulate_pages import TabulatePages

_WIKI_NAME = re.compile(r"[\w.-]+")
_TABLES = ("pages", "anchors", "rejects/wiki")
_STAGES = ("read", "parse", "resolve titles", "write")
# One bucket of titles is in memory at a time. Measured, titles and link targets are 3 % of the XML where
# articles are long, and 10 % where they are stubs.
_BUCKET_XML_BYTES = 256 << 20
_SHUFFLED_SHARE = 1 / 10


def add_arguments(parser: StepParser) -> None:
    """Adds the options of the step."""
    parser.add_argument(
        "dumps",
        nargs="+",
        metavar="DUMP",
        help="dump files or globs: .xml .bz2 .gz .zst; the parts of one dump together",
    )
    parser.add_argument("--output", required=True, metavar="DIR", help="dataset folder to write")
    parser.add_argument(
        "--index", metavar="FILE", help="of a multistream dump (default: the one beside it; none: without)"
    )
    parser.add_argument(
        "--wiki", metavar="NAME", help="name in page ids, such as frwiki, over the dump's own"
    )
    parser.add_argument(
        "--language", type=language_tag, metavar="CODE", help="such as fr, over the dump's own"
    )
    parser.add_argument(
        "--licence", type=said, metavar="SPDX", help="of the text, over what is known of the wiki"
    )
    add_page_limits(parser)
    add_mining_options(parser)


def check(args: argparse.Namespace) -> None:
    """Makes sure of what can be told without the files.

    Raises:
        UsageError: an option is out of its range.
    """
    page_limits(args)
    if args.wiki is not None and not _WIKI_NAME.fullmatch(args.wiki):
        raise UsageError(f"--wiki {args.wiki!r}: page ids begin with it: letters, digits, _, - and . only")


def run(args: argparse.Namespace) -> int:
    """Runs the step."""
    check(args)
    folder = OutputFolder(args.output)
    done = folder.is_done(args.step, args.overwrite, args.resume)
    return run_job(args, folder, partial(plan_wiki, args), done)


def plan_wiki(args: argparse.Namespace) -> Job:
    """Looks at the dump, and wires the pipeline."""
    plan = plan_dump(args.dumps, args.index, args.limit)
    if not plan.ranges:
        only_indexes = "no dump is among the files given, only indexes; nothing was published"
        raise CommandError(nothing_readable(plan.files) if plan.files else only_indexes)
    limits = page_limits(args)
    xml_bytes = sum(file.xml_bytes for file in plan.files)
    steps = Plan(
        step="wiki",
        inputs=[(file.path, file.size) for file in plan.files],
        tables=_TABLES,
        stages=_STAGES,
        total=sum(part.end - part.start for part in plan.ranges),
        counter="file_bytes",
        unit="pages",
        shuffled_bytes=int(xml_bytes * _SHUFFLED_SHARE),
    )
    dump = look_at_wikis(plan, args)
    buckets = 1 + xml_bytes // _BUCKET_XML_BYTES
    return Job(
        steps,
        partial(build, dump=dump, limits=limits, buckets=buckets),
        partial(conclude, dump=dump, args=args),
        asked(args),
    )


def build(pipeline: beam.Pipeline, scratch: str, dump: WikiDump, limits: PageLimits, buckets: int) -> None:
    """Wires the pipeline: read, parse, resolve, write."""
    plan, sites, licences, models = dump
    of_range = [part.file for part in plan.ranges]
    provenances = tuple(Provenance("wiki", "wiki", sites[file].wiki, licences[file]) for file in of_range)
    read = pipeline | "Read dump" >> ReadDump(plan, join(scratch, "progress"))
    articles = read.pages | "Parse articles" >> ParseArticles(sites, models, limits)
    tables = articles | "Tabulate pages" >> TabulatePages(
        sites, provenances, shard_groups(plan), buckets, scratch
    )
    verdicts = read.verdicts | "Verdicts" >> beam.Map(_verdict_report)
    sums = pipeline | "Checksum files" >> ChecksumFiles(tuple(file.path for file in plan.files))
    (
        (tables, verdicts, sums)
        | "Reports" >> beam.Flatten()
        | "Write report" >> WriteReport(report_path(scratch))
    )


def _verdict_report(verdict: RangeVerdict) -> dict[str, Any]:
    damages = [list(damage) for damage in verdict.damages]
    return {
        "counts": {"pages.read": verdict.pages},
        "damages": [verdict.file, verdict.start, damages, verdict.damages_left_out],
    }
