"""croissant.json of a dataset folder, and of exports: Croissant 1.1, which mlcroissant loads table by table.

Specification: docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from anchormine.datasets.croissant_tables import record_set, table_distribution
from anchormine.datasets.descriptions import column_meanings, describe_table
from anchormine.datasets.facts import FolderFacts, source_name, unique
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
        "year": _bibtex((facts.newest or "")[:4]),
        "note": "Dataset made with anchormine",
    }
    given = ", ".join(f"{name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@misc{{{name}, {given}}}"


def _bibtex(text: str) -> str:
    """Text without the marks that BibTeX reads as its own."""
    return "".join(letter for letter in text if letter not in "{}\\")
