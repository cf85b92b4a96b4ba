"""The formats, by the names that a user gives them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from anchormine.datasets.folder import DatasetFolder
from anchormine.errors import UsageError
from anchormine.export.anchors_by_destination import write_anchors_by_destination
from anchormine.export.beir import write_beir
from anchormine.export.collections import check_corpus
from anchormine.export.dpr import write_dpr
from anchormine.export.ids_only import tables_without_text, write_ids_only
from anchormine.export.job import ExportJob, ExportTable
from anchormine.export.kilt import write_kilt
from anchormine.export.link_tables import link_table
from anchormine.export.msmarco import write_msmarco
from anchormine.export.options import LINK_SOURCES, TRAINING_SOURCES, ExportOptions
from anchormine.export.pylate import check_pylate, write_pylate
from anchormine.export.sentence_transformers import check_sentence_transformers, write_sentence_transformers
from anchormine.export.task_tables import TaskTable, task_tables
from anchormine.export.tevatron import write_tevatron
from anchormine.export.trec import write_trec

_TUPLES = frozenset({"tasks", "source", "negatives"})
_COLLECTIONS = frozenset({"tasks", "source", "corpus"})


class Format(NamedTuple):
    """A format.

    Attributes:
        write: writes its files.
        options: which of `ExportOptions` it takes besides `limit`.
        layout: its files, in words.
        links: the table of links that it is made of, if it is not made of pairs; anchors, where that is not
            there.
        check: refuses, before anything is written, options that do not go with the tables of the tasks.
    """

    write: Callable[[ExportJob], None]
    options: frozenset[str]
    layout: str
    links: str | None = None
    check: Callable[[DatasetFolder, Sequence[TaskTable], ExportOptions], None] | None = None


FORMATS = {
    "sentence-transformers": Format(
        write_sentence_transformers,
        _TUPLES,
        "TASK/SPLIT-*.parquet: anchor, positive[, negative or negative_1 ...]",
        check=check_sentence_transformers,
    ),
    "tevatron": Format(
        write_tevatron,
        _COLLECTIONS,
        "TASK/SPLIT.jsonl: query_id, query_text, positive_document_ids, negative_document_ids; "
        "TASK/corpus.jsonl: docid, title, text, document_text",
        check=check_corpus,
    ),
    "dpr": Format(
        write_dpr,
        frozenset({"tasks", "source"}),
        "TASK/SPLIT.json: question, answers, positive_ctxs, negative_ctxs, hard_negative_ctxs",
    ),
    "beir": Format(
        write_beir,
        _COLLECTIONS,
        "TASK/corpus.jsonl, TASK/queries.jsonl, TASK/qrels/SPLIT.tsv (with its header)",
        check=check_corpus,
    ),
    "msmarco": Format(
        write_msmarco,
        _COLLECTIONS | {"triples"},
        "TASK/collection.tsv, TASK/queries.tsv, TASK/qrels.SPLIT.tsv, TASK/qidpidtriples.SPLIT.tsv or "
        "TASK/triples.SPLIT.tsv; *.ids.tsv: whose numbers these are",
        check=check_corpus,
    ),
    "trec": Format(
        write_trec,
        frozenset({"tasks", "source"}),
        "TASK/topics.tsv, TASK/qrels.SPLIT.txt, TASK/run.SPLIT.txt of mined negatives, TASK/collection.tsv "
        "of passages",
    ),
    "pylate": Format(
        write_pylate,
        _TUPLES,
        "TASK/SPLIT-*.parquet: query, positive, negative_1 ...",
        check=check_pylate,
    ),
    "kilt": Format(
        write_kilt,
        frozenset({"source"}),
        "knowledgesource.jsonl: pages, each with its paragraphs and its anchors {text, href, paragraph_id, "
        "start, end}",
        "anchors",
    ),
    "anchors-by-destination": Format(
        write_anchors_by_destination,
        frozenset({"source"}),
        "anchors.jsonl: {id, anchors: [{text, count}]} of each page that is linked to",
        "filtered",
    ),
    "ids-only": Format(write_ids_only, frozenset(), "the folder's tables, with the columns that are no text"),
}


def check_options(name: str, options: ExportOptions) -> None:
    """Refuses options that a format has no use for.

    Raises:
        UsageError: there is one; it names the formats that take it.
    """
    format_ = FORMATS[name]
    for option in sorted(options.given() - format_.options):
        takers = ", ".join(other for other, known in FORMATS.items() if option in known.options)
        flag = "--task" if option == "tasks" else f"--{option}"
        raise UsageError(f"{flag}: {name} has no use for it; it is for {takers}")
    sources = LINK_SOURCES if format_.links else TRAINING_SOURCES
    if options.source is not None and options.source not in sources:
        raise UsageError(f"--source {options.source}: {name} is made of {' or '.join(sources)}")


def tables_of(
    name: str, folder: DatasetFolder, options: ExportOptions
) -> tuple[list[TaskTable], list[ExportTable]]:
    """Finds what a format is made of.

    Returns:
        The tables of tasks, if it is made of these; and all tables whose rows are counted.

    Raises:
        UsageError: a table is not there, and it names the command that makes it; or an option does not go
            with the tables.
    """
    format_ = FORMATS[name]
    if format_.links:
        links = link_table(folder, options.source, format_.links)
        tables = ["pages", links]
        return [], [ExportTable(config, folder.rows(config)) for config in tables]
    if "tasks" not in format_.options:
        tables = [table.replace("/", "-") for table in tables_without_text(folder)]
        return [], [_limited(folder, config, options.limit) for config in tables]
    tasks = task_tables(folder, options.tasks, options.source)
    if format_.check:
        format_.check(folder, tasks, options)
    return tasks, [_limited(folder, table.config, options.limit) for table in tasks]


def _limited(folder: DatasetFolder, config: str, limit: int | None) -> ExportTable:
    rows = [folder.rows(config, split) for split in folder.splits(config)]
    return ExportTable(config, sum(min(count, limit or count) for count in rows))
