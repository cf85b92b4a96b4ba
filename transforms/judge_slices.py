"""Applies a set of rules to slices of a table of anchors."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from anchormine.filters.decisions import Candidate, Decision, judge
from anchormine.filters.rule_set import RuleSet
from anchormine.sampling.draws import hash64
from anchormine.transforms.table_slices import TableSlice

ROWS_PER_SLICE = 65_536
# Slices of which one worker writes what is kept: so large are the shards, and so finely is the work divided.
_SLICES_PER_UNIT = 8
_COLUMNS = ("anchor", "target", "region", "rel", "language", "source_url")
JUDGED_COLUMNS = (*_COLUMNS, "source_page_id", "destination_page_id")


class Judging(NamedTuple):
    """How anchors are judged.

    Attributes:
        rules: which are applied.
        language: of all anchors, over what the table says.
        of_wiki: whether they are of a wiki, and not of a crawl.
    """

    rules: RuleSet
    language: str | None = None
    of_wiki: bool = False


class RuledPages(NamedTuple):
    """What rules ask of pages, which are told by their `page_hash`.

    Attributes:
        refusing: [n] uint64, sorted: the pages whose links the rule `robots` drops.
        led_to: [m] uint64, sorted: those that other addresses lead to, too.
        sites: [m] uint32: for each of the latter, which of `origins` is its own.
        origins: scheme, host and port, distinct.
    """

    refusing: np.ndarray
    led_to: np.ndarray
    sites: np.ndarray
    origins: list[str]


def unit_of(part: TableSlice) -> int:
    """The unit of work that a slice is in."""
    return part.number // _SLICES_PER_UNIT


def judge_rows(rows: pa.Table, judging: Judging, facts: RuledPages) -> list[Decision]:
    """Judges the rows of a part of a table of anchors.

    Args:
        rows: with `JUDGED_COLUMNS` at least.
        judging: how.
        facts: of the pages, as far as the rules ask for them.
    """
    columns = {name: rows[name].to_pylist() for name in _COLUMNS}
    if judging.language is not None:
        columns["language"] = [judging.language] * rows.num_rows
    columns["target"] = _destinations(rows, columns["target"], facts)
    refused = _refused(rows, facts.refusing)
    of_wiki = [judging.of_wiki] * rows.num_rows
    candidates = zip(*columns.values(), refused, of_wiki, strict=True)
    return [judge(Candidate(*candidate), judging.rules) for candidate in candidates]


def _refused(rows: pa.Table, refusing: np.ndarray) -> list[bool]:
    if not len(refusing):
        return [False] * rows.num_rows
    hashes, places = _hashes(rows["source_page_id"])
    return _is_among(hashes, refusing)[0][places].tolist()


def _destinations(rows: pa.Table, targets: list[str], facts: RuledPages) -> list[str]:
    """Where links lead in the end: the address that is written may only be on the way there."""
    if not facts.origins:
        return targets
    hashes, places = _hashes(rows["destination_page_id"].fill_null(""))
    is_led_to, found = _is_among(hashes, facts.led_to)
    return [
        facts.origins[facts.sites[found[place]]] if is_led_to[place] else target
        for place, target in zip(places.tolist(), targets, strict=True)
    ]


def _is_among(hashes: np.ndarray, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Tells which of [n] hashes are in a sorted array that is not empty, and where."""
    found = np.searchsorted(known, hashes)
    found[found == len(known)] = 0
    return known[found] == hashes, found


def _hashes(page_ids: pa.ChunkedArray) -> tuple[np.ndarray, np.ndarray]:
    """The hashes of distinct pages, and for each row which of them is its own."""
    pages = page_ids.combine_chunks().dictionary_encode()
    hashes = np.array([page_hash(page_id) for page_id in pages.dictionary.to_pylist()], np.uint64)
    return hashes, pages.indices.to_numpy()


def page_hash(page_id: str) -> int:
    """What stands for a page in `RuledPages`, 64 bits."""
    return hash64(0, page_id)
