"""Distributions of a table's columns: whole results, and that those of parts add up."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pyarrow as pa

from anchormine.datasets.distributions import add_up, distributions_json, measure_table
from tests.pipelines.command_runs import read_table, run_demo_wiki

TERMS = pa.list_(pa.struct([("term", pa.string()), ("weight", pa.float32())]))


def pairs(rows: list[tuple[str | None, int | None]]) -> pa.Table:
    terms = [None if count is None else [{"term": "x", "weight": 1.0}] * count for _, count in rows]
    columns = {name: pa.array([text for text, _ in rows], pa.string()) for name in ("query", "document")}
    negative = {f"negative_{name}": pa.nulls(len(rows), pa.string()) for name in columns}
    drawn = {name: pa.array(terms, TERMS) for name in ("query_terms", "negative_query_terms")}
    return pa.table({**columns, **negative, **drawn})


ROWS = [("", 0), ("ö", 1), ("ab", None), ("abc", 3), ("abcd", 8), (None, 2)]
TEXT = {
    "measure": "characters",
    "rows": 6,
    "nulls": 1,
    "least": 0,
    "most": 4,
    "sum": 10,
    "histogram": {"0": 1, "1": 1, "2": 2, "4": 1},
}
NOTHING = TEXT | {"nulls": 6, "least": None, "most": None, "sum": 0, "histogram": {}}
DRAWN = {
    "measure": "items",
    "rows": 6,
    "nulls": 1,
    "least": 0,
    "most": 8,
    "sum": 14,
    "histogram": {"0": 1, "1": 1, "2": 2, "8": 1},
}


def test_whole_and_in_parts() -> None:
    whole = {
        "query": TEXT,
        "document": TEXT,
        "negative_query": NOTHING,
        "negative_document": NOTHING,
        "query_terms": DRAWN,
        "negative_query_terms": DRAWN,
    }
    assert measure_table("pairs/rqp", pairs(ROWS)) == whole
    for cut in range(len(ROWS) + 1):
        parts = [measure_table("pairs/rqp", pairs(rows)) for rows in (ROWS[cut:], ROWS[:cut])]
        assert json.dumps(add_up(parts)) == json.dumps(whole)


def test_numbers_and_values() -> None:
    numbers = [0, 1, 2, 3, 4, 1023, 1024]
    count = len(numbers)
    anchors = pa.table(
        {
            "anchor": ["x"] * count,
            "sentence": ["xy"] * count,
            "region": ["list", *["body"] * (count - 1)],
            "language": pa.nulls(count, pa.string()),
            "destination_page_id": ["a", None, *["b"] * (count - 2)],
            "gaps": numbers,
        }
    )
    found = measure_table("filtered", anchors)
    assert found["gaps"]["histogram"] == {"0": 1, "1": 1, "2": 2, "4": 1, "512": 1, "1024": 1}
    assert found["destination_page_id"] == {"measure": "present", "rows": 7, "nulls": 1}
    assert add_up([found])["region"]["values"] == {"body": 6, "list": 1}
    assert found["language"] == {"measure": "values", "rows": 7, "nulls": 7, "values": {}}
    assert measure_table("rejects/wiki", anchors) == {}


def test_what_the_wiki_step_writes(tmp_path: Any) -> None:
    folder = run_demo_wiki(tmp_path / "out")
    written = (folder / "stats" / "distributions.json").read_text()
    found = json.loads(written)
    assert written == distributions_json(found)
    assert list(found) == ["anchors", "pages"]
    anchors, pages = (read_table(folder, table) for table in ("anchors", "pages"))
    assert found["anchors"]["region"]["values"] == dict(Counter(row["region"] for row in anchors))
    assert found["anchors"]["anchor"]["sum"] == sum(len(row["anchor"]) for row in anchors)
    assert found["anchors"]["destination_page_id"]["nulls"] == sum(
        row["destination_page_id"] is None for row in anchors
    )
    assert found["pages"]["text"]["most"] == max(len(row["text"]) for row in pages)
    assert found["pages"]["redirects_from"]["sum"] == sum(len(row["redirects_from"]) for row in pages)
