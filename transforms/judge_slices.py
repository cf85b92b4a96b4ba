"""Applies a set of rules to slices of a table of anchors."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from anchormine.filters.rule_set import RuleSet
from anchormine.filters.verdicts import Candidate, Verdict, judge
from anchormine.sampling.draws import hash64
from anchormine.transforms.table_slices import TableSlice

ROWS_PER_SLICE = 65_536
# Slices of which one worker writes what is kept: so large are the shards, and so finely is the work divided.
_SLICES_PER_UNIT = 8
_COLUMNS = ("anchor", "target", "region", "rel", "language", "source_url")
JUDGED_COLUMNS = (*_COLUMNS, "source_page_id")


class Judging(NamedTuple):
    """How anchors are judged.

    Attributes:
        rules: which are applied.
        language: of all anchors, over what the table says.
    """

    rules: RuleSet
    language: str | None = None


def unit_of(part: TableSlice) -> int:
    """The unit of work that a slice is in."""
    return part.number // _SLICES_PER_UNIT


def judge_rows(rows: pa.Table, judging: Judging, refusing: np.ndarray) -> list[Verdict]:
    """Judges the rows of a part of a table of anchors.

    Args:
        rows: with `JUDGED_COLUMNS` at least.
        judging: how.
        refusing: the pages whose links are dropped by the rule `robots`, as `RefusingPages` gives them.
    """
    columns = {name: rows[name].to_pylist() for name in _COLUMNS}
    if judging.language is not None:
        columns["language"] = [judging.language] * rows.num_rows
    refused = _refused(rows, refusing)
    return [judge(Candidate(*row), judging.rules) for row in zip(*columns.values(), refused, strict=True)]


def _refused(rows: pa.Table, refusing: np.ndarray) -> list[bool]:
    if not len(refusing):
        return [False] * rows.num_rows
    pages = rows["source_page_id"].combine_chunks().dictionary_encode()
    hashes = np.array([page_hash(page_id) for page_id in pages.dictionary.to_pylist()], np.uint64)
    return np.isin(hashes, refusing)[pages.indices.to_numpy()].tolist()


def page_hash(page_id: str) -> int:
    """What stands for a page in `refusing`, 64 bits."""
    return hash64(0, page_id)
