"""Writes the rows of `contrastive/<task>/`: pairs with the negatives that are mined for them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import apache_beam as beam

from anchormine.negatives.answers import KINDS, SAME_QUERY, Known
from anchormine.negatives.mined_queries import MinedQuery
from anchormine.negatives.options import NegativeOptions
from anchormine.negatives.postings import CorpusLengths
from anchormine.sampling.splits import split_of
from anchormine.schemas.contrastive import CONTRASTIVE, SPLITS, Contrastive
from anchormine.schemas.rejects import EXCERPT_CHARACTERS, Reject
from anchormine.transforms.blobs import unpack
from anchormine.transforms.key_pairs import pack_keys, unpack_keys
from anchormine.transforms.mine_negatives import Mined, mine
from anchormine.transforms.mined_shards import Shard, ShardSide, read_documents, sides
from anchormine.transforms.options import transform_options
from anchormine.transforms.pair_buckets import PairBuckets, pair_order
from anchormine.transforms.parquet_shards import ShardWriter
from anchormine.transforms.positive_texts import place_of, read_positives
from anchormine.transforms.progress import Heartbeat

NO_NEGATIVE = "no_negative"  # the guards left none of the candidates
NO_CANDIDATE = "no_candidate"  # no document of its side has a word of the query
_ROWS_AT_A_TIME = 512  # whose texts are in memory
_ROW_GROUP_ROWS = 2_048


class MiningInputs(NamedTuple):
    """What negatives are mined of.

    Attributes:
        queries: from `ReadQueries`.
        answers: from `JoinAnswers`, for the task.
        shards: the next three are from `IndexPages`.
        weighed: is there when all files of the parts are.
        lengths: of the whole corpus.
    """

    queries: beam.PCollection
    answers: beam.PCollection
    shards: beam.PCollection
    weighed: beam.PCollection
    lengths: beam.PCollection


@transform_options
class WriteContrastive(beam.PTransform):
    """Takes `MiningInputs`, and gives reports {"parts", "counts"}.

    Under "rejects" there are (bucket, blob of `Reject`).

    Attributes:
        options: of the run.
        mined_from: as the rows have it.
        seed: of the run.
        buckets: how rejects are divided.
        folder: for the files, until they are published.
        progress: folder for heartbeats.
    """

    options: NegativeOptions
    mined_from: str
    seed: int
    buckets: PairBuckets
    folder: str
    progress: str | None = None

    def expand(self, inputs: MiningInputs) -> beam.pvalue.DoOutputsTuple:
        mined = beam.ParDo(
            _WriteGroup(self),
            beam.pvalue.AsList(inputs.shards),
            beam.pvalue.AsList(inputs.weighed),
            beam.pvalue.AsSingleton(inputs.lengths),
        )
        return (
            (inputs.queries, inputs.answers)
            | "All blobs" >> beam.Flatten()
            | "Group" >> beam.GroupByKey()
            | "Mine" >> mined.with_outputs("rejects", main="reports")
        )


class _WriteGroup(beam.DoFn):
    def __init__(self, transform: WriteContrastive) -> None:
        self._options, self._mined_from, self._seed = transform.options, transform.mined_from, transform.seed
        self._buckets, self._folder, self._progress = transform.buckets, transform.folder, transform.progress

    def setup(self) -> None:
        self._heartbeat = Heartbeat(self._progress)

    def process(
        self,
        group: tuple[tuple[str, int], Iterable[tuple[int, str, bytes]]],
        shards: list[Shard],
        weighed: list[str],
        lengths: tuple[int, int],
    ) -> Iterator:
        (task, number), values = group
        writers = {
            split: ShardWriter(
                self._folder,
                f"contrastive/{task}",
                CONTRASTIVE,
                number,
                split,
                row_group_rows=_ROW_GROUP_ROWS,
            )
            for split in SPLITS
        }
        counts: Counter[str] = Counter()
        buckets: dict[int, dict[str, list[bytes]]] = {}
        for bucket, kind, data in values:
            buckets.setdefault(bucket, {}).setdefault(kind, []).append(data)
        for bucket in sorted(buckets):
            blobs = buckets.pop(bucket)
            parts_of_corpus = [Shard(*shard) for shard in shards]
            for split in SPLITS:
                corpus = sides(parts_of_corpus, split)
                found = self._mine(
                    blobs, split, corpus, parts_of_corpus, CorpusLengths(*lengths), counts, task
                )
                writers[split].write_records(_rows(found, corpus, self._mined_from))
                for blob in self._buckets.pack_rejects(_rejects(found, task)):
                    yield beam.pvalue.TaggedOutput("rejects", blob)
        parts = [tuple(part) for writer in writers.values() for part in writer.close()]
        yield {"parts": parts, "counts": dict(counts)}

    def _mine(
        self,
        blobs: dict[str, list[bytes]],
        split: str,
        corpus: Sequence[ShardSide],
        shards: Sequence[Shard],
        lengths: CorpusLengths,
        counts: Counter[str],
        task: str,
    ) -> list[Mined]:
        """Mines for a bucket's queries of one side, and counts what comes of them."""
        queries = [
            query
            for data in blobs.get("queries", ())
            for query in unpack(data, MinedQuery)
            if split_of(query.document_id) == split
        ]
        if not queries:
            return []
        queries.sort(key=lambda query: (pair_order(query.pair_id), query.pair_id))
        found, dropped = mine(queries, corpus, shards, lengths, _answers(blobs), self._options, self._seed)
        counts.update({f"negatives.{task}.{name}": count for name, count in dropped.items()})
        counts.update(_outcomes(found, task, self._options.negatives, split))
        self._heartbeat.beat(flush=True, mined=len(queries))
        return found


def _answers(blobs: dict[str, list[bytes]]) -> dict[str, Known]:
    """The pages that are known to answer the queries of a bucket, by `KINDS`."""
    pairs = (
        (query.key, query.page) for data in blobs.get("queries", ()) for query in unpack(data, MinedQuery)
    )
    parts = {kind: blobs.get(kind, []) for kind in KINDS}
    parts[SAME_QUERY] = [*parts[SAME_QUERY], pack_keys(pairs)]
    return {kind: Known.of(unpack_keys(data)) for kind, data in parts.items()}


def _outcomes(found: Sequence[Mined], task: str, wanted: int, split: str) -> Counter[str]:
    unit = f"negatives-{task}"
    counts: Counter[str] = Counter({f"{unit}.read": len(found)})
    for row in found:
        reason = _reason(row)
        counts[f"{unit}.rejected.{reason}" if reason else f"{unit}.written"] += 1
        counts[f"negatives.{task}.drawn"] += len(row.positions)
        counts[f"negatives.{task}.{split}"] += not reason
        counts[f"negatives.{task}.few"] += not reason and len(row.positions) < wanted
    return counts


def _reason(row: Mined) -> str | None:
    if len(row.positions):
        return None
    return NO_NEGATIVE if row.candidates else NO_CANDIDATE


def _rejects(found: Iterable[Mined], task: str) -> Iterator[Reject]:
    for row in found:
        reason = _reason(row)
        if reason:
            pair, excerpt = row.query, row.query.query[:EXCERPT_CHARACTERS]
            yield Reject("negatives", reason, f"negatives-{task}", pair.pair_id, pair.document_id, excerpt)


def _rows(found: Sequence[Mined], corpus: Sequence[ShardSide], mined_from: str) -> Iterator[Contrastive]:
    """Yields the rows with their texts, which are read for some at a time."""
    written = [row for row in found if len(row.positions)]
    for start in range(0, len(written), _ROWS_AT_A_TIME):
        some = written[start : start + _ROWS_AT_A_TIME]
        documents = _documents({int(place) for row in some for place in row.positions}, corpus)
        positives = read_positives(row.query for row in some)
        for row in some:
            places = row.positions.tolist()
            yield Contrastive(
                row.query.pair_id,
                row.query.query,
                row.query.document_id,
                positives[place_of(row.query)],
                [documents[place][0] for place in places],
                [documents[place][1] for place in places],
                mined_from,
                row.scores.tolist(),
            )


def _documents(positions: set[int], corpus: Sequence[ShardSide]) -> dict[int, tuple[str, str]]:
    """(document_id, text) of documents, by their position on their side."""
    found: dict[int, tuple[str, str]] = {}
    wanted = sorted(positions)
    for side in corpus:
        last = side.first + side.end - side.start
        own = [place for place in wanted if side.first <= place < last]
        if own:
            numbers = [place - side.first + side.start for place in own]
            found.update(zip(own, read_documents(side.shard, numbers), strict=True))
    return found
