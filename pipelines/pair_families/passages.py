"""codoc in `pairs`: the passages of each page are paired."""

import argparse
from dataclasses import asdict, fields

import apache_beam as beam

from anchormine.pipelines.mining_options import positive
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.pair_families.family import TaskFamily, Tasks
from anchormine.pipelines.pair_run import Made, PairRun
from anchormine.pipelines.pair_source import PairSource
from anchormine.tasks.codoc import CODOC, CodocOptions
from anchormine.text.passages import PASSAGE_WORDS
from anchormine.transforms.files import join
from anchormine.transforms.pair_passages import PairPassages
from anchormine.transforms.write_pairs import WritePairs, finish_pairs

_NAME = "passages"
_TASKS = (CODOC,)
_BYTES_PER_PAGE = 1_000  # about two passages


def _add_arguments(parser: StepParser) -> None:
    """Adds what passages are."""
    parser.add_argument(
        "--passage-words",
        type=positive,
        default=PASSAGE_WORDS,
        metavar="N",
        help="codoc's passages have so many, at most (default: %(default)s)",
    )
    parser.add_argument(
        "--pairs-per-page", type=positive, default=1, metavar="N", help="of codoc (default: %(default)s)"
    )


def _read_options(args: argparse.Namespace) -> CodocOptions:
    return CodocOptions(args.passage_words, args.pairs_per_page)


def _wire(pipeline: beam.Pipeline, scratch: str, run: PairRun, counts_anchors: bool) -> Made:
    """Pairs the passages of each page, writes."""
    source, args = run.source, run.args
    found = pipeline | "Pair passages" >> PairPassages(
        source.first_pages,
        run.options[_NAME],
        args.seed,
        source.buckets,
        args.min_words,
        args.language,
        join(scratch, "progress"),
    )
    written = (found.pairs,) | "Write codoc" >> WritePairs(
        finish_pairs, source.buckets, join(scratch, "parts")
    )
    return Made([written.reports], [found.rejects, written.rejects], [found.counts])


def _stages(source: PairSource, tasks: Tasks) -> list[str]:
    return ["pair passages of pages"]


def _shuffled_bytes(source: PairSource, tasks: Tasks) -> int:
    return source.page_rows * _BYTES_PER_PAGE


def _packages(tasks: Tasks, options: CodocOptions) -> list[str]:
    return ["nltk"]  # where passages end


def _read_counts(run: PairRun) -> dict[str, int]:
    return {f"pairs-{CODOC}.read": run.source.page_rows * run.options[_NAME].pairs_per_page}


PASSAGES = TaskFamily(
    name=_NAME,
    tasks=_TASKS,
    anchor_tasks=(),
    concerns=dict.fromkeys((field.name for field in fields(CodocOptions)), _TASKS),
    defaults={field.name: field.default for field in fields(CodocOptions)},
    add_arguments=_add_arguments,
    read_options=_read_options,
    describe_options=asdict,
    wire=_wire,
    stages=_stages,
    shuffled_bytes=_shuffled_bytes,
    packages=_packages,
    read_counts=_read_counts,
)
