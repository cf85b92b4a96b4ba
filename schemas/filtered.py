"""A filtered anchor: a row of `filtered/`, which is an anchor with what the filters say of it."""

from typing import NamedTuple

import pyarrow as pa

from anchormine.schemas.anchors import ANCHORS
from anchormine.schemas.tables import schema_of


class Judgement(NamedTuple):
    """The columns that come behind those of an anchor, which stay as they are.

    Attributes:
        anchor_clean: the anchor's text after cleaning; as shown, where the rules clean nothing.
        query_score: how much the clean text is like a query, to the query classifier: the logit, to 4
            decimals; None without a classifier.
        query_threshold: the least score that was kept, the same in all rows.
    """

    anchor_clean: str
    query_score: float | None
    query_threshold: float | None


FILTERED = pa.schema([*ANCHORS, *schema_of(Judgement)], metadata=ANCHORS.metadata)
