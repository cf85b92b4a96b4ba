"""Collections of documents, queries and judgements, as several formats have them, each in its own files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote

from anchormine.datasets.folder import DatasetFolder
from anchormine.errors import UsageError
from anchormine.export.catalogue import Catalogue, Entry
from anchormine.export.examples import Example
from anchormine.export.job import ExportJob
from anchormine.export.options import ExportOptions
from anchormine.export.task_tables import PASSAGE_TASKS, TaskTable, other_tasks
from anchormine.negatives.documents import page_of
from anchormine.schemas.pairs import HARP_TASKS

DUPLICATE = "duplicate"
_UNSAFE = re.compile(r'[\s%"]')


class Judged(NamedTuple):
    """An example whose query and documents are in the collection.

    Attributes:
        split: that it belongs to.
        example: the row.
        query: its entry.
        positive: of the document to find.
        negatives: of the others.
    """

    split: str
    example: Example
    query: Entry
    positive: Entry
    negatives: list[Entry]


def check_corpus(folder: DatasetFolder, tables: Sequence[TaskTable], options: ExportOptions) -> None:
    """Refuses pages as documents of tasks whose documents are passages.

    Args:
        folder: the dataset.
        tables: of the tasks.
        options: of the export.

    Raises:
        UsageError: there is such a task; it names all of them.
    """
    passages = [table for table in tables if table.task in PASSAGE_TASKS]
    if options.corpus == "all" and passages:
        raise UsageError(
            f"--corpus all: documents of {', '.join(table.task for table in passages)} are passages of "
            f"pages; give --corpus used{other_tasks(tables, passages)}"
        )


def catalogued(
    job: ExportJob,
    table: TaskTable,
    catalogue: Catalogue,
    write_document: Callable[[Entry, str, str], None] = lambda entry, title, text: None,
) -> Iterator[Judged]:
    """Yields a task's examples with their entries in the catalogue.

    Args:
        job: the export.
        table: of the task.
        catalogue: of the collection.
        write_document: is handed the entry, the title and the text of each document, once.
    """
    passages = table.task in PASSAGE_TASKS

    def document(document_id: str, text: str) -> Entry:
        page_id = page_of(document_id)
        entry = catalogue.document(page_id, text, passages or page_id != document_id)
        if entry.is_new:
            write_document(entry, catalogue.title(page_id), text)
        return entry

    for page_id, text in _all_pages(job, table):
        document(page_id, text)
    for split in table.splits:
        for example in job.examples(table, split):
            positive = document(example.document_id, example.document)
            others = zip(example.negative_ids, example.negatives, strict=True)
            negatives = [document(page_id, text) for page_id, text in others]
            query = catalogue.query(example.query_id, example.query)
            yield Judged(split, example, query, positive, negatives)


def judge(job: ExportJob, table: TaskTable, catalogue: Catalogue, example: Judged) -> None:
    """Notes a judgement, and counts its row: one whose judgement is there already is left out."""
    is_new = catalogue.judge(example.split, example.query, example.positive)
    job.count(table.config, None if is_new else DUPLICATE)


def _all_pages(job: ExportJob, table: TaskTable) -> Iterator[tuple[str, str]]:
    """With `--corpus all`, the pages of the folder with the text that the task's documents are."""
    if job.options.corpus != "all":
        return
    column = _document_column(job, table)
    empty = 0
    for page in job.rows("pages", ("page_id", column)):
        if page[column]:
            yield page["page_id"], page[column]
        empty += not page[column]
    if empty:
        job.notes.append(f"{table.task}: {empty:,} pages without {column} are no documents.")


def _document_column(job: ExportJob, table: TaskTable) -> str:
    """The column of `pages` that is the task's document; of no task whose documents are passages."""
    if table.task in HARP_TASKS:
        return "lead"
    return job.folder.manifest["steps"]["pairs"]["options"].get("document") or "text"


def plain_id(name: str) -> str:
    """Returns an id for files whose columns are divided by spaces or tabs.

    Spaces, tabs, quotes and "%" are "%20" and so on; `urllib.parse.unquote` undoes it.
    """
    return _UNSAFE.sub(lambda match: quote(match[0], safe=""), name)


def note_changes(job: ExportJob, table: TaskTable, catalogue: Catalogue, texts: int = 0) -> None:
    """Tells of ids and texts that had to be written otherwise than they are."""
    ids = sum(_UNSAFE.search(name) is not None for name in catalogue.ids())
    if ids:
        job.notes.append(
            f'{table.task}: {ids:,} ids had a space, a tab, a quote or "%", written as "%20" and so on.'
        )
    if texts:
        job.notes.append(f"{table.task}: {texts:,} texts had tabs or ends of lines; each is a space now.")


def note_left_out_queries(job: ExportJob, tables: Sequence[TaskTable]) -> None:
    """Tells that a task's worse queries have no place in a format whose negatives are documents."""
    for table in tables:
        if table.prefers_queries:
            job.notes.append(
                f"{table.task} compares two queries for one document: only the better query is written, as "
                "negatives are documents here."
            )
