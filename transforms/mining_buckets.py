"""How the work of mining negatives is divided: by hashes of queries, the same for any number of workers."""

from typing import NamedTuple

# A bucket's queries are ranked together, and each part of the corpus is read once for it.
_PAIRS_PER_BUCKET = 8_192
_FEW_PAIRS = 512
_LEAST_BUCKETS = 16
_BUCKETS_PER_GROUP = 4  # their rows go to the same shards
_PAGES_PER_PART = 16_384
_FEW_PAGES = 4_096
_LEAST_PARTS = 4
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
        return cls(max(1, -(-pairs // _PAIRS_PER_BUCKET), min(_LEAST_BUCKETS, pairs // _FEW_PAIRS)))

    def of_query(self, task: str, key: int) -> tuple[tuple[str, int], int]:
        """The group of a query, and its bucket: equal queries are in one."""
        bucket = key * self.queries >> 64
        return (task, bucket // _BUCKETS_PER_GROUP), bucket


def pages_per_part(pages: int, size: int) -> int:
    """How many rows of `pages/` make a part of the corpus.

    Args:
        pages: rows of the table.
        size: bytes of its files.
    """
    by_number = min(_PAGES_PER_PART, max(_FEW_PAGES, -(-pages // _LEAST_PARTS)))
    return max(1, min(by_number, _BYTES_PER_PART * pages // max(1, size)))
