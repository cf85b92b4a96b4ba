"""croissant.json of an export: its files, and the columns of those that are Parquet."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from fnmatch import fnmatch
from typing import Any

import pyarrow.parquet as pq

from anchormine.datasets.croissant import describe_dataset
from anchormine.datasets.croissant_tables import PARQUET, file_object, record_set, table_distribution
from anchormine.datasets.descriptions import column_meanings, describe_table
from anchormine.datasets.facts import FolderFacts, TableFacts
from anchormine.datasets.naming import pretty_name
from anchormine.export.formats import FORMATS
from anchormine.export.job import ExportJob

_ENCODINGS = {
    ".json": "application/json",
    ".jsonl": "application/jsonlines",
    ".tsv": "text/tab-separated-values",
    ".txt": "text/plain",
    ".parquet": PARQUET,
}


def export_croissant(name: str, facts: FolderFacts, job: ExportJob) -> str:
    """Returns the text of croissant.json.

    Args:
        name: of the format.
        facts: of the dataset.
        job: the export, whose data are complete.
    """
    names = {
        "name": f"{facts.name}-{name}",
        "alternateName": f"{pretty_name(facts)}, for {name}",
        "description": f"Written by anchormine from its dataset {facts.name}: {FORMATS[name].layout}.",
    }
    tables = list(_tables(job))
    in_tables = {file["path"] for row in tables for file in row.files}
    others = [file for file in sorted(job.output.files) if file.path not in in_tables]
    distribution = [
        *(item for row in tables for item in table_distribution(row)),
        *(file_object(file._asdict(), _ENCODINGS[posixpath.splitext(file.path)[1]]) for file in others),
    ]
    return describe_dataset(facts, names, distribution, list(map(_records, tables)))


def _records(row: TableFacts) -> dict[str, Any]:
    description = describe_table(row.folder) or describe_table(f"pairs/{row.folder}")  # of tables, and tuples
    return record_set(row, description, column_meanings(row.folder))


def _tables(job: ExportJob) -> Iterator[TableFacts]:
    """What is written as Parquet, one config after another."""
    for config in (config for config in job.configs if config.schema is None):
        found = {
            split: [file._asdict() for file in sorted(job.output.files) if fnmatch(file.path, pattern)]
            for split, pattern in config.splits.items()
        }
        files = [file for group in found.values() for file in group]
        folder = posixpath.dirname(files[0]["path"])
        schema = pq.read_schema(job.output.place(files[0]["path"]))
        yield TableFacts(config.name, folder, tuple(found), schema, {}, tuple(files))
