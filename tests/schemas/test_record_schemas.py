"""The columns of every table, as other programs rely on them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from anchormine.schemas.anchors import ANCHORS
from anchormine.schemas.arrow_rows import from_ipc, to_ipc, to_rows, to_table
from anchormine.schemas.pages import PAGES
from anchormine.schemas.pair_origins import PAIR_ORIGINS
from anchormine.schemas.pairs import PAIRS
from anchormine.schemas.rejects import REJECTS
from anchormine.schemas.tables import SCHEMA_VERSION, VERSION_KEY, schema_of
from tests.pipelines.command_runs import run_demo_wiki

COLUMNS = {
    "pages": "page_id source language? title url lead text revision? timestamp? redirects_from "
    "disambiguation warc_file? warc_offset? licence? encoding? robots?",
    "anchors": "anchor_id anchor sentence start end sentence_id sentence_start? source_page_id target "
    "fragment? destination_page_id? region rel? language? gaps image_alt context source_url?",
    "pairs": "pair_id task query document negative_query? negative_document? document_id "
    "negative_document_id? sentence_id? anchor_id? query_terms negative_query_terms? occurrences?",
    "provenance": "pair_id anchor_id source_page_id source_url? timestamp? warc_file? warc_offset?",
    "rejects": "step reason unit record_id? origin excerpt records",
}
SCHEMAS = {"pages": PAGES, "anchors": ANCHORS, "pairs": PAIRS, "provenance": PAIR_ORIGINS, "rejects": REJECTS}


@pytest.mark.parametrize("name", COLUMNS)
def test_columns(name: str) -> None:
    found = [field.name + "?" * field.nullable for field in SCHEMAS[name]]
    assert found == COLUMNS[name].split()
    assert SCHEMAS[name].metadata == {VERSION_KEY: SCHEMA_VERSION.encode()}


def test_files_carry_the_schema(tmp_path: Path) -> None:
    folder = run_demo_wiki(tmp_path / "out")
    for table, schema in (("pages", PAGES), ("anchors", ANCHORS), ("rejects/wiki", REJECTS)):
        (path,) = (folder / table).iterdir()
        file = pq.ParquetFile(path)
        assert file.schema_arrow.equals(schema)
        assert file.metadata.metadata[VERSION_KEY] == SCHEMA_VERSION.encode()
        assert file.metadata.row_group(0).column(0).compression == "ZSTD"


class Boat(NamedTuple):
    name: str
    length: float
    owner: str | None
    crew: list[str]


def test_rows_there_and_back() -> None:
    schema = schema_of(Boat, crew=pa.list_(pa.string()), length=pa.float64())
    assert [str(field.type) for field in schema] == ["string", "double", "string", "list<item: string>"]
    rows = [Boat("Endeavour", 29.75, None, ["Cook"]), Boat("Ända", 0.5, "me", [])]
    assert list(to_rows(from_ipc(to_ipc(to_table(rows, schema))), Boat)) == rows
    assert to_table([], schema).num_rows == 0
