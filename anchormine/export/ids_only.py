"""Everything without text: ids, places and numbers, for collections whose text may not be passed on.

Whoever has the collection, such as ClueWeb22, finds the text by them again. What is written is a list of
columns that are known to be no text, so that a column of a later version is not given away by mistake.
"""

from __future__ import annotations

import posixpath

import pyarrow as pa

from anchormine.datasets.folder import DatasetFolder
from anchormine.export.examples import first_rows
from anchormine.export.job import ExportConfig, ExportJob
from anchormine.export.parquet_files import parquet_shards

_LINKS = (
    *("anchor_id", "start", "end", "sentence_id", "sentence_start", "source_page_id", "destination_page_id"),
    *("region", "rel", "language", "gaps", "image_alt", "context"),
)
_COLUMNS = {
    "pages": (
        *(
            "page_id",
            "source",
            "language",
            "revision",
            "timestamp",
            "disambiguation",
            "warc_file",
            "warc_offset",
        ),
        *("licence", "encoding"),
    ),
    "anchors": _LINKS,
    "filtered": (*_LINKS, "query_score", "query_threshold"),
    "pairs": (
        *("pair_id", "task", "document_id", "negative_document_id", "sentence_id", "anchor_id"),
        "occurrences",
    ),
    "provenance": ("pair_id", "anchor_id", "source_page_id", "timestamp", "warc_file", "warc_offset"),
    "contrastive": ("query_id", "positive_id", "negative_ids", "mined_from", "negative_scores"),
}


def tables_without_text(folder: DatasetFolder) -> dict[str, tuple[str, ...]]:
    """The tables that are written, such as "pairs/rqp", with the columns of each that are no text."""
    tables = dict.fromkeys(
        posixpath.dirname(path) for path, output in folder.outputs().items() if output["rows"]
    )
    known = {table: _COLUMNS.get(table.partition("/")[0]) for table in tables}
    return {table: columns for table, columns in known.items() if columns}


def write_ids_only(job: ExportJob) -> None:
    """Writes the folder's tables under their names, with the columns that are no text."""
    for table, columns in tables_without_text(job.folder).items():
        config = table.replace("/", "-")
        splits = job.folder.splits(config)
        for split in splits:
            _write_split(job, table, config, split, columns)
        files = {split: f"{table}/{split}-*.parquet" for split in splits}
        job.configs.append(ExportConfig(config, files))
    job.notes.append("Titles, addresses, queries and drawn words are text, and left out; so are the rejects.")


def _write_split(job: ExportJob, table: str, config: str, split: str, columns: tuple[str, ...]) -> None:
    batches = first_rows(job.folder, config, columns, split, job.options.limit)
    first = next(batches)
    schema = pa.schema(list(first.schema))  # without what the file says besides
    with parquet_shards(job.output, table, split, schema) as shards:
        while first is not None:
            shards.write(pa.record_batch(first.columns, schema=schema))
            job.count(config, None, first.num_rows)
            first = next(batches, None)
