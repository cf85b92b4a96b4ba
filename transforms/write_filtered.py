"""Writes the anchors that the filters keep, and those that they do not, in input order."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import apache_beam as beam
import numpy as np
import pyarrow as pa

from anchormine.filters.cleaning import as_typed
from anchormine.filters.decisions import Decision
from anchormine.filters.query_threshold import CLASSIFIER, SCALE
from anchormine.schemas.anchors import ANCHORS
from anchormine.schemas.arrow_rows import to_table
from anchormine.schemas.filtered import FILTERED
from anchormine.schemas.rejects import EXCERPT_CHARACTERS, REJECTS, Reject
from anchormine.transforms.collect_strings import string_hash
from anchormine.transforms.count_documents import Survival
from anchormine.transforms.judge_slices import Judging, RuledPages, judge_rows, unit_of
from anchormine.transforms.options import transform_options
from anchormine.transforms.parquet_shards import ShardWriter
from anchormine.transforms.progress import Heartbeat
from anchormine.transforms.table_slices import read_slice

_SLICE, _SCORES = "slice", "scores"


class FilterInputs(NamedTuple):
    """What `WriteFiltered` takes.

    Attributes:
        slices: of the table of anchors.
        facts: one tuple of `RuledPages`.
        answers: (unit, (hashes, scores)), as `ScoreStrings` gives them; empty without a classifier.
        threshold: one score in ten-thousandths; None without a classifier.
    """

    slices: beam.PCollection
    facts: beam.PCollection
    answers: beam.PCollection
    threshold: beam.PCollection


@transform_options
class WriteFiltered(beam.PTransform):
    """Takes `FilterInputs`; gives reports {"parts", "counts"}, and "documents" for `CountDocuments`.

    The rules are applied here once more where a classifier has needed them before: that costs less than
    sending all rows through a grouping.

    Attributes:
        judging: how anchors are judged.
        document_buckets: among how many the pages linked to are divided.
        folder: for the files, until they are published.
        progress: folder for heartbeats.
    """

    judging: Judging
    document_buckets: int
    folder: str
    progress: str | None = None

    def expand(self, inputs: FilterInputs) -> beam.pvalue.DoOutputsTuple:
        slices = inputs.slices | "By unit" >> beam.Map(lambda part: (unit_of(part), (_SLICE, part)))
        answers = inputs.answers | "As scores" >> beam.MapTuple(lambda unit, found: (unit, (_SCORES, found)))
        return (
            (slices, answers)
            | "Slices and scores" >> beam.Flatten()
            | "Group by unit" >> beam.GroupByKey()
            | "Write"
            >> beam.ParDo(
                _WriteUnit(self),
                beam.pvalue.AsSingleton(inputs.facts),
                beam.pvalue.AsSingleton(inputs.threshold),
            ).with_outputs("documents", main="reports")
        )


class _WriteUnit(beam.DoFn):
    def __init__(self, options: WriteFiltered) -> None:
        self._judging, self._folder = options.judging, options.folder
        self._buckets, self._progress = options.document_buckets, options.progress

    def setup(self) -> None:
        self._heartbeat = Heartbeat(self._progress)

    def process(self, group: tuple[int, Iterable[tuple]], facts: tuple, threshold: int | None) -> Iterator:
        unit, values = group
        values = list(values)
        slices = sorted(found for kind, found in values if kind == _SLICE)
        scores = _Scores([found for kind, found in values if kind == _SCORES], threshold)
        kept = ShardWriter(self._folder, "filtered", FILTERED, unit)
        dropped = ShardWriter(self._folder, "rejects/filter", REJECTS, unit)
        counts, survival = Counter[str](), Survival()
        for rows in (rows for part in slices for rows in read_slice(part, ANCHORS.names)):
            decisions = scores.decide(judge_rows(rows, self._judging, RuledPages(*facts)))
            kept.write(_kept_rows(rows, decisions, scores))
            rejects = _rejects(rows, decisions)
            dropped.write(rejects)
            survival.add(rows, [decision.passed for decision in decisions])
            counts.update(_counts(decisions))
            self._heartbeat.beat(anchors=rows.num_rows, rejects=rejects.num_rows)
        for found in survival.divided(self._buckets):
            yield beam.pvalue.TaggedOutput("documents", found)
        yield {"parts": [tuple(part) for part in (*kept.close(), *dropped.close())], "counts": dict(counts)}
        self._heartbeat.beat(flush=True)


class _Scores:
    """The scores of a unit's texts, and the threshold."""

    def __init__(self, answers: list[tuple[np.ndarray, np.ndarray]], threshold: int | None) -> None:
        self.threshold = threshold
        self._by_hash: dict[int, int] = {}
        for hashes, scores in answers:
            self._by_hash.update(zip(hashes.tolist(), scores.tolist(), strict=True))

    def of(self, text: str) -> int:
        """That of a clean text, in ten-thousandths."""
        return self._by_hash[string_hash(as_typed(text))]

    def decide(self, decisions: list[Decision]) -> list[Decision]:
        """The decisions of the rules with that of the classifier, which is the last to be passed."""
        if self.threshold is None:
            return decisions
        return [self._decided(decision) if decision.reason is None else decision for decision in decisions]

    def _decided(self, decision: Decision) -> Decision:
        if self.of(decision.clean) < (self.threshold or 0):
            return decision._replace(reason=CLASSIFIER)
        return decision._replace(passed=decision.passed + 1)


def _kept_rows(rows: pa.Table, decisions: list[Decision], scores: _Scores) -> pa.Table:
    """The rows that are kept, with the columns of `Judgement`."""
    kept = [place for place, decision in enumerate(decisions) if decision.reason is None]
    texts = [decisions[place].clean for place in kept]
    if scores.threshold is None:
        found = least = pa.nulls(len(kept), pa.float32())
    else:
        found = pa.array([scores.of(text) / SCALE for text in texts], pa.float32())
        least = pa.array([scores.threshold / SCALE] * len(kept), pa.float32())
    columns = (pa.array(texts, pa.string()), found, least)
    table = rows.select(ANCHORS.names).take(pa.array(kept, pa.int64()))
    return pa.table([*table.columns, *columns], schema=FILTERED)


def _rejects(rows: pa.Table, decisions: list[Decision]) -> pa.Table:
    columns = (rows[name].to_pylist() for name in ("anchor_id", "source_page_id", "anchor"))
    return to_table(
        [
            Reject("filter", decision.reason, "anchors", anchor_id, page_id, anchor[:EXCERPT_CHARACTERS])
            for anchor_id, page_id, anchor, decision in zip(*columns, decisions, strict=True)
            if decision.reason is not None
        ],
        REJECTS,
    )


def _counts(decisions: list[Decision]) -> Counter[str]:
    reasons = Counter(decision.reason for decision in decisions)
    counts = Counter({f"anchors.rejected.{reason}": count for reason, count in reasons.items() if reason})
    counts["anchors.written"] = reasons[None]
    return counts
