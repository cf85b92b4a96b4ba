"""HARP's four tasks in `pairs`: sentences are weighed, and ask pages for what they need."""

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

import apache_beam as beam

from anchormine.datasets.pair_tables import overlap_table
from anchormine.pipelines.encoder_facts import FACTS, encoder_facts
from anchormine.pipelines.extras import ENCODERS, require
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.pair_families.family import TaskFamily, Tasks
from anchormine.pipelines.pair_run import Made, PairRun
from anchormine.pipelines.pair_source import PairSource
from anchormine.pipelines.worker_compute import add_compute_options, asked_place
from anchormine.sampling.profiles import PROFILES
from anchormine.sampling.stop_words import read_stop_words
from anchormine.sampling.weighers import WEIGHTS, WeighingOptions, make_weigher
from anchormine.schemas.pairs import HARP_TASKS
from anchormine.tasks.acm import DRAWS
from anchormine.tasks.qdm import OCCURRENCES_PER_STRING
from anchormine.tasks.sentence_anchors import ANCHORS_PER_SENTENCE, PAIRS_PER_SENTENCE
from anchormine.transforms.answer_pages import AnswerPages
from anchormine.transforms.files import join
from anchormine.transforms.find_candidates import FindCandidates
from anchormine.transforms.read_corpus import ReadCorpus
from anchormine.transforms.read_sentences import ReadSentences
from anchormine.transforms.write_pairs import WritePairs, finish_drafts

_NAME = "harp"
_PROBES = 20_000  # occurrences whose queries are drawn in all ways, to compare them
_BYTES_PER_ANCHOR = 1_000  # about an anchor's share of the answers, and of the leads in them


def _add_arguments(parser: StepParser) -> None:
    """Adds how terms are weighed."""
    parser.add_argument(
        "--encoder",
        default="default",
        metavar="MODEL",
        help="a Hugging Face id or folder; the default is the small one in the package",
    )
    add_compute_options(parser)
    parser.add_argument(
        "--weights", choices=WEIGHTS, default="attention", help="of terms (default: %(default)s)"
    )
    parser.add_argument(
        "--profile",
        choices=list(PROFILES),
        default="ours",
        help="paper: its formulas; code: its program (default: %(default)s)",
    )
    parser.add_argument(
        "--stop-words", metavar="FILE", help="one a line (default: the list of each text's language)"
    )


def _read_options(args: argparse.Namespace) -> WeighingOptions:
    stop_words = read_stop_words(args.stop_words) if args.stop_words else None
    profile = PROFILES[args.profile]
    return WeighingOptions(args.weights, args.encoder, profile, stop_words, **asked_place(args))


def _describe_options(weighing: WeighingOptions) -> dict[str, Any]:
    facts: dict[str, str | None] = dict.fromkeys(FACTS)
    if weighing.weights == "attention":
        facts = encoder_facts(weighing)
    return {
        **facts,
        "weights": weighing.weights,
        "profile": weighing.profile.name,
        "constants": {
            **{
                name: sorted(value) if isinstance(value, frozenset) else value
                for name, value in vars(weighing.profile).items()
            },
            "pairs_per_sentence": PAIRS_PER_SENTENCE,
            "anchors_per_sentence": ANCHORS_PER_SENTENCE,
            "occurrences_per_string": OCCURRENCES_PER_STRING,
            "negative_draws": DRAWS,
        },
        "stop_words": None if weighing.stop_words is None else sorted(weighing.stop_words),
    }


def _wire(pipeline: beam.Pipeline, scratch: str, run: PairRun, counts_anchors: bool) -> Made:
    """Reads sentences, weighs, asks pages, writes. The anchors are counted with the sentences."""
    source, weighing, args = run.source, run.options[_NAME], run.args
    buckets, tasks = source.buckets, run.tasks.made_of(HARP_TASKS)
    corpus = pipeline | "Read corpus" >> ReadCorpus(source.pages, buckets, args.min_words, args.language)
    sentences = pipeline | "Read sentences" >> ReadSentences(source.anchors, args.language)
    found = (sentences, corpus.frequencies, corpus.usable) | "Find candidates" >> FindCandidates(
        tasks, weighing, args.seed, buckets, _probe_share(run), join(scratch, "progress")
    )
    answered = (corpus.pages, found.asks, corpus.frequencies) | "Answer pages" >> AnswerPages(
        weighing, args.seed, buckets
    )
    written = (found.drafts, answered.answers) | "Write pairs" >> WritePairs(
        finish_drafts, buckets, join(scratch, "parts")
    )
    return Made([written.reports], [found.rejects, written.rejects], [found.counts, answered.counts])


def _probe_share(run: PairRun) -> float:
    """Part of the occurrences that are probed; none where other ways than attention have no terms."""
    words = run.options[_NAME].profile.unit == "words"
    return min(1.0, _PROBES / run.source.rows) if words else 0.0


def _stages(source: PairSource, tasks: Tasks) -> list[str]:
    return [f"read {source.table}", "weigh sentences", "ask pages"]


def _shuffled_bytes(source: PairSource, tasks: Tasks) -> int:
    return source.rows * _BYTES_PER_ANCHOR


def _packages(tasks: Tasks, weighing: WeighingOptions) -> tuple[str, ...]:
    return ("torch", "transformers", "tokenizers") if weighing.weights == "attention" else ()


def _require(tasks: Tasks, weighing: WeighingOptions) -> None:
    if weighing.weights == "attention":
        require("anchormine pairs --weights attention", ENCODERS)


def _try_out(tasks: Tasks, weighing: WeighingOptions) -> None:
    if weighing.weights == "attention":
        make_weigher(weighing.on_launcher(), None)


def _warnings(run: PairRun, counts: Mapping[str, int]) -> Iterator[str]:
    """Yields why the ways of weighing are not all side by side."""
    weighing = run.options[_NAME]
    if weighing.profile.unit != "words":
        yield f"the ways of weighing are not compared: --profile {weighing.profile.name} draws word pieces"
    elif weighing.weights != "attention":
        yield "attention is compared with the others under --weights attention only"


def _result_tables(counts: Mapping[str, int]) -> list[tuple[str, str, Any]]:
    overlaps = overlap_table(counts)
    return [("lead_overlap", *overlaps)] if overlaps else []


_DEFAULTS = {
    field.name: field.default
    for field in fields(WeighingOptions)
    if field.name not in ("profile", "elsewhere")
}

HARP = TaskFamily(
    name=_NAME,
    tasks=HARP_TASKS,
    anchor_tasks=HARP_TASKS,
    concerns=dict.fromkeys((*FACTS, "weights", "profile", "constants", "stop_words"), HARP_TASKS),
    defaults={**_DEFAULTS, "profile": "ours"},
    add_arguments=_add_arguments,
    read_options=_read_options,
    describe_options=_describe_options,
    wire=_wire,
    stages=_stages,
    shuffled_bytes=_shuffled_bytes,
    packages=_packages,
    require=_require,
    try_out=_try_out,
    common_counts=("overlap.",),
    warnings=_warnings,
    result_tables=_result_tables,
)
