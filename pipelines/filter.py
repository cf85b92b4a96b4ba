"""`anchormine filter`: anchors to those that are like queries, by Anchor-DR's rules and classifier."""

import argparse
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import apache_beam as beam

from anchormine.datasets.funnel import funnel_row
from anchormine.encoder import checked_path
from anchormine.errors import CommandError
from anchormine.filters.classifier_options import ClassifierOptions
from anchormine.filters.query_threshold import CLASSIFIER, TextCounts, count_texts, find_threshold
from anchormine.filters.robots import ROBOTS
from anchormine.filters.rule_set import RuleSet
from anchormine.filters.rule_words import doubts
from anchormine.filters.same_site import SAME_SITE
from anchormine.filters.survival_table import ALL, classifier_line, survival_table
from anchormine.filters.unknown_letters import unknown_letters
from anchormine.numerals import counted
from anchormine.pipelines.extras import ENCODERS, require
from anchormine.pipelines.filter_options import (
    add_filter_options,
    check_usage,
    chosen_classifier,
    chosen_rules,
    filter_options,
    take_folder,
)
from anchormine.pipelines.filter_source import FilterSource, filter_source
from anchormine.pipelines.input_folder import input_folder
from anchormine.pipelines.keyword_suggestions import suggest_keywords
from anchormine.pipelines.mining import Job, Outcome, Plan, report_path, run_job
from anchormine.pipelines.mining_options import add_mining_options
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.transforms.collect_strings import CollectStrings, string_buckets
from anchormine.transforms.count_documents import CountDocuments, document_buckets
from anchormine.transforms.files import join
from anchormine.transforms.judge_slices import Judging
from anchormine.transforms.load_classifier import load_classifier
from anchormine.transforms.read_page_facts import ReadPageFacts
from anchormine.transforms.report import Report, WriteReport
from anchormine.transforms.score_strings import ScoreStrings
from anchormine.transforms.table_slices import TableSlice
from anchormine.transforms.write_filtered import FilterInputs, WriteFiltered

if TYPE_CHECKING:
    from anchormine.filters.query_classifier import QueryClassifier

# What an anchor sends through the largest grouping: its text.
_BYTES_PER_ANCHOR = 40
# Beyond this part of the distinct texts it is told that more are kept than the share that was asked for: they
# have the score at which that is reached.
_TIED_SHARE = 0.05


def add_arguments(parser: StepParser) -> None:
    """Adds the options of the step."""
    parser.takes_tables = "--rules"
    add_filter_options(parser)
    add_mining_options(parser)


def check(args: argparse.Namespace) -> None:
    """Makes sure of what can be told without the folder, whose steps may be still to come.

    Raises:
        UsageError: rules or options are none, or do not go with each other.
    """
    take_folder(args)
    check_usage(args)
    chosen_classifier(args, crawl=True)
    if args.rules and (args.keywords is None or Path(args.keywords).is_file()):
        chosen_rules(args, crawl=True)


def run(args: argparse.Namespace) -> int:
    """Runs the step."""
    take_folder(args)
    check_usage(args)
    folder = OutputFolder(args.folder)
    source = filter_source(input_folder(folder.path), args.limit)
    classifier, rules = chosen_classifier(args, source.crawl), chosen_rules(args, source.crawl)
    for doubt in doubts(rules):
        print(f"anchormine: the rules {rules.name}: {doubt}", file=sys.stderr)
    if args.suggest_keywords is not None:
        return suggest_keywords(args, folder, source, rules)
    if classifier is not None:
        require("anchormine filter without --classifier none", ENCODERS)
    made = _Run(source, rules, classifier, filter_options(rules, classifier, args), args)
    done = folder.is_done(args.step, args.overwrite, args.resume)
    return run_job(args, folder, partial(plan_filter, made), done)


class _Run(NamedTuple):
    """All that a run is about."""

    source: FilterSource
    rules: RuleSet
    classifier: ClassifierOptions | None
    options: Mapping[str, Any]
    args: argparse.Namespace

    @property
    def filters(self) -> tuple[str, ...]:
        """Their names in order, that of all anchors before any filter first."""
        return (ALL, *self.rules.rules, *((CLASSIFIER,) if self.classifier else ()))


def plan_filter(run: _Run) -> Job:
    """Plans the step, and wires the pipeline."""
    if run.classifier is not None:
        _check_classifier(run.classifier, run.args.dry_run)
    rows, passes = run.source.rows, 2 if run.classifier else 1  # a classifier has the anchors read twice
    plan = Plan(
        step="filter",
        inputs=[(entry["path"], entry["bytes"]) for entry in run.source.inputs],
        tables=("filtered", "rejects/filter"),
        stages=("read anchors", *run.filters[1:], "write"),
        total=rows * passes,
        counter="anchors",
        unit="anchors",
        passes=passes,
        shuffled_bytes=rows * _BYTES_PER_ANCHOR if run.classifier else 0,
    )
    return Job(plan, partial(build, run=run), partial(conclude, run=run), run.options)


def _check_classifier(options: ClassifierOptions, dry_run: bool) -> None:
    """Refuses a model that is no query classifier before anything is written: a worker would do so late."""
    path = checked_path(options.path)
    if not dry_run or Path(path).is_dir():  # a dry run fetches nothing from the hub
        load_classifier(options.on_launcher())


def build(pipeline: beam.Pipeline, scratch: str, run: _Run) -> None:
    """Wires the pipeline: read, judge, score, write."""
    judging, rows = Judging(run.rules, run.args.language, of_wiki=not run.source.crawl), run.source.rows
    progress = join(scratch, "progress")
    slices = (
        pipeline
        | "Slices" >> beam.Create(run.source.slices, reshuffle=False).with_output_types(TableSlice)
        | "Spread" >> beam.Reshuffle()
    )
    facts = pipeline | "Page facts" >> _page_facts(run)
    if run.classifier is None:
        answers = decided = unknown = pipeline | "No scores" >> beam.Create([])
        threshold = pipeline | "No threshold" >> beam.Create([None])
    else:
        scored = (
            (slices, facts)
            | "Collect strings" >> CollectStrings(judging, string_buckets(rows), progress)
            | "Score strings" >> ScoreStrings(run.classifier)
        )
        answers, unknown = scored.answers, scored.reports
        share = run.classifier.keep_share
        threshold = scored.histogram | "Threshold" >> beam.Map(find_threshold, share)
        decided = scored.histogram | "Count texts" >> beam.Map(_text_report, share)
    written = FilterInputs(slices, facts, answers, threshold) | "Write filtered" >> WriteFiltered(
        judging, document_buckets(rows), join(scratch, "parts"), progress
    )
    documents = written.documents | "Count documents" >> CountDocuments(run.filters)
    (
        (written.reports, documents, decided, unknown)
        | "Reports" >> beam.Flatten()
        | "Write report" >> WriteReport(report_path(scratch))
    )


def _page_facts(run: _Run) -> ReadPageFacts:
    rules = run.rules
    directives = rules.directives if ROBOTS in rules.rules else ()
    with_sites = run.source.crawl and SAME_SITE in rules.rules
    return ReadPageFacts(run.source.pages if directives or with_sites else (), directives, with_sites)


def _text_report(histogram: Mapping[int, int], share: float) -> dict[str, Any]:
    return {"texts": count_texts(histogram, share)}


def conclude(report: Report, run: _Run) -> Outcome:
    """Makes the outcome of a run."""
    counts = report.counts
    # Known before the run, and so a check on what was counted in it.
    counts["anchors.read"] = run.source.rows
    if not report.rows("filtered"):
        remedy = (
            "--same-site off, or other --rules"
            if counts.get(f"anchors.rejected.{SAME_SITE}")
            else "other --rules"
        )
        raise CommandError(
            f"{run.args.folder}: the rules {run.rules.name} leave none of its "
            f"{counted(run.source.rows, 'anchor')} ({_reasons(counts)}), and nothing was "
            f"published; give {remedy}"
        )
    counts["anchors.written"] = report.rows("filtered")
    tables: list[tuple[str, str, Any]] = [
        ("filters", *survival_table(run.rules.rules, run.classifier is not None, counts))
    ]
    warnings = []
    if run.classifier is not None:
        classifier = load_classifier(run.classifier.on_launcher())
        (found,) = report.notes["texts"]
        tables.append(("classifier", *classifier_line(TextCounts(*found), classifier.held_out)))
        counts["texts.read"], counts["texts.kept"], _ = found
        warnings = _warnings(run, classifier, counts)
    return Outcome(
        funnel=[funnel_row("filter", "anchors", counts)],
        inputs=run.source.inputs,
        counts=counts,
        options=run.options,
        packages=_packages(run),
        warnings=warnings,
        tables=tables,
    )


def _reasons(counts: Mapping[str, int]) -> str:
    rejected = funnel_row("filter", "anchors", counts).rejected
    return ", ".join(f"{reason} {count:,}" for reason, count in rejected.items())


def _warnings(run: _Run, classifier: "QueryClassifier", counts: Mapping[str, int]) -> list[str]:
    warnings = []
    if classifier.guessed_label is not None:
        warnings.append(
            f"no label of the classifier is called `query`: {classifier.guessed_label} is taken for it"
        )
    used = run.rules.cleaning if "cleaning" in run.rules.rules else "none"
    if classifier.cleaning not in (None, used):
        warnings.append(
            f"the classifier learnt from texts that were cleaned by {classifier.cleaning}, and the rules "
            f"{run.rules.name} clean by {used}: its scores are less sure"
        )
    unknown, texts, kept = (counts.get(f"texts.{name}", 0) for name in ("unknown", "read", "kept"))
    asked = run.classifier.keep_share if run.classifier else 1
    if kept > (asked + _TIED_SHARE) * texts + 1:
        warnings.append(
            f"{kept:,} of {counted(texts, 'distinct text')} are kept, more than the share of {asked:g}: "
            "texts of the score at which that is reached stay together; a classifier that gives so many the "
            "same one hardly tells them apart"
        )
    if doubt := unknown_letters(unknown, texts, ("distinct text", "distinct texts")):
        warnings.append(
            f"{doubt}, so that scores of such texts say little: train one from a model that does "
            "(`anchormine train classifier --init MODEL`), or give --classifier none"
        )
    return warnings


def _packages(run: _Run) -> tuple[str, ...]:
    """The packages that decide what is kept."""
    scoring = ("torch", "transformers", "tokenizers") if run.classifier else ()
    return ("tldextract", *scoring)
