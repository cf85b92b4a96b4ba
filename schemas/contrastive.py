"""A training pair with mined negatives: one row of `contrastive/<task>/`."""

from typing import NamedTuple

import pyarrow as pa

from anchormine.schemas.tables import schema_of

SPLITS = ("train", "validation")


class Contrastive(NamedTuple):
    """A query with the document it is to find, and documents like it that it is not to find.

    The three lists are of one length, and in one order.

    Attributes:
        query_id: pair_id of the pair that it was made of; equal ids have equal queries.
        query: its text.
        positive_id: page_id of the document to find.
        positive: its text.
        negative_ids: page_ids of the other documents; of passages, with "#p" and their numbers.
        negatives: their texts.
        mined_from: what found them: "bm25", or a model's name and checksum; never a path.
        negative_scores: what it scored them with; comparable within a row only.
    """

    query_id: str
    query: str
    positive_id: str
    positive: str
    negative_ids: list[str]
    negatives: list[str]
    mined_from: str
    negative_scores: list[float]


_STRINGS = pa.list_(pa.string())
CONTRASTIVE = schema_of(
    Contrastive, negative_ids=_STRINGS, negatives=_STRINGS, negative_scores=pa.list_(pa.float32())
)
