"""How long and of what kind the values of a dataset's tables are: `stats/distributions.json`.

Distributions of parts of a table add up to the table's, so every shard is measured where it is written.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from anchormine.errors import CommandError

STATS = "stats"  # the folder of what is counted
DISTRIBUTIONS = f"{STATS}/distributions.json"
CHARACTERS, ITEMS, NUMBER = "characters", "items", "number"
VALUES, PRESENT = "values", "present"

# What is measured of each column of a table: its length, how many items a list has, the number itself; or how
# often each of a few values occurs, or a value at all. Columns of one value for all rows tell nothing.
_PAGES = {
    "language": VALUES,
    "lead": CHARACTERS,
    "text": CHARACTERS,
    "redirects_from": ITEMS,
    "disambiguation": VALUES,
}
_ANCHORS = {
    "anchor": CHARACTERS,
    "sentence": CHARACTERS,
    "region": VALUES,
    "language": VALUES,
    "destination_page_id": PRESENT,
    "gaps": NUMBER,
}
_PAIRS = {
    "query": CHARACTERS,
    "document": CHARACTERS,
    "negative_query": CHARACTERS,
    "negative_document": CHARACTERS,
    "query_terms": ITEMS,
    "negative_query_terms": ITEMS,
}
_CONTRASTIVE = {"query": CHARACTERS, "positive": CHARACTERS, "negative_ids": ITEMS, "mined_from": VALUES}
_MEASURED = {
    "pages": _PAGES,
    "anchors": _ANCHORS,
    "filtered": _ANCHORS,
    "pairs": _PAIRS,
    "contrastive": _CONTRASTIVE,
}

Distribution = dict[str, Any]
TableDistributions = dict[str, Distribution]


def measure_table(table: str, rows: pa.Table) -> TableDistributions:
    """Measures rows of a table.

    Args:
        table: its folder in the dataset, such as "anchors" or "pairs/rqp".
        rows: with all its columns.

    Returns:
        By column: {"measure", "rows", "nulls"}; of numbers and lengths "least", "most" and "sum" too (None,
        None and 0 where there is none), and "histogram": by the least number of each bin (0, 1, 2, 4, 8, ...)
        how many there are; of values "values": by the value how often it occurs. Empty for a table that is
        not measured.
    """
    columns = _MEASURED.get(table.partition("/")[0], {})
    return {column: _measure(rows[column], measure) for column, measure in columns.items()}


def _measure(column: pa.ChunkedArray, measure: str) -> Distribution:
    found: Distribution = {"measure": measure, "rows": len(column), "nulls": column.null_count}
    if measure == PRESENT:
        return found
    if measure == VALUES:
        counts = pc.value_counts(column.drop_null()).to_pylist()
        return found | {"values": {_name(entry["values"]): entry["counts"] for entry in counts}}
    return found | _histogram(_numbers(column.drop_null(), measure))


def _numbers(column: pa.ChunkedArray, measure: str) -> np.ndarray:
    if measure == CHARACTERS:
        column = pc.utf8_length(column)
    elif measure == ITEMS:
        column = pc.list_value_length(column)
    return column.to_numpy().astype(np.int64)


def _histogram(numbers: np.ndarray) -> Distribution:
    if not len(numbers):
        return {"least": None, "most": None, "sum": 0, "histogram": {}}
    # 0 is a bin of its own; a number of n bits is in the bin that begins with 2 ** (n - 1).
    bits = np.frexp(numbers.astype(np.float64))[1]
    bins, counts = np.unique(np.where(numbers > 0, bits, 0), return_counts=True)
    histogram = {
        str(1 << number - 1 if number else 0): count
        for number, count in zip(bins.tolist(), counts.tolist(), strict=True)
    }
    return {
        "least": int(numbers.min()),
        "most": int(numbers.max()),
        "sum": int(numbers.sum()),
        "histogram": histogram,
    }


def _name(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def add_up(parts: Iterable[TableDistributions]) -> TableDistributions:
    """Adds up the distributions of parts of one table."""
    total: TableDistributions = {}
    for part in parts:
        for column, distribution in part.items():
            total[column] = _added(total[column], distribution) if column in total else distribution
    return {column: _in_order(distribution) for column, distribution in total.items()}


def _added(first: Distribution, second: Distribution) -> Distribution:
    added = dict(first)
    for name in {"rows", "nulls", "sum"} & first.keys():
        added[name] = first[name] + second[name]
    for name, choose in (("least", min), ("most", max)):
        if name in first:
            present = [value for value in (first[name], second[name]) if value is not None]
            added[name] = choose(present) if present else None
    for name in {"histogram", "values"} & first.keys():
        keys = {**first[name], **second[name]}
        added[name] = {key: first[name].get(key, 0) + second[name].get(key, 0) for key in keys}
    return added


def _in_order(distribution: Distribution) -> Distribution:
    ordered = dict(distribution)
    if "histogram" in ordered:
        ordered["histogram"] = dict(sorted(ordered["histogram"].items(), key=lambda item: int(item[0])))
    if "values" in ordered:
        ordered["values"] = dict(sorted(ordered["values"].items()))
    return ordered


def distributions_json(tables: Mapping[str, TableDistributions]) -> str:
    """Returns the file's text, tables in the order of their names."""
    return json.dumps(dict(sorted(tables.items())), indent=2, ensure_ascii=False) + "\n"


def parse_distributions(text: str | bytes, path: str) -> dict[str, TableDistributions]:
    """Reads the file.

    Raises:
        CommandError: it is damaged.
    """
    try:
        tables = json.loads(text)
    except (ValueError, RecursionError):
        tables = None
    if not isinstance(tables, dict) or not all(_is_measured(columns) for columns in tables.values()):
        raise CommandError(
            f"{path}: damaged; delete it, and what it told of the tables that are there is left out"
        )
    return tables


def _is_measured(columns: Any) -> bool:
    return isinstance(columns, dict) and all(isinstance(found, dict) for found in columns.values())
