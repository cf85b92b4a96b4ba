"""The pipeline of `anchormine pairs`: what each family of tasks makes, and the reports of all."""

import argparse
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import apache_beam as beam

from anchormine.pipelines.earlier_tasks import TaskDivision
from anchormine.pipelines.mining import report_path
from anchormine.pipelines.pair_options import TaskOptions
from anchormine.pipelines.pair_source import PairSource
from anchormine.schemas.pairs import HARP_TASKS
from anchormine.tasks.anchor_document import ANCHOR_DOCUMENT
from anchormine.tasks.codoc import CODOC
from anchormine.transforms.answer_pages import AnswerPages
from anchormine.transforms.files import join
from anchormine.transforms.find_candidates import FindCandidates
from anchormine.transforms.keep_rejects import KeepRejects
from anchormine.transforms.pair_passages import PairPassages
from anchormine.transforms.read_corpus import ReadCorpus
from anchormine.transforms.read_documents import ReadDocuments
from anchormine.transforms.read_in_links import ReadInLinks
from anchormine.transforms.read_sentences import ReadSentences
from anchormine.transforms.report import WriteReport
from anchormine.transforms.write_origins import WriteOrigins
from anchormine.transforms.write_pairs import WritePairs, finish_drafts, finish_in_links, finish_pairs
from anchormine.transforms.write_rejects import WriteRejects

_PROBES = 20_000  # occurrences whose queries are drawn in all ways, to compare them


class PairRun(NamedTuple):
    """All that a run is about.

    Attributes:
        source: what is read.
        tasks: what is made, and what stays.
        options: how pairs are made.
        manifest_options: the same as the manifest has it, with what concerns the tasks that stay.
        kept_counts: of the tasks that stay.
        kept_versions: of the packages that these were made with.
        args: of the command line.
    """

    source: PairSource
    tasks: TaskDivision
    options: TaskOptions
    manifest_options: Mapping[str, Any]
    kept_counts: Mapping[str, int]
    kept_versions: Mapping[str, str]
    args: argparse.Namespace


class _Made(NamedTuple):
    """What a family of tasks gives: reports, (bucket, blob of rejects), and reports of counts alone."""

    reports: list[beam.PCollection]
    rejects: list[beam.PCollection]
    counts: list[beam.PCollection]


def build(pipeline: beam.Pipeline, scratch: str, run: PairRun) -> None:
    """Wires the pipeline."""
    made, tasks = [], run.tasks
    if tasks.made_of(HARP_TASKS):
        made.append(_pair_sentences(pipeline, scratch, run))
    if ANCHOR_DOCUMENT in tasks.made:
        made.append(_pair_anchors(pipeline, scratch, run))
    if CODOC in tasks.made:
        made.append(_pair_passages(pipeline, scratch, run))
    kept = pipeline | "Keep rejects" >> KeepRejects(run.source.rejects, tasks.kept_units, run.source.buckets)
    rejects = (
        (kept, *(part for family in made for part in family.rejects))
        | "Rejects" >> beam.Flatten()
        | WriteRejects("pairs", join(scratch, "parts"))
    )
    counts = (
        [part for family in made for part in family.counts]
        | "Counts" >> beam.Flatten()
        | "As report" >> beam.Map(_counts_report)
    )
    (
        (rejects, counts, *(part for family in made for part in family.reports))
        | "Reports" >> beam.Flatten()
        | "Write report" >> WriteReport(report_path(scratch))
    )


def _pair_sentences(pipeline: beam.Pipeline, scratch: str, run: PairRun) -> _Made:
    """HARP's tasks: read, weigh, ask, write."""
    source, weighing, args = run.source, run.options.weighing, run.args
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
    return _Made([written.reports], [found.rejects, written.rejects], [found.counts, answered.counts])


def _pair_anchors(pipeline: beam.Pipeline, scratch: str, run: PairRun) -> _Made:
    """anchor_document: gather the links of each page, join the pages, write, tell where the links stand."""
    source, options, args = run.source, run.options.documents, run.args
    links = pipeline | "Read in-links" >> ReadInLinks(
        source.links,
        source.table == "filtered",
        options,
        args.seed,
        source.buckets,
        counts_anchors=not run.tasks.made_of(HARP_TASKS),
        progress=join(scratch, "progress"),
    )
    documents = pipeline | "Read documents" >> ReadDocuments(
        source.pages, options.document, source.buckets, args.min_words
    )
    written = (links.in_links, documents) | "Write anchor_document" >> WritePairs(
        partial(finish_in_links, most=options.in_links),
        source.buckets,
        join(scratch, "parts"),
        traced=True,
    )
    origins = written.linked | "Write provenance" >> WriteOrigins(
        ANCHOR_DOCUMENT, source.pages, source.buckets, join(scratch, "parts")
    )
    return _Made([written.reports, origins], [links.rejects, written.rejects], [links.counts])


def _pair_passages(pipeline: beam.Pipeline, scratch: str, run: PairRun) -> _Made:
    """codoc: pair the passages of each page, write."""
    source, args = run.source, run.args
    found = pipeline | "Pair passages" >> PairPassages(
        source.first_pages,
        run.options.passages,
        args.seed,
        source.buckets,
        args.min_words,
        args.language,
        join(scratch, "progress"),
    )
    written = (found.pairs,) | "Write codoc" >> WritePairs(
        finish_pairs, source.buckets, join(scratch, "parts")
    )
    return _Made([written.reports], [found.rejects, written.rejects], [found.counts])


def _probe_share(run: PairRun) -> float:
    """Part of the occurrences that are probed; none where other ways than attention have no terms."""
    words = run.options.weighing.profile.unit == "words"
    return min(1.0, _PROBES / run.source.rows) if words else 0.0


def _counts_report(counts: dict[str, int]) -> dict[str, Any]:
    return {"counts": counts}
