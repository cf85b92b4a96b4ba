"""croissant.json of a dataset folder, and of exports: Croissant 1.1, which mlcroissant loads table by table.

Specification: docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from anchormine.datasets.descriptions import column_meanings, describe_table
from anchormine.datasets.facts import FolderFacts, TableFacts, source_name, unique
from anchormine.datasets.licence_names import licence_url
from anchormine.datasets.naming import pretty_name, what_it_is

_CONFORMS_TO = "http://mlcommons.org/croissant/1.1"
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "name": {"@container": "@language"},
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
PARQUET = "application/x-parquet"
_UNKNOWN_LICENCE = "not known; see ATTRIBUTION.md"


def croissant(facts: FolderFacts) -> str:
    """Returns the text of croissant.json of a dataset folder.

    Args:
        facts: of the folder.
    """
    names = {
        "name": facts.name,
        "alternateName": pretty_name(facts),
        "description": what_it_is(facts),
    }
    distribution = [item for row in facts.tables for item in table_distribution(row)]
    records = [
        record_set(row, describe_table(row.folder), column_meanings(row.folder)) for row in facts.tables
    ]
    return describe_dataset(facts, names, distribution, records)


def describe_dataset(
    facts: FolderFacts,
    names: Mapping[str, str],
    distribution: Sequence[dict[str, Any]],
    records: Sequence[dict[str, Any]],
) -> str:
    """Returns the text of a croissant.json.

    `datePublished` is the date of the newest page that was read; where no page has one it is left out, as is
    `url`: a folder does not know where it will be published.

    Args:
        facts: of the dataset folder that it is, or is made of.
        names: its name, alternateName and description.
        distribution: its files and sets of files.
        records: its tables.
    """
    description: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": _CONFORMS_TO,
        **names,
        "license": _licences(facts),
        "version": f"{facts.manifest['schema_version']}.0.0",
        "citeAs": _citation(facts, names["name"], names["alternateName"]),
        "creator": [_creator(source) for source in facts.sources],
        "inLanguage": list(facts.languages),
        "keywords": ["anchor text", "hyperlinks", "information retrieval"],
        "isLiveDataset": False,
    }
    if facts.newest:
        description["datePublished"] = facts.newest
    description["distribution"] = list(distribution)
    if records:
        description["recordSet"] = list(records)
    return json.dumps(description, indent=2, ensure_ascii=False) + "\n"


def _licences(facts: FolderFacts) -> list[str]:
    licences = unique(
        licence_url(source["licence"]) or source["licence"] or _UNKNOWN_LICENCE for source in facts.sources
    )
    return licences or [_UNKNOWN_LICENCE]


def _creator(source: dict[str, Any]) -> dict[str, str]:
    creator = {"@type": "sc:Organization", "name": f"Contributors of {source_name(source)}"}
    return {**creator, "url": source["base"]} if source["base"] else creator


def _citation(facts: FolderFacts, name: str, title: str) -> str:
    """BibTeX; its year is that of the newest page."""
    fields = {
        "title": f"{{{_bibtex(title)}}}",
        "author": " and ".join(
            f"{{Contributors of {_bibtex(source_name(source))}}}" for source in facts.sources
        ),
        "year": (facts.newest or "")[:4],
        "note": "Dataset made with anchormine",
    }
    given = ", ".join(f"{name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@misc{{{name}, {given}}}"


def _bibtex(text: str) -> str:
    """Text without the marks that BibTeX reads as its own."""
    return "".join(letter for letter in text if letter not in "{}\\")


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
