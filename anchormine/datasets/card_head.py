"""The YAML head of a dataset card: what the hub and `datasets` read of it."""

from __future__ import annotations

from collections.abc import Iterator

from anchormine.datasets.contents import description_of
from anchormine.datasets.facts import FolderFacts, TableFacts
from anchormine.datasets.iso_639 import is_language
from anchormine.datasets.licence_names import OTHER, hugging_face_licences
from anchormine.datasets.markdown import yaml_list, yaml_scalar
from anchormine.datasets.naming import pretty_name

# The classes of size of huggingface.co/docs/hub: each has fewer rows than its bound.
_SIZES = (
    *((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M")),
    *((10**7, "1M<n<10M"), (10**8, "10M<n<100M"), (10**9, "100M<n<1B"), (10**10, "1B<n<10B")),
    *((10**11, "10B<n<100B"), (10**12, "100B<n<1T")),
)
_LARGEST = "n>1T"


def card_head(facts: FolderFacts) -> list[str]:
    """Returns the head's lines, its marks among them: licence, languages, size, tags and configs."""
    licences = hugging_face_licences(source["licence"] for source in facts.sources)
    lines = ["---", *yaml_list("license", licences)]
    if licences == [OTHER]:
        lines += ["license_name: see-attribution", "license_link: ATTRIBUTION.md"]
    lines += [
        *language_lines(facts),
        f"pretty_name: {yaml_scalar(pretty_name(facts))}",
        *yaml_list("size_categories", [_size_class(sum(row.rows for row in facts.tables))]),
        *yaml_list("task_categories", ["text-retrieval", *(["text-ranking"] if facts.tasks else [])]),
        *yaml_list(
            "tags", ["anchormine", "anchor-text", "hyperlinks", "information-retrieval", *_step_tags(facts)]
        ),
    ]
    configs = [line for row in facts.tables for line in _config_head(row)]
    return [*lines, *(["configs:", *configs] if configs else []), "---", ""]


def language_lines(facts: FolderFacts) -> list[str]:
    """Returns the lines that name the languages: as `language` those alone whose codes the hub knows."""
    codes = [code for code in facts.languages if is_language(code)]
    others = [code for code in facts.languages if code not in codes]
    return [*yaml_list("language", codes), *yaml_list("language_bcp47", others)]


def _step_tags(facts: FolderFacts) -> list[str]:
    tags = ["wikipedia"] if any("wikipedia.org" in (source["base"] or "") for source in facts.sources) else []
    return [*tags, *(["pre-training", "synthetic"] if facts.tasks else [])]


def _config_head(row: TableFacts) -> Iterator[str]:
    yield f"- config_name: {yaml_scalar(row.config)}"
    yield "  data_files:"
    for split in row.splits:
        yield f"  - split: {split}"
        yield f"    path: {row.folder}/{split}-*.parquet"
    yield description_of((file["path"], file["sha256"]) for file in row.files)


def _size_class(rows: int) -> str:
    return next((name for bound, name in _SIZES if rows < bound), _LARGEST)
