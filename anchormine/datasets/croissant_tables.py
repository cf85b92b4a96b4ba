"""What Croissant says of files and of tables: how mlcroissant finds the columns of a table in its files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from anchormine.datasets.facts import TableFacts

PARQUET = "application/x-parquet"


def file_object(file: Mapping[str, Any], encoding: str = PARQUET) -> dict[str, Any]:
    """Describes a file by its path, bytes and sha256.

    Args:
        file: these, as a manifest has them.
        encoding: its media type.
    """
    return {
        "@type": "cr:FileObject",
        "@id": file["path"],
        "name": file["path"],
        "contentUrl": file["path"],
        "contentSize": f"{file['bytes']} B",
        "encodingFormat": encoding,
        "sha256": file["sha256"],
    }


def table_distribution(row: TableFacts) -> Iterator[dict[str, Any]]:
    """A table's files with their checksums, and the set of them that its fields are read from."""
    yield from map(file_object, row.files)
    yield {
        "@type": "cr:FileSet",
        "@id": _file_set(row),
        "name": _file_set(row),
        "description": f"The files of {row.config}, in the order of their rows.",
        "encodingFormat": PARQUET,
        "includes": [f"{row.folder}/{split}-*.parquet" for split in row.splits],
    }


def _file_set(row: TableFacts) -> str:
    return f"{row.config}-files"


def record_set(row: TableFacts, description: str, meanings: Mapping[str, str]) -> dict[str, Any]:
    """Describes a table.

    Args:
        row: the table.
        description: of it, a sentence.
        meanings: of its columns, of those that have one.
    """
    fields = [_field(row, field, meanings.get(field.name)) for field in row.schema]
    return {
        "@type": "cr:RecordSet",
        "@id": row.config,
        "name": row.config,
        "description": description,
        "field": [*fields, *([_split_field(row)] if len(row.splits) > 1 else [])],
    }


def _field(row: TableFacts, field: pa.Field, meaning: str | None) -> dict[str, Any]:
    described = {"description": meaning} if meaning else {}
    start = {"@type": "cr:Field", "@id": f"{row.config}/{field.name}", "name": field.name, **described}
    value, shape = field.type, {}
    if pa.types.is_list(value):
        value, shape = value.value_type, {"isArray": True, "arrayShape": "-1"}
    if pa.types.is_struct(value):
        return {**start, **shape, "subField": [_sub_field(row, field.name, item) for item in value]}
    return {**start, "dataType": _data_type(value), **shape, "source": _source(row, field.name)}


def _sub_field(row: TableFacts, column: str, item: pa.Field) -> dict[str, Any]:
    """One entry of a structure, such as the weight of each of the query's terms."""
    return {
        "@type": "cr:Field",
        "@id": f"{row.config}/{column}/{item.name}",
        "name": item.name,
        "dataType": _data_type(item.type),
        "source": {**_source(row, column), "transform": {"jsonPath": item.name}},
    }


def _split_field(row: TableFacts) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{row.config}/split",
        "name": "split",
        "description": "The split that the row belongs to.",
        "dataType": "sc:Text",
        "source": {
            "fileSet": {"@id": _file_set(row)},
            "extract": {"fileProperty": "filename"},
            "transform": {"regex": "^([a-z]+)-.*$"},
        },
    }


def _source(row: TableFacts, column: str) -> dict[str, Any]:
    return {"fileSet": {"@id": _file_set(row)}, "extract": {"column": column}}


def _data_type(value: pa.DataType) -> str:
    """The type of schema.org that a column's values have.

    Raises:
        TypeError: no column of anchormine has had this type so far.
    """
    for is_type, name in (
        (pa.types.is_boolean, "sc:Boolean"),
        (pa.types.is_integer, "sc:Integer"),
        (pa.types.is_floating, "sc:Float"),
        (pa.types.is_string, "sc:Text"),
        (pa.types.is_large_string, "sc:Text"),
    ):
        if is_type(value):
            return name
    raise TypeError(f"no Croissant type for {value}")
