"""Sends known answers to the queries that ask for them: joins keys with keys, and no text goes along."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import apache_beam as beam
import numpy as np

from anchormine.negatives.answers import Known
from anchormine.transforms.key_pairs import pack_keys, unpack_keys
from anchormine.transforms.mining_buckets import AnswerBuckets, MiningBuckets
from anchormine.transforms.options import transform_options

Keyed: TypeAlias = tuple[tuple[str, int], tuple[int, str, bytes]]  # (task, group), (bucket, kind, data)
Answering: TypeAlias = tuple[int, tuple[str, str, bytes]]  # bucket, (kind, task, pairs of keys)
_ASKS = "asks"


def asks(task: str, asked: Iterable[tuple[int, int]], buckets: AnswerBuckets) -> Iterator[Answering]:
    """Yields what is asked as `JoinAnswers` takes it.

    Args:
        task: of the queries.
        asked: key of what is asked for, and bucket of the query.
        buckets: how answers are divided.
    """
    for bucket, pairs in buckets.divide(sorted(set(asked))):
        yield bucket, (_ASKS, task, pack_keys(pairs))


@transform_options
class JoinAnswers(beam.PTransform):
    """Takes asks and answers, and gives ((task, group), (bucket, kind, pairs of keys (asked, page))).

    Attributes:
        tasks: how the queries of each are divided.
    """

    tasks: tuple[tuple[str, MiningBuckets], ...]

    def expand(self, inputs: tuple[beam.PCollection, ...]) -> beam.PCollection:
        return (
            inputs
            | "Asks and answers" >> beam.Flatten()
            | "Group by key" >> beam.GroupByKey()
            | "Join" >> beam.FlatMap(_join, dict(self.tasks))
        )


def _join(
    group: tuple[int, Iterable[tuple[str, str, bytes]]], tasks: dict[str, MiningBuckets]
) -> Iterator[Keyed]:
    asked: dict[str, list[bytes]] = {}  # by task
    answers: dict[str, list[bytes]] = {}  # by kind
    for kind, task, data in group[1]:
        if kind == _ASKS:
            asked.setdefault(task, []).append(data)
        else:
            answers.setdefault(kind, []).append(data)
    for kind in list(answers):
        known = Known.of(unpack_keys(answers.pop(kind)))
        for task, parts in asked.items():
            for bucket, pairs in _answers(unpack_keys(parts), known):
                yield tasks[task].group_of(task, bucket), (bucket, kind, pack_keys(pairs))


def _answers(asked: np.ndarray, known: Known) -> Iterator[tuple[int, np.ndarray]]:
    """Yields buckets of queries, and pairs of keys (asked, page) for each; takes keys and buckets, [n, 2]."""
    asked = np.unique(asked, axis=0)
    places, pages = known.answers(asked[:, 0])
    found, buckets = np.stack([asked[places, 0], pages], axis=1), asked[places, 1]  # [m, 2], [m]
    order = np.argsort(buckets, kind="stable")
    distinct, starts = np.unique(buckets[order], return_index=True)
    yield from zip(distinct.tolist(), np.split(found[order], starts[1:]), strict=False)
