"""How well a query classifier tells apart what its training has never seen, as its folder says."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple


class HeldOut(NamedTuple):
    """How a classifier was measured.

    Attributes:
        queries: how many were held out.
        anchors: how many of these.
        auc: the chance that a query scores above an anchor, where equal scores count half.
    """

    queries: int
    anchors: int
    auc: float

    def line(self) -> str:
        """What a person is told."""
        return f"held-out AUC {self.auc:.4f} ({self.queries} queries, {self.anchors} anchors)"


def held_out_of(about: Mapping[str, Any]) -> HeldOut:
    """Reads it out of what stands beside a classifier.

    Raises:
        KeyError, TypeError, ValueError: it is not there.
    """
    found = about["held_out"]
    queries, anchors, auc = (float(found[name]) for name in HeldOut._fields)
    if not all(map(math.isfinite, (queries, anchors, auc))):  # JSON knows 1e400, and no count is made of it
        raise ValueError("a figure is no number")
    return HeldOut(int(queries), int(anchors), auc)
