"""What `anchormine web` says at the end: funnel, verdicts on the input, warnings."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from anchormine.datasets.funnel import funnel_row
from anchormine.datasets.places import Places
from anchormine.errors import CommandError
from anchormine.numerals import counted
from anchormine.pipelines.crawl_entry import crawl_entry, language_lines
from anchormine.pipelines.link_warning import no_destinations
from anchormine.pipelines.mining import Outcome
from anchormine.pipelines.verdicts import (
    add_records,
    failure_lines,
    input_entries,
    nothing_readable,
    passed_over_lines,
    reached_limit,
    unread_lines,
    verdict_lines,
)
from anchormine.transforms.crawl_plan import CrawlPlan
from anchormine.transforms.input_folders import PASSED_OVER
from anchormine.transforms.report import Report
from anchormine.web.captures import CONVERSION

# What is said of `PROBLEMS_OF_PAGES`
_PROBLEMS = {
    "truncated": "are cut off",
    "wrong_length": "are of another length than their record announces",
    "transfer_coding": "are not chunked as they announce",
}
# The options that are the limits by which pages are set aside.
_LIMITS = {"too_large": ("--max-page-characters", "--max-payload-bytes"), "timeout": ("--page-timeout",)}
_UNITS = ("files", "records", "pages", "links")
_ENDING = re.compile(r"\.w?arc(?:\.|$).*|\.w[ea]t(?:\.|$).*", re.IGNORECASE)


def asked(args: argparse.Namespace) -> dict[str, Any]:
    """The options of the step that its rows depend on."""
    names = ("wiki", "language", "licence", "limit", "keep_tracking", "max_payload_bytes")
    return {name: getattr(args, name) for name in (*names, "max_page_characters", "page_timeout")}


def crawl_name(plan: CrawlPlan, args: argparse.Namespace) -> str:
    """What the crawl is called: as the user says, else by what the names of its files have in common."""
    if args.wiki:
        return args.wiki
    stems = [_ENDING.sub("", file.name) for file in plan.files]
    shared = (set(letters) for letters in zip(*stems, strict=False))
    common = stems[0][: sum(1 for _ in takewhile(lambda letters: len(letters) == 1, shared))]
    common = re.sub(r"[-_.]?\d*$", "", common)
    return re.sub(r"[^\w.-]+", "-", common) or "crawl"


def conclude(report: Report, plan: CrawlPlan, args: argparse.Namespace) -> Outcome:
    """Makes the outcome of a run."""
    counts = Counter(report.counts)
    counts["pages.unreadable"] = counts.pop("pages.rejected.unreadable", 0)
    inputs = _verdicts(plan, report)
    bad = sum(entry["verdict"] == "unreadable" for entry in inputs)
    counts["files.read"], counts["files.unreadable"] = len(inputs) + len(plan.passed_over), bad
    counts[f"files.rejected.{PASSED_OVER}"] = len(plan.passed_over)
    counts["files.written"] = len(inputs) - bad
    # Known from the files themselves, and so a check on what was counted while they were written.
    counts["pages.written"], counts["links.written"] = report.rows("pages"), report.rows("anchors")
    if counts["pages.written"] == 0:
        limit = reached_limit(inputs, args.limit)
        reasons = sorted(name.split(".", 2)[2] for name in counts if name.startswith("pages.rejected."))
        said = _set_aside(reasons, counts["records.read"], limit)
        only_texts = reasons == [CONVERSION]  # files of WET
        raise CommandError(nothing_readable(plan.files, inputs, said, limit, despite_damage=only_texts))
    newest = max((time for note in report.notes.get("newest", ()) for _, time in note), default="")
    source = crawl_entry(crawl_name(plan, args), counts, args.licence, newest or None)
    return Outcome(
        funnel=[funnel_row("web", unit, counts) for unit in _UNITS],
        inputs=inputs,
        counts=counts,
        options={"wikis": [source], **asked(args)},
        packages=("warcio", "selectolax", "ada-url", "nltk"),
        warnings=[
            *passed_over_lines(plan.passed_over, "unpack or rename what belongs to the crawl"),
            *verdict_lines(inputs),
            *unread_lines(inputs, args.limit),
            *_problem_lines(counts),
            *failure_lines(counts, args.output),
            *language_lines(counts),
            *_link_warnings(counts),
        ],
        unreadable=any(entry["verdict"] != "complete" for entry in inputs) or counts["pages.unreadable"] > 0,
        inputs_set_aside=[{"path": path, "reason": PASSED_OVER} for path in plan.passed_over],
    )


def _verdicts(plan: CrawlPlan, report: Report) -> list[dict[str, Any]]:
    """What the manifest says of each file; of one that was read, how many records stand around each place."""
    found = [Places() for _ in plan.files]
    left_out = [0 for _ in plan.files]
    reports = sorted(report.notes.get("damages", ()))
    for number, _, damages, more in reports:
        left_out[number] += more
        for offset, skipped, reason, _ in damages:
            found[number].add(offset, skipped, reason)
    entries = input_entries(plan.files, found, left_out, report)
    records = {number: (count, [place[-1] for place in places]) for number, count, places, _ in reports}
    add_records(entries, plan.files, records, dict(report.notes.get("unread", ())))
    return entries


def _problem_lines(counts: Mapping[str, int]) -> Iterator[str]:
    for problem, words in _PROBLEMS.items():
        if number := counts.get(f"captures.{problem}"):
            yield f"captures that {words}: {number:,}; they are read as they are"


def _link_warnings(counts: Mapping[str, int]) -> list[str]:
    if counts["links.written"] == counts["links.red"]:
        return [no_destinations("give more of the crawl")]
    return []


def _set_aside(reasons: Sequence[str], records: int, limit: int | None) -> str:
    """What became of the records of a crawl without a page, and what could be done.

    Args:
        reasons: of the rejected pages.
        records: that were read.
        limit: of records, behind which there may be pages; None for none.
    """
    options = sorted({option for name in reasons for option in _LIMITS.get(name, ())})
    if options:
        advice = f"; see {' and '.join(options)}"
    else:
        other = "" if reasons and CONVERSION not in reasons else ", not WET or WAT"
        advice = "" if limit else f"; only captures of HTML give pages{other}"
    return f"({counted(records, 'record')}; set aside: {', '.join(reasons) or 'all, by kind'}){advice}"
