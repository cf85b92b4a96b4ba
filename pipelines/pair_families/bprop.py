"""bprop in `pairs`: pages are weighed by an encoder, averaged, and word sets are drawn by the contrast."""

import argparse
from typing import Any, NamedTuple

import apache_beam as beam

from anchormine.pipelines.encoder_facts import FACTS, encoder_facts
from anchormine.pipelines.extras import ENCODERS, require
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.pair_families.family import TaskFamily, Tasks
from anchormine.pipelines.pair_run import Made, PairRun
from anchormine.pipelines.pair_source import PairSource
from anchormine.pipelines.worker_compute import asked_place
from anchormine.sampling.contrast import SATURATION, TEMPERATURE
from anchormine.sampling.document_profiles import OURS
from anchormine.sampling.stop_words import read_stop_words
from anchormine.sampling.weighers import WeighingOptions, make_weigher
from anchormine.tasks.bprop import BPROP
from anchormine.transforms.average_terms import AverageTerms
from anchormine.transforms.count_terms import term_buckets
from anchormine.transforms.document_texts import DocumentColumn
from anchormine.transforms.draw_contrasts import DrawContrasts
from anchormine.transforms.files import join
from anchormine.transforms.table_slices import cut_slices
from anchormine.transforms.weigh_pages import WeighPages
from anchormine.transforms.write_pairs import WritePairs, finish_word_sets

_NAME = "contrasts"
_TASKS = (BPROP,)
_PAGES_PER_SLICE = 512  # encoded together; a worker takes a slice at a time


class _Options(NamedTuple):
    """What documents are, how their terms are weighed, and pairs of a page."""

    document: str
    weighing: WeighingOptions
    sets: int


def _add_arguments(parser: StepParser) -> None:
    """Adds nothing: every flag is another family's."""


def _read_options(args: argparse.Namespace) -> _Options:
    stop_words = read_stop_words(args.stop_words) if args.stop_words else None
    weighing = WeighingOptions("attention", args.encoder, stop_words=stop_words, **asked_place(args))
    return _Options(args.document, weighing, args.word_sets or OURS.sets)


def _describe_options(options: _Options) -> dict[str, Any]:
    weighing = options.weighing
    return {
        **encoder_facts(weighing),
        "stop_words": None if weighing.stop_words is None else sorted(weighing.stop_words),
        "document": options.document,
        "word_sets": options.sets,
        "contrast": {
            "heads": weighing.profile.heads,
            "saturation": SATURATION,
            "temperature": TEMPERATURE,
            "length": "poisson",
        },
    }


def _wire(pipeline: beam.Pipeline, scratch: str, run: PairRun, counts_anchors: bool) -> Made:
    """Weighs pages, averages, draws, writes."""
    source, args, parts = run.source, run.args, join(scratch, "parts")
    document, weighing, sets = run.options[_NAME]
    weighed = pipeline | "Weigh pages" >> WeighPages(
        tuple(cut_slices(source.first_pages, _PAGES_PER_SLICE)),
        DocumentColumn(document, args.min_words, args.language),
        weighing,
        sets,
        source.buckets,
        term_buckets(source.page_bytes),
        join(scratch, "progress"),
    )
    averaged = weighed | "Average terms" >> AverageTerms(parts)
    found = (weighed.pages, averaged.sums, weighed.documents) | "Draw by contrast" >> DrawContrasts(
        sets, args.seed, source.buckets
    )
    written = (found.drawn,) | "Write bprop" >> WritePairs(finish_word_sets, source.buckets, parts)
    return Made(
        [averaged.reports, written.reports],
        [weighed.rejects, found.rejects, written.rejects],
        [weighed.counts, found.counts],
    )


def _stages(source: PairSource, tasks: Tasks) -> list[str]:
    return ["weigh pages", "average terms", "draw by contrast"]


def _shuffled_bytes(source: PairSource, tasks: Tasks) -> int:
    return 3 * source.page_bytes  # texts of pages, and the weights of their terms


def _tables(tasks: Tasks) -> list[str]:
    return [f"terms/{BPROP}"]


def _packages(tasks: Tasks, options: _Options) -> tuple[str, ...]:
    return ("torch", "transformers", "tokenizers")


def _require(tasks: Tasks, options: _Options) -> None:
    require("anchormine pairs --task bprop", ENCODERS)


def _try_out(tasks: Tasks, options: _Options) -> None:
    make_weigher(options.weighing.on_launcher(), None)


def _read_counts(run: PairRun) -> dict[str, int]:
    return {f"pairs-{BPROP}.read": run.source.page_rows * run.options[_NAME].sets}


CONTRASTS = TaskFamily(
    name=_NAME,
    tasks=_TASKS,
    anchor_tasks=(),
    concerns=dict.fromkeys((*FACTS, "stop_words", "document", "word_sets", "contrast"), _TASKS),
    defaults={},
    add_arguments=_add_arguments,
    read_options=_read_options,
    describe_options=_describe_options,
    wire=_wire,
    stages=_stages,
    shuffled_bytes=_shuffled_bytes,
    tables=_tables,
    packages=_packages,
    require=_require,
    try_out=_try_out,
    read_counts=_read_counts,
)
