"""How the work of making pairs is divided, by hashes of ids: the same for any number of workers."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple
from zlib import crc32

from anchormine.sampling.draws import hash64
from anchormine.schemas.rejects import EXCERPT_CHARACTERS, Reject
from anchormine.tasks.drafts import Refusal
from anchormine.transforms.blobs import pack_divided

_PAGES_PER_BUCKET = 2_000
_BYTES_PER_BUCKET = 16 << 20  # of the pages' compressed files
_STRINGS_PER_BUCKET = 400_000
_PAIRS_PER_BUCKET = 30_000
_BUCKETS_PER_GROUP = 16  # their pairs go to the same shards
_REJECTS_PER_BUCKET = 1_000_000


class PairBuckets(NamedTuple):
    """Numbers of buckets.

    Attributes:
        pages: among how many the pages are divided.
        strings: the anchor strings.
        pairs: the pairs of each task.
        rejects: the rejects.
    """

    pages: int
    strings: int
    pairs: int
    rejects: int

    @classmethod
    def for_corpus(cls, pages: int, anchors: int, page_bytes: int = 0) -> "PairBuckets":
        """The buckets for a number of pages and anchors, and so many bytes of files of pages."""
        return cls(
            1 + max(pages // _PAGES_PER_BUCKET, page_bytes // _BYTES_PER_BUCKET),
            1 + anchors // _STRINGS_PER_BUCKET,
            1 + anchors // _PAIRS_PER_BUCKET,
            1 + anchors // _REJECTS_PER_BUCKET,
        )

    def of_page(self, page_id: str) -> int:
        """The bucket of a page."""
        return crc32(page_id.encode()) % self.pages

    def of_string(self, string: str) -> int:
        """The bucket of an anchor's string."""
        return crc32(string.encode()) % self.strings

    def pack_rejects(self, rejects: Iterable[Reject]) -> Iterator[tuple[int, bytes]]:
        """Packs rejects by bucket."""
        return pack_divided(rejects, lambda reject: crc32(reject.origin.encode()) % self.rejects)

    def of_pair(self, task: str, pair_id: str) -> tuple[tuple[str, int], int]:
        """The group of a pair, and its bucket: by its order, so that the groups are in order too."""
        bucket = pair_order(pair_id) * self.pairs >> 64
        return (task, bucket // _BUCKETS_PER_GROUP), bucket

    def of_document(self, task: str, page_id: str) -> tuple[tuple[str, int], int]:
        """The group of a page whose pairs are written where its text is, and its bucket."""
        bucket = self.of_page(page_id)
        return (task, bucket // _BUCKETS_PER_GROUP), bucket


def as_reject(refusal: Refusal) -> Reject:
    """A refused candidate as it is set aside."""
    unit = f"pairs-{refusal.task}"
    excerpt = refusal.excerpt[:EXCERPT_CHARACTERS]
    return Reject("pairs", refusal.reason, unit, refusal.record_id, refusal.origin, excerpt, refusal.records)


def pair_order(pair_id: str) -> int:
    """What pairs are sorted by: at random, so that training may read them as they stand."""
    return hash64(0, pair_id)
