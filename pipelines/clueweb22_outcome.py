"""What `anchormine clueweb22` says at the end: funnel, verdicts on the input, warnings."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
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
    input_entries,
    nothing_readable,
    passed_over_lines,
    reached_limit,
    unread_lines,
    verdict_lines,
)
from anchormine.transforms.clueweb22_plan import OTHER_SIDE, ClueWeb22Plan
from anchormine.transforms.input_folders import PASSED_OVER
from anchormine.transforms.report import Report

_UNITS = ("files", "records", "pages", "links")
_MAX_NOTES = 20


def asked(args: argparse.Namespace) -> dict[str, Any]:
    """The options of the step that its rows depend on."""
    return {
        name: getattr(args, name) for name in ("wiki", "language", "licence", "limit", "max_record_bytes")
    }


def conclude(report: Report, plan: ClueWeb22Plan, args: argparse.Namespace) -> Outcome:
    """Makes the outcome of a run."""
    counts = Counter(report.counts)
    inputs = _verdicts(plan, report)
    bad = sum(entry["verdict"] == "unreadable" for entry in inputs)
    counts["files.read"], counts["files.unreadable"] = len(inputs) + len(plan.set_aside), bad
    counts.update(f"files.rejected.{file.reason}" for file in plan.set_aside)
    counts["files.written"] = len(inputs) - bad
    # Known from the files themselves, and so a check on what was counted while they were written.
    counts["pages.written"], counts["links.written"] = report.rows("pages"), report.rows("anchors")
    if counts["pages.written"] == 0:
        limit = reached_limit(inputs, args.limit)
        raise CommandError(nothing_readable(plan.files, inputs, _set_aside(counts), limit))
    source = crawl_entry(args.wiki, counts, args.licence, None)
    return Outcome(
        funnel=[funnel_row("clueweb22", unit, counts) for unit in _UNITS],
        inputs=inputs,
        counts=counts,
        options={"wikis": [source], "links": plan.links, **asked(args)},
        packages=("ada-url",),
        warnings=[
            *passed_over_lines(
                [file.path for file in plan.set_aside if file.reason == PASSED_OVER],
                "pack with gzip, or rename, what belongs to the collection",
            ),
            *verdict_lines(inputs),
            *unread_lines(inputs, args.limit),
            *_offset_lines(report),
            *language_lines(counts),
            *_link_lines(plan, counts),
        ],
        unreadable=any(entry["verdict"] != "complete" for entry in inputs),
        inputs_set_aside=[{"path": file.path, "reason": file.reason} for file in plan.set_aside],
    )


def _verdicts(plan: ClueWeb22Plan, report: Report) -> list[dict[str, Any]]:
    """What the manifest says of each file."""
    found = [Places() for _ in plan.files]
    left_out = [0 for _ in plan.files]
    records: dict[int, tuple[int, list[int]]] = {}
    without_any: set[int] = set()
    for number, count, readable, damages, more in report.notes.get("files", ()):
        left_out[number] = more
        records[number] = count, [place[-1] for place in damages]
        if not readable:
            without_any.add(number)
        for offset, skipped, reason, _ in damages:
            found[number].add(offset, skipped, reason)
    inputs = input_entries(plan.files, found, left_out, report)
    for number, entry in enumerate(inputs):
        if entry["verdict"] == "damaged" and number in without_any:
            entry["verdict"] = "unreadable"
    add_records(inputs, plan.files, records, dict(report.notes.get("unread", ())))
    return inputs


def _offset_lines(report: Report) -> Iterator[str]:
    """What is wrong with `.offset` files; they are many, and mostly wrong in the same way."""
    notes = [note for _, of_file in sorted(report.notes.get("offsets", ())) for note in of_file]
    yield from notes[:_MAX_NOTES]
    if len(notes) > _MAX_NOTES:
        more = counted(len(notes) - _MAX_NOTES, "more .offset file does", "more .offset files do")
        yield f"and {more} not fit"


def _link_lines(plan: ClueWeb22Plan, counts: Mapping[str, int]) -> Iterator[str]:
    other_side = [file.path for file in plan.set_aside if file.reason == OTHER_SIDE]
    if other_side:
        yield (
            f"{other_side[0]}: out-links are not read where there are in-links, which are the same "
            f"links from the other side; {counted(len(other_side), 'file is', 'files are')} left out"
        )
    alone = [stem.name for stem in plan.stems if not stem.texts]
    if alone and plan.links == "inlink":
        yield (
            f"{len(alone)} of {len(plan.stems)} files of links, the first {alone[0]}, have no texts in the "
            "input: their anchors lead to no page; give the files under txt/ too"
        )
    if counts["links.written"] == counts["links.red"]:
        of_texts = not any(stem.links for stem in plan.stems)
        yield no_destinations(
            "give the folder that has inlink/, or outlink/, beside txt/" if of_texts else "give more of it"
        )


def _set_aside(counts: Mapping[str, int]) -> str:
    """What became of the records of files without a page."""
    found = sorted(name for name in counts if name.startswith(("records.rejected.", "pages.rejected.")))
    reasons = ", ".join(f"{name.split('.')[2]} {counts[name]:,}" for name in found) or "none"
    return f"({counted(counts['records.read'], 'record')}; set aside: {reasons})"
