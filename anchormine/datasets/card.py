"""README.md of a dataset folder: a Hugging Face dataset card, whose head makes every table loadable."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from anchormine.datasets.attribution import changes, source_table, version_of_page
from anchormine.datasets.card_head import card_head
from anchormine.datasets.descriptions import column_meanings, describe_table
from anchormine.datasets.facts import FolderFacts, TableFacts
from anchormine.datasets.limits import limits
from anchormine.datasets.manifest import EXTRACTIONS
from anchormine.datasets.markdown import code, escaped, table
from anchormine.datasets.naming import pretty_name, what_it_is
from anchormine.errors import CommandError
from anchormine.numerals import counted

_TRAINING = ("pairs/", "contrastive/")
_EXAMPLE_CHARACTERS = 240
_EXAMPLE_ITEMS = 4
_MAX_INPUTS = 20
# The wikis are listed above; the device is in the manifest, as rows hang on the dtype alone.
_TOLD_ELSEWHERE = frozenset({"wikis", "device"})


def dataset_card(facts: FolderFacts) -> str:
    """Returns the text of README.md.

    Args:
        facts: of the folder.

    Raises:
        CommandError: a config's name would make the whole card unreadable to `datasets`.
    """
    for row in facts.tables:
        if "/" in row.config:
            raise CommandError(f'config {row.config}: a name with "/" breaks the card; write it with "-"')
    lines = [
        *card_head(facts),
        f"# {escaped(pretty_name(facts))}",
        "",
        escaped(what_it_is(facts)),
        "",
        *_how_to_load(facts),
        *_sizes(facts),
        *_how_made(facts),
        *_funnel(facts),
        *(line for row in facts.tables for line in _config_section(row)),
        *_licence_section(facts),
        "## Limits",
        "",
        *(f"- {line}" for line in limits(facts)),
    ]
    return "\n".join(lines) + "\n"


def _how_to_load(facts: FolderFacts) -> list[str]:
    if not facts.tables:
        return ["No table has rows.", ""]
    training = [row for row in facts.tables if row.folder.startswith(_TRAINING)]
    others = sorted(facts.tables, key=lambda row: row.config != "anchors")
    first = (training or others)[0]
    return [
        "```python",
        "from datasets import load_dataset",
        "",
        f'rows = load_dataset("path/to/this/folder", "{first.config}", split="{first.splits[0]}")',
        "```",
        "",
    ]


def _sizes(facts: FolderFacts) -> list[str]:
    rows = [
        [code(row.config), split, *_split_size(row, split), describe_table(row.folder)]
        for row in facts.tables
        for split in row.splits
    ]
    head = ["config", "split", "rows", "files", "bytes", "what a row is"]
    return ["## Tables", "", *table(head, rows, right=(2, 3, 4)), ""]


def _split_size(row: TableFacts, split: str) -> list[str]:
    files = [file for file in row.files if file["path"].startswith(f"{row.folder}/{split}-")]
    sizes = (sum(file["rows"] for file in files), len(files), sum(file["bytes"] for file in files))
    return [f"{size:,}" for size in sizes]


def _how_made(facts: FolderFacts) -> list[str]:
    lines = ["## How it was made", ""]
    for step, section in facts.steps.items():
        version = section["versions"].get("anchormine")
        by = f", anchormine {version}" if version else ""
        lines += [
            f"### `{section['command']}`",
            "",
            f"Seed {section['seed']}{by}.",
            "",
            *_option_lines(section),
        ]
        if step in EXTRACTIONS:
            lines += _inputs(section["inputs"])
    return [*lines, "manifest.json has the files and the versions of all libraries.", ""]


def _option_lines(section: Mapping[str, Any]) -> list[str]:
    """The options that were given, and the constants of the profile, one below the other."""
    given = {name: value for name, value in _told(section["options"]).items() if value is not None}
    lines = [f"- `{name}`: {_option_value(value)}" for name, value in given.items()]
    return ["Options and constants:", "", *lines, ""] if lines else []


def _told(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in _TOLD_ELSEWHERE}


def _option_value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_option_value(item)}" for name, item in _told(value).items()) or code("{}")
    if isinstance(value, (list, tuple)) and all(isinstance(item, (str, int, float)) for item in value):
        return ", ".join(_option_value(item) for item in value) or "none"
    return code(value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False))


def _inputs(inputs: list[dict[str, Any]]) -> list[str]:
    """The files that were read, by what they are and not by where they were."""
    rows = [
        [f"{file['bytes']:,}", file["verdict"], code(file["sha256"] or "unknown")]
        for file in inputs[:_MAX_INPUTS]
    ]
    more = len(inputs) - len(rows)
    note = [f"and {counted(more, 'more file')} (manifest.json).", ""] if more else []
    return [*table(["input bytes", "verdict", "sha256"], rows, right=(0,)), "", *note]


def _funnel(facts: FolderFacts) -> list[str]:
    rows = [
        [
            row["step"],
            row["unit"],
            *(f"{row[name]:,}" for name in ("read", "written")),
            f"{sum(row['rejected'].values()):,}",
            f"{row['unreadable']:,}",
            ", ".join(f"{reason} {count:,}" for reason, count in _by_count(row["rejected"])),
        ]
        for row in facts.funnel
    ]
    head = ["step", "unit", "read", "written", "rejected", "unreadable", "rejected by reason"]
    return ["## What was kept and what was not", "", *table(head, rows, right=(2, 3, 4, 5)), ""]


def _by_count(rejected: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(rejected.items(), key=lambda item: (-item[1], item[0]))


def _config_section(row: TableFacts) -> list[str]:
    example = json.dumps(_shortened(_without_place(row)), indent=2, ensure_ascii=False, default=str)
    return [
        f"## `{row.config}`",
        "",
        describe_table(row.folder),
        "",
        *_columns(row),
        "",
        "The first row, long values cut:",
        "",
        "```json",
        example,
        "```",
        "",
    ]


def _columns(row: TableFacts) -> list[str]:
    meanings = column_meanings(row.folder)
    rows = [
        [
            code(field.name),
            code(type_name(field.type)) + (" or null" if field.nullable else ""),
            meanings.get(field.name, "").replace("|", "\\|"),
        ]
        for field in row.schema
    ]
    return table(["column", "type", "meaning"], rows)


def type_name(value: pa.DataType) -> str:
    """Returns the name of a column's type, the same for a table in memory and for one read from a file."""
    if pa.types.is_list(value):
        return f"list of {type_name(value.value_type)}"
    if pa.types.is_struct(value):
        return "{" + ", ".join(f"{item.name}: {type_name(item.type)}" for item in value) + "}"
    return "float32" if pa.types.is_float32(value) else str(value)


def _without_place(row: TableFacts) -> dict[str, Any]:
    """The example; of a file that it comes from only the name is shown, not where the file was."""
    origin = row.example.get("origin")
    return row.example if origin is None else {**row.example, "origin": posixpath.basename(origin)}


def _shortened(value: Any) -> Any:
    """A value with its long strings and lists cut, and no more digits than float32 has."""
    if isinstance(value, str):
        return value if len(value) <= _EXAMPLE_CHARACTERS else value[:_EXAMPLE_CHARACTERS].rstrip() + " …"
    if isinstance(value, dict):
        return {name: _shortened(item) for name, item in value.items()}
    if isinstance(value, list):
        cut = [_shortened(item) for item in value[:_EXAMPLE_ITEMS]]
        return cut if len(value) <= _EXAMPLE_ITEMS else [*cut, f"… {len(value) - _EXAMPLE_ITEMS} more"]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _licence_section(facts: FolderFacts) -> list[str]:
    return [
        "## Licence and attribution",
        "",
        *source_table(facts),
        "",
        f"Changes: {changes(facts)}",
        "",
        "ATTRIBUTION.md says how to name the sources and how to find the page and the "
        f"{version_of_page(facts)} of every row.",
        "",
    ]
