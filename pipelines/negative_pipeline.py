"""The pipeline of `anchormine negatives`: index the pages, read the pairs, mine, write."""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import apache_beam as beam

from anchormine.negatives.answers import KINDS
from anchormine.negatives.options import NegativeOptions
from anchormine.negatives.provenance import answer_kinds
from anchormine.pipelines.earlier_sets import SetDivision
from anchormine.pipelines.mining import report_path
from anchormine.pipelines.negative_source import NegativeSource
from anchormine.transforms.files import join
from anchormine.transforms.index_pages import Indexed, IndexPages
from anchormine.transforms.join_answers import JoinAnswers, Keyed
from anchormine.transforms.keep_rejects import KeepRejects
from anchormine.transforms.read_answers import ReadAnswers
from anchormine.transforms.read_queries import ReadQueries
from anchormine.transforms.report import WriteReport
from anchormine.transforms.write_contrastive import MiningInputs, WriteContrastive
from anchormine.transforms.write_rejects import WriteRejects


class NegativeRun(NamedTuple):
    """All that a run is about.

    Attributes:
        source: what is read.
        sets: what is made, and what stays.
        options: of each task that is made.
        mined_from: as the rows have it.
        sets_options: of all tasks, as the manifest has them.
        args: of the command line.
    """

    source: NegativeSource
    sets: SetDivision
    options: Mapping[str, NegativeOptions]
    mined_from: str
    sets_options: Mapping[str, Mapping[str, Any]]
    args: argparse.Namespace

    @property
    def forms(self) -> dict[str, NegativeOptions]:
        """The kinds of documents that are indexed, with the options of one task that asks for each."""
        return {self.options[task].form: self.options[task] for task in reversed(self.sets.made)}


def build(pipeline: beam.Pipeline, scratch: str, run: NegativeRun) -> None:
    """Wires the pipeline."""
    indexes = {form: _index(pipeline, scratch, run, options) for form, options in run.forms.items()}
    queries = {task: _read_queries(pipeline, scratch, run, task) for task in run.sets.made}
    answers = _join_answers(pipeline, run, [read["asks"] for read in queries.values()])
    written = {
        task: _mine(scratch, run, task, read["queries"], answers, indexes[run.options[task].form])
        for task, read in queries.items()
    }
    kept = pipeline | "Keep rejects" >> KeepRejects(
        run.source.rejects, run.sets.kept_units, run.source.buckets
    )
    rejects = (
        (kept, *(index.rejects for index in indexes.values()), *(made.rejects for made in written.values()))
        | "Rejects" >> beam.Flatten()
        | WriteRejects("negatives", join(scratch, "parts"))
    )
    counts = (
        [index.counts for index in indexes.values()]
        | "Counts" >> beam.Flatten()
        | "As report" >> beam.Map(_counts_report)
    )
    (
        (rejects, counts, *(made.reports for made in written.values()))
        | "Reports" >> beam.Flatten()
        | "Write report" >> WriteReport(report_path(scratch))
    )


def _index(pipeline: beam.Pipeline, scratch: str, run: NegativeRun, options: NegativeOptions) -> Indexed:
    return pipeline | f"Index {options.form}" >> IndexPages(
        run.source.parts,
        options,
        run.source.buckets,
        join(scratch, options.form),
        options.language if options.language != run.source.language else None,
        join(scratch, "progress"),
    )


def _read_queries(
    pipeline: beam.Pipeline, scratch: str, run: NegativeRun, task: str
) -> beam.pvalue.DoOutputsTuple:
    source = run.source
    return pipeline | f"Read {task}" >> ReadQueries(
        source.pairs[task],
        source.rest[task],
        task,
        source.query_buckets(task),
        source.answer_buckets,
        join(scratch, "positives"),
    )


def _join_answers(
    pipeline: beam.Pipeline, run: NegativeRun, asks: Sequence[beam.PCollection]
) -> beam.PCollection:
    """Finds who answers the queries of all tasks."""
    source = run.source
    wanted = {kind for task in run.sets.made for kind in answer_kinds(task)}
    kinds = tuple(kind for kind in KINDS if kind in wanted)
    answers = pipeline | "Read answers" >> ReadAnswers(
        source.anchors, source.pages, kinds, source.cleaning, source.answer_buckets
    )
    divisions = tuple((task, source.query_buckets(task)) for task in run.sets.made)
    return (*asks, answers) | "Join answers" >> JoinAnswers(divisions)


def _mine(
    scratch: str,
    run: NegativeRun,
    task: str,
    queries: beam.PCollection,
    answers: beam.PCollection,
    indexed: Indexed,
) -> beam.pvalue.DoOutputsTuple:
    own = answers | f"Answers of {task}" >> beam.Filter(_is_of, task)
    inputs = MiningInputs(queries, own, indexed.shards, indexed.weighed, indexed.lengths)
    return inputs | f"Mine {task}" >> WriteContrastive(
        run.options[task],
        run.mined_from,
        run.sets_options[task]["seed"],
        run.source.buckets,
        join(scratch, "parts"),
        join(scratch, "progress"),
    )


def _is_of(blob: Keyed, task: str) -> bool:
    return blob[0][0] == task


def _counts_report(counts: dict[str, int]) -> dict[str, Any]:
    return {"counts": counts}
