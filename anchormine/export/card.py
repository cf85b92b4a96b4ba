"""README.md of an export: what it is, where it is from, and under which licence; the licence goes with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from anchormine.datasets.attribution import changes, source_table
from anchormine.datasets.card_head import language_lines
from anchormine.datasets.contents import description_of
from anchormine.datasets.facts import FolderFacts
from anchormine.datasets.funnel import FunnelRow
from anchormine.datasets.licence_names import OTHER, hugging_face_licences
from anchormine.datasets.markdown import code, escaped, table, yaml_list, yaml_scalar
from anchormine.datasets.naming import pretty_name
from anchormine.export.card_features import feature_lines
from anchormine.export.export_folder import ExportFile
from anchormine.export.formats import FORMATS
from anchormine.export.job import ExportJob

CLUEWEB22 = (
    "ClueWeb22's text stays with those who have signed its agreement. What may be passed on is what "
    "`--to ids-only` writes."
)


def export_card(name: str, facts: FolderFacts, job: ExportJob, funnel: Sequence[FunnelRow]) -> str:
    """Returns the text of README.md.

    Args:
        name: of the format.
        facts: of the dataset.
        job: the export, which is complete.
        funnel: what was read, and what became of it.
    """
    lines = [
        *_head(name, facts, job),
        f"# {escaped(pretty_name(facts))}, for {name}",
        "",
        f"Written by anchormine from its dataset {code(facts.name)}: {FORMATS[name].layout}.",
        "",
        *table(["file", "rows", "bytes"], [_file_row(file) for file in _in_order(job)], right=(1, 2)),
        "",
        *table(
            ["made of", "read", "written", "left out"], [_funnel_row(row) for row in funnel], right=(1, 2)
        ),
        "",
        *(line for note in job.notes for line in (escaped(note), "")),
        "## Licence and attribution",
        "",
        *source_table(facts),
        "",
        *([CLUEWEB22, ""] if facts.extraction == "clueweb22" and name != "ids-only" else []),
        f"Changes: {changes(facts)}",
        "",
        "ATTRIBUTION.md, which is that of the dataset, says how to name the sources. Keep it with the data.",
    ]
    return "\n".join(lines) + "\n"


def _head(name: str, facts: FolderFacts, job: ExportJob) -> list[str]:
    licences = hugging_face_licences(source["licence"] for source in facts.sources)
    lines = ["---", *yaml_list("license", licences)]
    if licences == [OTHER]:
        lines += ["license_name: see-attribution", "license_link: ATTRIBUTION.md"]
    lines += language_lines(facts)
    lines += [f"pretty_name: {yaml_scalar(f'{pretty_name(facts)}, for {name}')}"]
    return [*lines, *_configs(job), "---", ""]


def _configs(job: ExportJob) -> Iterator[str]:
    """Yields what `datasets` needs to know: which files are of which config and, of JSON, their types."""
    if job.configs:
        yield "configs:"
    for config in job.configs:
        yield f"- config_name: {yaml_scalar(config.name)}"
        yield "  data_files:"
        for split, files in config.splits.items():
            yield f"  - split: {split}"
            yield f"    path: {files}"
        yield description_of(
            (file.path, file.sha256)
            for file in job.output.files
            if any(fnmatchcase(file.path, pattern) for pattern in config.splits.values())
        )
    typed = [(config.name, config.schema) for config in job.configs if config.schema is not None]
    if typed:
        yield "dataset_info:"
    for name, schema in typed:
        yield f"- config_name: {yaml_scalar(name)}"
        yield "  features:"
        yield from feature_lines(schema, "  ")


def _in_order(job: ExportJob) -> list[ExportFile]:
    return sorted(job.output.files)


def _file_row(file: ExportFile) -> list[str]:
    return [code(file.path), "" if file.rows is None else f"{file.rows:,}", f"{file.bytes:,}"]


def _funnel_row(row: FunnelRow) -> list[str]:
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in sorted(row.rejected.items()))
    return [code(row.unit), f"{row.read:,}", f"{row.written:,}", reasons]
