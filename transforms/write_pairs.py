"""Puts drafts and answers together, and writes the pairs of each task in the order of their hash."""

from collections import Counter
from collections.abc import Iterable, Iterator
from operator import itemgetter

import apache_beam as beam

from anchormine.sampling.terms import find_words
from anchormine.schemas.arrow_rows import to_table
from anchormine.schemas.pairs import PAIRS, Pair
from anchormine.tasks.drafts import Answer, Draft, Refusal
from anchormine.tasks.finished_pairs import finish_pair
from anchormine.transforms.answer_pages import unpack_answers
from anchormine.transforms.blobs import unpack
from anchormine.transforms.options import transform_options
from anchormine.transforms.pair_buckets import PairBuckets, as_reject, pair_order
from anchormine.transforms.parquet_shards import ShardWriter


@transform_options
class WritePairs(beam.PTransform):
    """Takes (drafts, answers); gives reports {"parts", "counts"}, "rejects" as (bucket, blob of `Reject`).

    Attributes:
        buckets: how the work is divided.
        folder: for the files, until they are published.
    """

    buckets: PairBuckets
    folder: str

    def expand(self, inputs: tuple[beam.PCollection, beam.PCollection]) -> beam.pvalue.DoOutputsTuple:
        return (
            inputs
            | "Drafts and answers" >> beam.Flatten()
            | "Group by pair" >> beam.GroupByKey()
            | "Finish"
            >> beam.ParDo(_WriteGroup(self.buckets, self.folder)).with_outputs("rejects", main="reports")
        )


class _WriteGroup(beam.DoFn):
    def __init__(self, buckets: PairBuckets, folder: str) -> None:
        self._buckets, self._folder = buckets, folder

    def process(self, group: tuple[tuple[str, int], Iterable[tuple[int, str, bytes]]]) -> Iterator:
        (task, number), values = group
        writer = ShardWriter(self._folder, f"pairs/{task}", PAIRS, number)
        counts: Counter[str] = Counter()
        buckets: dict[int, list[tuple[str, bytes]]] = {}
        for bucket, kind, data in values:
            buckets.setdefault(bucket, []).append((kind, data))
        lengths: dict[str, int] = {}
        for bucket in sorted(buckets):
            pairs, refusals = _finish(buckets.pop(bucket))
            writer.write(to_table(pairs, PAIRS))
            counts.update(_counts(task, pairs, refusals, lengths))
            for blob in self._buckets.pack_rejects(map(as_reject, refusals)):
                yield beam.pvalue.TaggedOutput("rejects", blob)
        yield {"parts": [tuple(part) for part in writer.close()], "counts": dict(counts)}


def _finish(blobs: list[tuple[str, bytes]]) -> tuple[list[Pair], list[Refusal]]:
    answers: dict[str, dict[str, Answer]] = {}
    for kind, data in blobs:
        if kind == "answers":
            for answer in unpack_answers(data):
                answers.setdefault(answer.pair_id, {})[answer.slot] = answer
    drafts = [draft for kind, data in blobs if kind == "drafts" for draft in unpack(data, Draft)]
    done = [finish_pair(draft, answers.get(draft.pair_id, {})) for draft in drafts]
    pairs = [(pair_order(pair.pair_id), pair) for pair in done if isinstance(pair, Pair)]
    return [pair for _, pair in sorted(pairs, key=itemgetter(0))], [
        item for item in done if isinstance(item, Refusal)
    ]


def _counts(task: str, pairs: list[Pair], refusals: list[Refusal], lengths: dict[str, int]) -> Counter[str]:
    """Counts of pairs, and of their words on both sides."""

    def words(text: str | None) -> int:
        if text not in lengths:
            lengths[text or ""] = sum(1 for _ in find_words(text or ""))
        return lengths[text or ""]

    counts: Counter[str] = Counter()
    unit = f"pairs-{task}"
    counts[f"{unit}.written"] = len(pairs)
    counts[f"words.{task}.queries"] = sum(words(pair.query) + words(pair.negative_query) for pair in pairs)
    counts[f"words.{task}.documents"] = sum(
        words(pair.document) + words(pair.negative_document) for pair in pairs
    )
    for refusal in refusals:
        counts[f"{unit}.rejected.{refusal.reason}"] += refusal.records
    return counts
