"""What the texts of a dataset folder are made from, and from nothing else: equal facts give equal bytes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import pyarrow as pa

from anchormine.datasets.manifest import EXTRACTIONS


class TableFacts(NamedTuple):
    """A table that has rows.

    Attributes:
        config: name of its Hugging Face config, such as "pages" or "pairs-rqp".
        folder: such as "pages" or "pairs/rqp".
        splits: such as ("train",).
        schema: of its rows.
        example: its first row.
        files: path, rows, bytes and sha256 of each of its files, as the manifest has them.
    """

    config: str
    folder: str
    splits: tuple[str, ...]
    schema: pa.Schema
    example: dict[str, Any]
    files: tuple[dict[str, Any], ...]

    @property
    def rows(self) -> int:
        """Rows of all splits."""
        return sum(file["rows"] for file in self.files)

    @property
    def bytes(self) -> int:
        """Size of all files."""
        return sum(file["bytes"] for file in self.files)


class FolderFacts(NamedTuple):
    """A dataset folder.

    Attributes:
        name: a slug such as "indiewebwiki", from the wikis; not from where the folder stands.
        manifest: `manifest.json`.
        funnel: the rows of `stats/funnel.json`.
        tables: those that have rows.
        languages: codes.
        sources: of each wiki "wiki", "name", "base", "language", "licence" (or None) and "newest", the latest
            timestamp of its pages (ISO 8601, or None).
    """

    name: str
    manifest: dict[str, Any]
    funnel: list[dict[str, Any]]
    tables: tuple[TableFacts, ...]
    languages: tuple[str, ...]
    sources: tuple[dict[str, Any], ...]

    @property
    def steps(self) -> dict[str, dict[str, Any]]:
        """Sections of the manifest, by step."""
        return self.manifest["steps"]

    @property
    def extraction(self) -> str:
        """The step that read the input, such as "wiki"; "" without one."""
        return next((step for step in EXTRACTIONS if step in self.steps), "")

    @property
    def newest(self) -> str | None:
        """Date of the newest page, "2026-08-22"; None where no page has one."""
        dates = [source["newest"][:10] for source in self.sources if source["newest"]]
        return max(dates, default=None)

    @property
    def tasks(self) -> list[str]:
        """Tasks that have pairs."""
        return unique(
            _task(table) for table in self.tables if table.folder.startswith(("pairs/", "contrastive/"))
        )

    def rejected(self, step: str, unit: str) -> dict[str, int]:
        """How many of a unit a step set aside, by reason."""
        for row in self.funnel:
            if (row["step"], row["unit"]) == (step, unit):
                return row["rejected"]
        return {}


def facts_of(manifest: dict[str, Any], tables: Iterable[TableFacts] = ()) -> FolderFacts:
    """Collects the facts that a manifest states.

    Args:
        manifest: `manifest.json`.
        tables: those that have rows, where they are asked for.
    """
    steps = manifest["steps"]
    sources = [source for step in EXTRACTIONS if step in steps for source in steps[step]["options"]["wikis"]]
    return FolderFacts(
        name="-".join(source["wiki"] for source in sources[:3]) or "anchormine",
        manifest=manifest,
        funnel=[row for section in steps.values() for row in section["funnel"]],
        tables=tuple(tables),
        languages=tuple(unique(code for source in sources for code in _languages(source))),
        sources=tuple(sources),
    )


def _languages(source: dict[str, Any]) -> list[str]:
    """The languages of a source: one of a wiki, several of a crawl."""
    return source.get("languages") or ([source["language"]] if source["language"] else [])


def source_name(source: dict[str, Any]) -> str:
    """What a wiki is called; its short name too where the long one is shared by many."""
    name, wiki = source["name"], source["wiki"]
    return f"{name} ({wiki})" if name and name != wiki else wiki


def unique(names: Iterable[str]) -> list[str]:
    """The names, each once, in the order in which they come first."""
    return list(dict.fromkeys(names))


def _task(table: TableFacts) -> str:
    return table.folder.partition("/")[2]
