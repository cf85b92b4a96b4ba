"""`anchormine wiki`: MediaWiki XML dumps to pages, anchors and rejects."""

import argparse
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import apache_beam as beam

from anchormine.datasets.funnel import funnel_row
from anchormine.errors import CommandError
from anchormine.pipelines.mining import Job, Outcome, Plan, add_mining_options, positive, report_path, run_job
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.text.sentences import SentenceModel, needs_sample, sentence_model
from anchormine.transforms.checksum_files import ChecksumFiles
from anchormine.transforms.dump_plan import DumpFile, DumpPlan, plan_dump
from anchormine.transforms.files import join
from anchormine.transforms.parse_articles import ParseArticles
from anchormine.transforms.read_dump import RangeVerdict, ReadDump
from anchormine.transforms.report import Report, WriteReport
from anchormine.transforms.resolve_titles import ResolveTitles
from anchormine.transforms.sample_text import sample_text
from anchormine.transforms.spill_pages import SpillPages
from anchormine.transforms.write_wiki import WriteWiki
from anchormine.wiki.licences import licence_of
from anchormine.wiki.page_reader import ReadLimits
from anchormine.wiki.site import Site
from anchormine.wiki.siteinfo import wiki_name

_UNITS = ("files", "revisions", "pages", "links")
_TABLES = ("pages", "anchors", "rejects/wiki")
_STAGES = ("read", "parse", "resolve titles", "write")
# One bucket of titles is in memory at a time. Measured, titles and link targets are 3 % of the XML where
# articles are long, and 10 % where they are stubs.
_BUCKET_XML_BYTES = 256 << 20
_SHUFFLED_SHARE = 1 / 10
_LEAST_GROUP_BYTES, _MOST_GROUP_BYTES, _GROUPS_OF_SMALL_DUMPS = 40 << 20, 640 << 20, 8


class _Dump(NamedTuple):
    """The input: its plan, and of each file its wiki and licence; where sentences end in each language."""

    plan: DumpPlan
    sites: tuple[Site, ...]
    licences: tuple[str | None, ...]
    models: dict[str, SentenceModel]


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
    parser.add_argument("--language", metavar="CODE", help="such as fr, over the dump's own")
    parser.add_argument("--licence", metavar="SPDX", help="of the text, over what is known of the wiki")
    parser.add_argument(
        "--max-page-characters",
        type=positive,
        default=ReadLimits.characters,
        metavar="N",
        help="longer pages are rejected (default: %(default)s)",
    )
    parser.add_argument(
        "--page-timeout",
        type=float,
        default=ReadLimits.seconds,
        metavar="SECONDS",
        help="pages that take longer are rejected (default: %(default)s)",
    )
    add_mining_options(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the step."""
    ReadLimits(args.max_page_characters, args.page_timeout)
    folder = OutputFolder(args.output)
    done = folder.is_done(args.step, args.overwrite, args.resume)
    return run_job(args, folder, partial(plan_wiki, args), done)


def plan_wiki(args: argparse.Namespace) -> Job:
    """Looks at the dump, and wires the pipeline."""
    plan = plan_dump(args.dumps, args.index, args.limit)
    if not plan.ranges:
        raise CommandError(_nothing_readable(plan))
    sites = tuple(Site(file.info, args.wiki, args.language) for file in plan.files)
    limits = ReadLimits(args.max_page_characters, args.page_timeout)
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
    licences = tuple(args.licence or licence_of(site.info.base) for site in sites)
    dump = _Dump(plan, sites, licences, _models(plan, sites))
    buckets = 1 + xml_bytes // _BUCKET_XML_BYTES
    return Job(
        steps,
        partial(build, dump=dump, limits=limits, buckets=buckets),
        partial(conclude, dump=dump, args=args),
        _asked(args),
    )


def _asked(args: argparse.Namespace) -> dict[str, Any]:
    """The options of the step that its rows depend on."""
    names = ("wiki", "language", "licence", "limit", "max_page_characters", "page_timeout")
    return {name: getattr(args, name) for name in names}


def build(pipeline: beam.Pipeline, scratch: str, dump: _Dump, limits: ReadLimits, buckets: int) -> None:
    """Wires the pipeline: read, parse, resolve, write."""
    plan, sites, licences, models = dump
    of_range = [part.file for part in plan.ranges]
    read = pipeline | "Read dump" >> ReadDump(plan, join(scratch, "progress"))
    articles = read.pages | "Parse articles" >> ParseArticles(sites, models, limits)
    spilled = articles | "Spill pages" >> SpillPages(sites, buckets, join(scratch, "pages"))
    resolved = (spilled.titles, spilled.targets) | "Resolve titles" >> ResolveTitles(
        buckets, join(scratch, "titles")
    )
    written = (spilled, resolved) | "Write wiki" >> WriteWiki(
        tuple(sites[file] for file in of_range),
        shard_groups(plan),
        tuple(licences[file] for file in of_range),
        join(scratch, "parts"),
    )
    counts = (
        (spilled.counts, resolved.counts)
        | "Counts" >> beam.Flatten()
        | "As report" >> beam.Map(_counts_report)
    )
    verdicts = read.verdicts | "Verdicts" >> beam.Map(_verdict_report)
    sums = pipeline | "Checksum files" >> ChecksumFiles(tuple(file.path for file in plan.files))
    (
        (written, counts, verdicts, sums)
        | "Reports" >> beam.Flatten()
        | "Write report" >> WriteReport(report_path(scratch))
    )


def _counts_report(counts: dict[str, int]) -> dict[str, Any]:
    return {"counts": counts}


def _verdict_report(verdict: RangeVerdict) -> dict[str, Any]:
    counts = {"pages.read": verdict.pages}
    return {
        "counts": counts,
        "damages": [verdict.file, verdict.start, [list(damage) for damage in verdict.damages]],
    }


def _models(plan: DumpPlan, sites: Sequence[Site]) -> dict[str, SentenceModel]:
    """Where sentences end in each language; learned from the dump's first pages where nothing is shipped."""
    models: dict[str, SentenceModel] = {}
    for number, site in enumerate(sites):
        if site.language not in models:
            sample = sample_text(plan, number, site) if needs_sample(site.language) else None
            models[site.language] = sentence_model(site.language, sample)
    return models


def shard_groups(plan: DumpPlan) -> tuple[int, ...]:
    """Returns the group of each range: the rows of a group are written by one worker, in input order."""
    sizes = [
        plan.files[part.file].xml_bytes * (part.end - part.start) // max(1, plan.files[part.file].size)
        for part in plan.ranges
    ]
    step = min(max(sum(sizes) // _GROUPS_OF_SMALL_DUMPS, _LEAST_GROUP_BYTES), _MOST_GROUP_BYTES)
    groups, before = [], 0
    for size in sizes:
        groups.append(before // step)
        before += size
    return tuple(groups)


def conclude(report: Report, dump: _Dump, args: argparse.Namespace) -> Outcome:
    """Makes the outcome of a run."""
    plan, sites, licences, models = dump
    counts = Counter(report.counts)
    counts["pages.unreadable"] = counts.pop("pages.rejected.unreadable", 0)
    inputs = _verdicts(plan, report)
    bad = [entry for entry in inputs if entry["verdict"] == "unreadable"]
    counts["files.read"], counts["files.unreadable"] = len(inputs), len(bad)
    counts["files.written"] = len(inputs) - len(bad)
    # Known from the files themselves, and so a check on what was counted while they were written.
    counts["pages.written"], counts["links.written"] = report.rows("pages"), report.rows("anchors")
    if counts["pages.read"] == counts["pages.unreadable"]:
        raise CommandError(_nothing_readable(plan))
    options = {
        "wikis": _wikis(report, sites, licences),
        **_asked(args),
        "sentences": {language: model.source for language, model in models.items()},
    }
    return Outcome(
        funnel=[funnel_row("wiki", unit, counts) for unit in _UNITS],
        inputs=inputs,
        counts=counts,
        options=options,
        packages=("mwparserfromhell", "nltk"),
        warnings=[
            *_site_warnings(plan.files, sites, args),
            *_verdict_warnings(inputs),
            *_link_warnings(counts),
        ],
        unreadable=any(entry["verdict"] != "complete" for entry in inputs) or counts["pages.unreadable"] > 0,
    )


def _wikis(report: Report, sites: Sequence[Site], licences: Sequence[str | None]) -> list[dict[str, Any]]:
    """What is known of each wiki; "newest" is the latest timestamp of its pages."""
    newest: dict[str, str] = {}
    for wiki, timestamp in (item for note in report.notes.get("newest", ()) for item in note):
        newest[wiki] = max(newest.get(wiki, ""), timestamp)
    wikis = {}
    for site, licence in zip(sites, licences, strict=True):
        wikis[site.wiki] = {
            "wiki": site.wiki,
            "name": site.info.sitename,
            "base": site.info.base,
            "language": site.language,
            "licence": licence,
            "newest": newest.get(site.wiki) or None,
            "case_sensitive": site.info.case_sensitive,
        }
    return list(wikis.values())


def _verdicts(plan: DumpPlan, report: Report) -> list[dict[str, Any]]:
    """What the manifest says of each file."""
    places: dict[int, list[dict[str, Any]]] = {}
    for file, start, damages in sorted(report.notes.get("damages", ())):
        for offset, skipped, reason, of in damages:
            if of == "xml" and plan.files[file].compression:
                reason += f" (offset in the XML of the streams from byte {start} on)"
            places.setdefault(file, []).append({"offset": offset, "bytes_skipped": skipped, "reason": reason})
    sums = dict(report.notes["sha256"])
    inputs = []
    for number, file in enumerate(plan.files):
        found = places.get(number, [])
        if file.unreadable:
            found = [{"offset": 0, "bytes_skipped": file.size, "reason": file.unreadable}]
        verdict = "unreadable" if file.unreadable else "damaged" if found else "complete"
        inputs.append(
            {
                "path": file.path,
                "bytes": file.size,
                "sha256": sums[file.path],
                "verdict": verdict,
                "places": found,
            }
        )
    return inputs


def _verdict_warnings(inputs: list[dict[str, Any]]) -> list[str]:
    lines = []
    for entry in inputs:
        if entry["verdict"] != "complete":
            first, more = entry["places"][0], len(entry["places"]) - 1
            rest = f", and {more} more places (see manifest.json)" if more else ""
            lines.append(
                f"{entry['path']}: {entry['verdict']} at byte {first['offset']}: {first['reason']}{rest}"
            )
    return lines


def _link_warnings(counts: Mapping[str, int]) -> list[str]:
    if counts["links.written"] == counts["links.red"]:
        return ["no link leads to a page of the input, so no pairs can be made of it; give the whole dump"]
    return []


def _site_warnings(files: Sequence[DumpFile], sites: Sequence[Site], args: argparse.Namespace) -> list[str]:
    """What may be wrong about the wiki that a dump claims to be of."""
    lines = []
    for file, site in zip(files, sites, strict=True):
        named = re.match(r"([a-z][a-z0-9_]*wik[a-z]+)(?=-|\.|$)", PurePosixPath(file.path).name)
        if not file.unreadable and file.info[2:5] == (None, None, None):
            lines.append(
                f"{file.path}: has no siteinfo, read as {site.wiki} in language {site.language}; "
                "--wiki and --language say otherwise"
            )
        elif named and not args.wiki and wiki_name(file.info) and named[1] != wiki_name(file.info):
            lines.append(
                f"{file.path}: its siteinfo says {wiki_name(file.info)}, its name {named[1]}; "
                f"if the name is right, give --wiki {named[1]} --language CODE"
            )
    return lines


def _nothing_readable(plan: DumpPlan) -> str:
    file = plan.files[0] if plan.files else None
    reason = (file and file.unreadable) or "no page could be read"
    more = f" (and {len(plan.files) - 1} more files)" if len(plan.files) > 1 else ""
    return f"{file.path if file else 'input'}{more}: {reason}; nothing was published"
