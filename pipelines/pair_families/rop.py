"""rop in `pairs`: the terms of all pages are counted, then word sets are drawn for each page."""

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import apache_beam as beam

from anchormine.datasets.pair_tables import term_table
from anchormine.pipelines.mining_options import positive, positive_to
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.pair_families.family import TaskFamily, Tasks
from anchormine.pipelines.pair_run import Made, PairRun
from anchormine.pipelines.pair_source import PairSource
from anchormine.sampling.document_profiles import DOCUMENT_PROFILES, SAMPLINGS, DocumentProfile
from anchormine.sampling.stop_words import read_stop_words
from anchormine.tasks.rop import ROP
from anchormine.text.term_rules import STEMS, TermRules
from anchormine.transforms.count_terms import CountTerms, term_buckets
from anchormine.transforms.document_texts import DocumentColumn
from anchormine.transforms.draw_word_sets import DrawWordSets
from anchormine.transforms.files import join
from anchormine.transforms.write_pairs import WritePairs, finish_word_sets

_NAME = "document_models"
_MAX_WORD_SETS = 10**6  # those of a page are drawn at once
_TASKS = (ROP,)
# Flags that stand for what the profile says until they are given, and the profile's names of them.
_OF_PROFILE = {"stem": "stem", "min_count": "min_count", "subsample": "subsample", "word_sets": "sets"}


class _Options(NamedTuple):
    """What documents are, what their terms are, and how sets are drawn."""

    document: str
    rules: TermRules
    profile: DocumentProfile


def _add_arguments(parser: StepParser) -> None:
    """Adds how documents are modelled."""
    parser.add_argument(
        "--sampling",
        choices=SAMPLINGS,
        default=SAMPLINGS[0],
        help="rop's words: from the model of the document, or any at random (default: %(default)s)",
    )
    parser.add_argument(
        "--stem", choices=STEMS, help="words that rop counts as one term (default: the profile's)"
    )
    parser.add_argument(
        "--min-count",
        type=positive,
        metavar="N",
        help="rop draws no word that all pages have less often (default: the profile's, 50; code: 10)",
    )
    parser.add_argument(
        "--subsample",
        type=float,
        metavar="T",
        help="rop's t in sqrt(t/f) + t/f, 0 for none (default: the profile's, 1e-5; code: 1e-4)",
    )
    parser.add_argument(
        "--word-sets",
        type=positive_to(_MAX_WORD_SETS),
        metavar="N",
        help="rop's and bprop's pairs of a page (default: 5)",
    )


def _read_options(args: argparse.Namespace) -> _Options:
    given = {name: vars(args)[flag] for flag, name in _OF_PROFILE.items() if vars(args)[flag] is not None}
    profile = replace(DOCUMENT_PROFILES[args.profile], sampling=args.sampling, **given)
    stop_words = read_stop_words(args.stop_words) if args.stop_words else None
    return _Options(
        args.document, TermRules(profile.words, profile.stem, stop_words, profile.left_out), profile
    )


def _describe_options(options: _Options) -> dict[str, Any]:
    profile, stop_words = options.profile, options.rules.stop_words
    return {
        "rop_profile": profile.name,
        "stop_words": None if stop_words is None else sorted(stop_words),
        "document": options.document,
        "sampling": profile.sampling,
        **{flag: getattr(profile, name) for flag, name in _OF_PROFILE.items()},
        "document_model": {
            "words": profile.words,
            "left_out": sorted(profile.left_out),
            "background": profile.background,
            "thinned": profile.thinned,
            "length": "poisson",
            "mu": "mean length",
        },
    }


def _wire(pipeline: beam.Pipeline, scratch: str, run: PairRun, counts_anchors: bool) -> Made:
    """Counts terms, draws, writes."""
    source, args, parts = run.source, run.args, join(scratch, "parts")
    document, rules, profile = run.options[_NAME]
    column = DocumentColumn(document, args.min_words, args.language)
    counted = pipeline | "Count terms" >> CountTerms(
        source.first_pages, column, rules, ROP, profile.min_count, term_buckets(source.page_bytes), parts
    )
    found = counted | "Draw word sets" >> DrawWordSets(
        source.first_pages, column, rules, profile, args.seed, source.buckets, join(scratch, "progress")
    )
    written = (found.drawn,) | "Write rop" >> WritePairs(finish_word_sets, source.buckets, parts)
    return Made([counted.reports, written.reports], [found.rejects, written.rejects], [found.counts])


def _stages(source: PairSource, tasks: Tasks) -> list[str]:
    return ["count the terms of pages", "draw word sets"]


def _shuffled_bytes(source: PairSource, tasks: Tasks) -> int:
    return 2 * source.page_bytes  # texts of pages are about as large there as in their files


def _tables(tasks: Tasks) -> list[str]:
    return [f"terms/{ROP}"]


def _packages(tasks: Tasks, options: _Options) -> list[str]:
    return ["nltk"] if options.rules.stem != "none" else []


def _read_counts(run: PairRun) -> dict[str, int]:
    return {f"pairs-{ROP}.read": run.source.page_rows * run.options[_NAME].profile.sets}


def _warnings(run: PairRun, counts: Mapping[str, int]) -> Iterator[str]:
    """Yields why there is nothing to draw."""
    terms, least = counts.get(f"terms.{ROP}.terms", 0), run.options[_NAME].profile.min_count
    if terms and not counts[f"terms.{ROP}.drawable"]:
        yield f"rop: none of the {terms:,} words of the pages occurs {least} times; give a lower --min-count"


def _result_tables(counts: Mapping[str, int]) -> list[tuple[str, str, Any]]:
    found = term_table(ROP, counts)
    return [("terms", *found)] if found else []


DOCUMENT_MODELS = TaskFamily(
    name=_NAME,
    tasks=_TASKS,
    anchor_tasks=(),
    concerns=dict.fromkeys(
        ("rop_profile", "stop_words", "document", "sampling", *_OF_PROFILE, "document_model"), _TASKS
    ),
    defaults={"sampling": SAMPLINGS[0], **dict.fromkeys(_OF_PROFILE)},
    add_arguments=_add_arguments,
    read_options=_read_options,
    describe_options=_describe_options,
    wire=_wire,
    stages=_stages,
    shuffled_bytes=_shuffled_bytes,
    tables=_tables,
    packages=_packages,
    read_counts=_read_counts,
    warnings=_warnings,
    result_tables=_result_tables,
)
