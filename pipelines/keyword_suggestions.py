"""`anchormine filter --suggest-keywords`: the most frequent anchors of a corpus, for a person to tick."""

import argparse
import json
from pathlib import Path

import apache_beam as beam

from anchormine.filters.cleaning import clean_anchor
from anchormine.filters.keyword_files import table_text
from anchormine.filters.keywords import keyword_forms, keywords
from anchormine.filters.rule_set import RuleSet
from anchormine.pipelines.filter_source import FilterSource
from anchormine.pipelines.interruption import insisting
from anchormine.pipelines.jobs import run_to_end
from anchormine.pipelines.mining import report_path
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.pipelines.planned import PlannedRun, print_planned
from anchormine.pipelines.run_errors import plain_errors
from anchormine.pipelines.runners import default_workers, make_pipeline, pipeline_options
from anchormine.pipelines.standard_streams import tell
from anchormine.pipelines.suggestion_file import check_writable, suggestion_file, write_table
from anchormine.transforms.collect_strings import string_buckets
from anchormine.transforms.count_anchors import CountAnchors
from anchormine.transforms.files import exists, is_local, plain_path
from anchormine.transforms.report import Report, WriteReport
from anchormine.transforms.table_slices import TableSlice


def suggest_keywords(
    args: argparse.Namespace, folder: OutputFolder, source: FilterSource, rules: RuleSet
) -> int:
    """Counts the anchors, and writes the table; what the rules have among their keywords is ticked in it.

    Args:
        args: of `filter`.
        folder: that has the anchors.
        source: these.
        rules: those that a run with the same options would apply.

    Returns:
        The exit status.

    Raises:
        UsageError: the table may not or cannot be written where it would be.
    """
    path = suggestion_file(args, folder.path)
    if args.resume and exists(path):
        tell(f"{path}: is there already")
        if args.json:
            print(json.dumps({"keywords": path}))
        return 0
    workers = args.workers or default_workers()
    options = pipeline_options(args.beam_options, workers)
    if args.dry_run:
        inputs = [(entry["path"], entry["bytes"]) for entry in source.inputs]
        planned = PlannedRun("filter --suggest-keywords", inputs, ("read anchors", "count"), (path,))
        print_planned(planned, workers, options, args.json)
        return 0
    pipeline = make_pipeline(options)
    place = _place(args.suggestions, folder)
    try:  # from here on: a signal may come as soon as the folder is there
        check_writable(path)
        scratch = place.open_scratch(args.step)
        (
            pipeline
            | "Slices" >> beam.Create(source.slices, reshuffle=False).with_output_types(TableSlice)
            | "Spread" >> beam.Reshuffle()
            | CountAnchors(args.suggest_keywords, string_buckets(source.rows), args.language)
            | WriteReport(report_path(scratch))
        )
        with insisting(), plain_errors(folder.path):
            run_to_end(pipeline)
        (frequent,) = Report(report_path(scratch)).notes["frequent"]
        write_table(path, suggestions(frequent, rules))
    finally:
        place.discard()
    print(json.dumps({"keywords": path, "rows": len(frequent)}) if args.json else path)
    return 0


def _place(given: str | None, folder: OutputFolder) -> OutputFolder:
    """Where work goes on: beside the table, so that a dataset may be one that cannot be written to."""
    if given is None or not is_local(given):
        return folder
    return OutputFolder(str(Path(plain_path(given)).absolute().parent))


def suggestions(frequent: list[tuple[str, str, int]], rules: RuleSet) -> str:
    """The text of the table.

    Args:
        frequent: (language, text, count), in order, "und" where nothing says a language; texts cleaned by
            `ours`, in small letters.
        rules: whose keywords are ticked.
    """
    # Keywords that would meet texts as they are meet clean ones here.
    profile = rules.keyword_cleaning or "ours"
    own = {language: keyword_forms(forms, profile) for language, forms in rules.own_keywords.items()}

    def tick(language: str, text: str) -> str:
        return "x" if keywords(clean_anchor(text, profile), language, rules.keyword_lists, own) else ""

    return table_text((tick(language, text), language, count, text) for language, text, count in frequent)
