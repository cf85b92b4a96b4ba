"""`anchormine filter`: anchors to those that are like queries, by Anchor-DR's rules and classifier."""

import argparse
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import apache_beam as beam

from anchormine.encoder import checked_path
from anchormine.filters.classifier_options import ClassifierOptions
from anchormine.filters.query_threshold import count_texts, find_threshold
from anchormine.filters.robots import ROBOTS
from anchormine.filters.rule_words import doubts
from anchormine.filters.same_site import OFF, SAME_SITE
from anchormine.pipelines.extras import ENCODERS, require
from anchormine.pipelines.filter_options import (
    add_filter_options,
    check_usage,
    chosen_classifier,
    chosen_rules,
    filter_options,
    take_folder,
)
from anchormine.pipelines.filter_outcome import FilterRun, filter_outcome
from anchormine.pipelines.filter_source import filter_source
from anchormine.pipelines.input_folder import input_folder
from anchormine.pipelines.keyword_suggestions import suggest_keywords
from anchormine.pipelines.mining import Job, Plan, report_path, run_job
from anchormine.pipelines.mining_options import add_mining_options
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.pipelines.standard_streams import tell
from anchormine.transforms.collect_strings import CollectStrings, string_buckets
from anchormine.transforms.count_documents import CountDocuments, document_buckets
from anchormine.transforms.files import join
from anchormine.transforms.judge_slices import Judging
from anchormine.transforms.load_classifier import load_classifier
from anchormine.transforms.read_ruled_pages import ReadRuledPages
from anchormine.transforms.report import WriteReport
from anchormine.transforms.score_strings import ScoreStrings
from anchormine.transforms.table_slices import TableSlice
from anchormine.transforms.write_filtered import FilterInputs, WriteFiltered

# What an anchor sends through the largest grouping: its text.
_BYTES_PER_ANCHOR = 40


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
    may_be_made = args.keywords is not None and not Path(args.keywords).is_file()  # by an earlier step
    chosen_rules(args, crawl=True, with_keywords=not may_be_made)


def run(args: argparse.Namespace) -> int:
    """Runs the step."""
    take_folder(args)
    check_usage(args)
    folder = OutputFolder(args.folder)
    source = filter_source(input_folder(folder.path), args.limit)
    classifier, rules = chosen_classifier(args, source.crawl), chosen_rules(args, source.crawl)
    if not source.crawl and args.same_site not in (None, OFF):
        tell(
            f"anchormine: --same-site {args.same_site}: a wiki is one site, and the rule drops no links of it"
        )
    for doubt in doubts(rules):
        tell(f"anchormine: the rules {rules.name}: {doubt}")
    if args.suggest_keywords is not None:
        return suggest_keywords(args, folder, source, rules)
    if classifier is not None:
        require("anchormine filter without --classifier none", ENCODERS)
    made = FilterRun(source, rules, classifier, filter_options(rules, classifier, args), args)
    done = folder.is_done(args.step, args.overwrite, args.resume)
    return run_job(args, folder, partial(plan_filter, made), done)


def plan_filter(run: FilterRun) -> Job:
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
    return Job(plan, partial(build, run=run), partial(filter_outcome, run=run), run.options)


def _check_classifier(options: ClassifierOptions, dry_run: bool) -> None:
    """Refuses a model that is no query classifier before anything is written: a worker would do so late."""
    path = checked_path(options.path)
    if not dry_run or Path(path).is_dir():  # a dry run fetches nothing from the hub
        load_classifier(options.on_launcher())


def build(pipeline: beam.Pipeline, scratch: str, run: FilterRun) -> None:
    """Wires the pipeline: read, judge, score, write."""
    judging, rows = Judging(run.rules, run.args.language, of_wiki=not run.source.crawl), run.source.rows
    progress = join(scratch, "progress")
    slices = (
        pipeline
        | "Slices" >> beam.Create(run.source.slices, reshuffle=False).with_output_types(TableSlice)
        | "Spread" >> beam.Reshuffle()
    )
    facts = pipeline | "Page facts" >> _ruled_pages(run)
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


def _ruled_pages(run: FilterRun) -> ReadRuledPages:
    rules = run.rules
    directives = rules.directives if ROBOTS in rules.rules else ()
    with_sites = run.source.crawl and SAME_SITE in rules.rules
    return ReadRuledPages(run.source.pages if directives or with_sites else (), directives, with_sites)


def _text_report(histogram: Mapping[int, int], share: float) -> dict[str, Any]:
    return {"texts": count_texts(histogram, share)}
