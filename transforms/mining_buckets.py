"""How the work of mining negatives is divided: by hashes of queries, the same for any number of workers."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

# A bucket's queries are ranked together, and each part of the corpus is read once for it.
_PAIRS_PER_BUCKET = 8_192
_FEW_PAIRS = 512
_MIN_BUCKETS = 16
_BUCKETS_PER_GROUP = 4  # their rows go to the same shards
_ANSWERS_PER_BUCKET = 1_000_000
_PAGES_PER_PART = 16_384
_FEW_PAGES = 4_096
_MIN_PARTS = 4
_BYTES_PER_PART = 64 << 20  # of the pages' compressed file


class MiningBuckets(NamedTuple):
    """Numbers of buckets.

    Attributes:
        queries: among how many the queries of a task are divided.
    """

    queries: int

    @classmethod
    def for_pairs(cls, pairs: int) -> "MiningBuckets":
        """The buckets for a number of pairs: few pairs make small buckets, so that all workers have some."""
        return cls(max(1, -(-pairs // _PAIRS_PER_BUCKET), min(_MIN_BUCKETS, pairs // _FEW_PAIRS)))

    def of_query(self, task: str, key: int) -> tuple[tuple[str, int], int]:
        """The group of a query, and its bucket: equal queries are in one."""
        bucket = key * self.queries >> 64
        return self.group_of(task, bucket), bucket

    def group_of(self, task: str, bucket: int) -> tuple[str, int]:
        """The group of a bucket."""
        return task, bucket // _BUCKETS_PER_GROUP


class AnswerBuckets(NamedTuple):
    """Numbers of buckets.

    Attributes:
        keys: among how many the keys are divided that answers are known by.
    """

    keys: int

    @classmethod
    def for_corpus(cls, pages: int, links: int) -> "AnswerBuckets":
        """The buckets for a number of pages and links."""
        return cls(1 + (pages + links) // _ANSWERS_PER_BUCKET)

    def divide(self, pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """Yields the pairs of keys of each bucket together; it is the first key that counts."""
        divided: dict[int, list[tuple[int, int]]] = {}
        for pair in pairs:
            divided.setdefault(pair[0] * self.keys >> 64, []).append(pair)
        yield from divided.items()


def pages_per_part(pages: int, size: int) -> int:
    """How many rows of `pages/` make a part of the corpus.

    Args:
        pages: rows of the table.
        size: bytes of its files.
    """
    by_number = min(_PAGES_PER_PART, max(_FEW_PAGES, -(-pages // _MIN_PARTS)))
    return max(1, min(by_number, _BYTES_PER_PART * pages // max(1, size)))
