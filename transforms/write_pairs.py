"""Puts together what pairs are made of, bucket by bucket, and writes those of each task.

The buckets are of pairs (HARP's tasks) or of the pages that are their documents (the others, whose texts are
long: they go through one grouping only). Within a bucket pairs are in the order of their hash.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter

import apache_beam as beam

from anchormine.sampling.terms import count_words
from anchormine.schemas.pairs import PAIRS, Pair
from anchormine.tasks.anchor_document import anchor_document_pairs
from anchormine.tasks.documents import Document
from anchormine.tasks.drafts import Answer, Draft, Refusal
from anchormine.tasks.finished_pairs import finish_pair
from anchormine.tasks.in_links import merge_in_links
from anchormine.tasks.wlp import LinkedQuery, LinkingPassages, wlp_pairs
from anchormine.tasks.word_set_pairs import PageSets, word_set_pair
from anchormine.transforms.answer_pages import unpack_answers
from anchormine.transforms.blobs import unpack
from anchormine.transforms.options import transform_options
from anchormine.transforms.pair_buckets import PairBuckets, as_reject, pair_order
from anchormine.transforms.parquet_shards import ShardWriter
from anchormine.transforms.read_in_links import unpack_in_links
from anchormine.transforms.write_origins import divide_linked

Blobs = Sequence[tuple[str, bytes]]  # of a bucket: what each holds, and its bytes
Outcomes = Iterator[Pair | Refusal]


@transform_options
class WritePairs(beam.PTransform):
    """Takes PCollections of ((task, group), (bucket, kind, blob)), and gives reports {"parts", "counts"}.

    Under "rejects" there are (bucket, blob of `Reject`), under "linked" what `WriteOrigins` takes.

    Attributes:
        finish: makes pairs and refusals of all that there is of a bucket, (kind, blob) each.
        buckets: how the work is divided.
        folder: for the files, until they are published.
        traced: whether it is to be told which pages the pairs come from.
    """

    finish: Callable[[Blobs], Outcomes]
    buckets: PairBuckets
    folder: str
    traced: bool = False

    def expand(self, inputs: tuple[beam.PCollection, ...]) -> beam.pvalue.DoOutputsTuple:
        return (
            inputs
            | "All blobs" >> beam.Flatten()
            | "Group" >> beam.GroupByKey()
            | "Finish" >> beam.ParDo(_WriteGroup(self)).with_outputs("rejects", "linked", main="reports")
        )


class _WriteGroup(beam.DoFn):
    def __init__(self, options: WritePairs) -> None:
        self._finish, self._buckets, self._folder = options.finish, options.buckets, options.folder
        self._traced = options.traced

    def process(self, group: tuple[tuple[str, int], Iterable[tuple[int, str, bytes]]]) -> Iterator:
        (task, number), values = group
        writer = ShardWriter(self._folder, f"pairs/{task}", PAIRS, number)
        counts: Counter[str] = Counter()
        buckets: dict[int, list[tuple[str, bytes]]] = {}
        for bucket, kind, data in values:
            buckets.setdefault(bucket, []).append((kind, data))
        for bucket in sorted(buckets):
            pairs, refusals = _divided(self._finish(buckets.pop(bucket)))
            writer.write_records(pairs)
            counts.update(_counts(task, pairs, refusals))
            for blob in self._buckets.pack_rejects(map(as_reject, refusals)):
                yield beam.pvalue.TaggedOutput("rejects", blob)
            for linked in divide_linked(pairs, self._buckets) if self._traced else ():
                yield beam.pvalue.TaggedOutput("linked", linked)
        yield {"parts": [tuple(part) for part in writer.close()], "counts": dict(counts)}


def finish_drafts(blobs: Blobs) -> Outcomes:
    """Makes HARP's pairs of "drafts" (blobs of `Draft`) and "answers" (see `unpack_answers`)."""
    answers: dict[str, dict[str, Answer]] = {}
    for data in _of_kind(blobs, "answers"):
        for answer in unpack_answers(data):
            answers.setdefault(answer.pair_id, {})[answer.slot] = answer
    for data in _of_kind(blobs, "drafts"):
        for draft in unpack(data, Draft):
            yield finish_pair(draft, answers.get(draft.pair_id, {}))


def finish_in_links(blobs: Blobs, most: int) -> Outcomes:
    """Makes anchor-document pairs of "in_links" (blobs of `InLinks`) and "documents" (of `Document`).

    Args:
        blobs: of a bucket of pages.
        most: texts that are kept of the links to a page.
    """
    merged = merge_in_links(unpack_in_links(_of_kind(blobs, "in_links")), most)
    wanted = {page.page_id for page in merged}
    rows = (row for data in _of_kind(blobs, "documents") for row in unpack(data, Document))
    documents = {row.page_id: row for row in rows if row.page_id in wanted}
    for page in merged:
        yield from anchor_document_pairs(page, documents.get(page.page_id))


def finish_linked(blobs: Blobs, most: int, seed: int) -> Outcomes:
    """Makes wlp's pairs of "asked" (blobs of `LinkedQuery`) and "passages" (of `LinkingPassages`).

    Args:
        blobs: of a bucket of pages that link.
        most: pairs that a passage is in.
        seed: of the run.
    """
    queries: dict[str, list[LinkedQuery]] = {}
    for data in _of_kind(blobs, "asked"):
        for query in unpack(data, LinkedQuery):
            queries.setdefault(query.page_id, []).append(query)
    rows = (row for data in _of_kind(blobs, "passages") for row in unpack(data, LinkingPassages))
    pages = {row.page_id: row for row in rows if row.page_id in queries}
    for page_id, asked in queries.items():
        yield from wlp_pairs(asked, pages.get(page_id), most, seed)


def finish_pairs(blobs: Blobs) -> Outcomes:
    """Takes "pairs" (blobs of `Pair`) as they are."""
    for data in _of_kind(blobs, "pairs"):
        yield from unpack(data, Pair)


def finish_word_sets(blobs: Blobs) -> Outcomes:
    """Makes pairs of "word_sets" (blobs of `PageSets`) and "documents" (of `Document`)."""
    rows = (row for data in _of_kind(blobs, "documents") for row in unpack(data, Document))
    texts = {row.page_id: row.text for row in rows}
    for data in _of_kind(blobs, "word_sets"):
        for sets in unpack(data, PageSets):
            yield word_set_pair(sets, texts[sets.page_id])


def _of_kind(blobs: Blobs, wanted: str) -> Iterator[bytes]:
    return (data for kind, data in blobs if kind == wanted)


def _divided(outcomes: Outcomes) -> tuple[list[Pair], list[Refusal]]:
    """The pairs in the order of their hash, and the refusals."""
    pairs: list[tuple[int, Pair]] = []
    refusals: list[Refusal] = []
    for outcome in outcomes:
        if isinstance(outcome, Pair):
            pairs.append((pair_order(outcome.pair_id), outcome))
        else:
            refusals.append(outcome)
    return [pair for _, pair in sorted(pairs, key=itemgetter(0))], refusals


def _counts(task: str, pairs: list[Pair], refusals: list[Refusal]) -> Counter[str]:
    """Counts of pairs, and of their words on both sides."""
    lengths: dict[str | None, int] = {None: 0}

    def words(text: str | None) -> int:
        if text not in lengths:
            lengths[text] = count_words(text or "")
        return lengths[text]

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
