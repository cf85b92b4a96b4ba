"""What `anchormine wiki` says at the end: funnel, verdicts on the input, warnings."""

import argparse
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from anchormine.datasets.funnel import funnel_row
from anchormine.datasets.places import Places
from anchormine.errors import CommandError
from anchormine.pipelines.link_warning import no_destinations
from anchormine.pipelines.mining import Outcome
from anchormine.pipelines.verdicts import failure_lines, input_entries, nothing_readable, verdict_lines
from anchormine.pipelines.wiki_plan import WikiDump
from anchormine.transforms.dump_plan import DumpFile, DumpPlan
from anchormine.transforms.report import Report
from anchormine.wiki.languages.facts import knows_language
from anchormine.wiki.site import Site
from anchormine.wiki.siteinfo import wiki_name

_UNITS = ("files", "revisions", "pages", "links")


def asked(args: argparse.Namespace) -> dict[str, Any]:
    """The options of the step that its rows depend on."""
    names = ("wiki", "language", "licence", "limit", "max_page_characters", "page_timeout")
    return {name: getattr(args, name) for name in names}


def conclude(report: Report, dump: WikiDump, args: argparse.Namespace) -> Outcome:
    """Makes the outcome of a run."""
    plan, sites, _, models = dump
    counts = Counter(report.counts)
    counts["pages.unreadable"] = counts.pop("pages.rejected.unreadable", 0)
    inputs = _verdicts(plan, report)
    bad = [entry for entry in inputs if entry["verdict"] == "unreadable"]
    counts["files.read"], counts["files.unreadable"] = len(inputs), len(bad)
    counts["files.written"] = len(inputs) - len(bad)
    # Known from the files themselves, and so a check on what was counted while they were written.
    counts["pages.written"], counts["links.written"] = report.rows("pages"), report.rows("anchors")
    counts["revisions.written"] = counts["pages.read"]
    counts["revisions.read"] = counts["pages.read"] + counts["revisions.rejected.superseded"]
    if counts["pages.read"] == counts["pages.unreadable"]:
        raise CommandError(nothing_readable(plan.files, inputs))
    options = {
        "wikis": _wikis(report, dump),
        **asked(args),
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
            *verdict_lines(inputs),
            *failure_lines(counts, args.output),
            *_link_warnings(counts),
        ],
        unreadable=any(entry["verdict"] != "complete" for entry in inputs) or counts["pages.unreadable"] > 0,
    )


def _wikis(report: Report, dump: WikiDump) -> list[dict[str, Any]]:
    """What is known of each wiki that was read; "newest" is the latest timestamp of its pages."""
    newest: dict[str, str] = {}
    for wiki, timestamp in (item for note in report.notes.get("newest", ()) for item in note):
        newest[wiki] = max(newest.get(wiki, ""), timestamp)
    wikis = {}
    for file, site, licence in zip(dump.plan.files, dump.sites, dump.licences, strict=True):
        if file.unreadable:  # its head tells of no wiki
            continue
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
    found = [Places() for _ in plan.files]
    left_out = [0 for _ in plan.files]
    for number, start, damages, more in sorted(report.notes.get("damages", ())):
        left_out[number] += more
        for offset, skipped, reason, of in damages:
            if of == "xml" and plan.files[number].compression:
                reason += f" (offset in the XML of the streams from byte {start} on)"
            found[number].add(offset, skipped, reason)
    return input_entries(plan.files, found, left_out, report)


def _link_warnings(counts: Mapping[str, int]) -> list[str]:
    if counts["links.written"] == counts["links.red"]:
        return [no_destinations("give the whole dump")]
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
        if not args.wiki and file.info.dbname and wiki_name(file.info) != file.info.dbname:
            lines.append(
                f"{file.path}: its siteinfo says {file.info.dbname!r}, and page ids begin with {site.wiki}, "
                "as they have letters, digits, _, - and . only; --wiki says otherwise"
            )
        if not file.unreadable and not knows_language(site.language):
            lines.append(
                f"{file.path}: nothing is known of the language {site.language}, so its words for redirects, "
                "files and categories are taken for English; --language says otherwise"
            )
    return lines
