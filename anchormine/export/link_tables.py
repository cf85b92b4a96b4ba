"""The table of links that is exported, divided by the pages that its links belong to."""

from __future__ import annotations

from shlex import quote

import pyarrow as pa

from anchormine.datasets.folder import NEW_FOLDER, DatasetFolder
from anchormine.datasets.remedies import linkless
from anchormine.errors import UsageError
from anchormine.export.job import ExportJob, require_table
from anchormine.export.links_by_page import LinksByPage
from anchormine.export.page_register import NOWHERE, PageRegister

_ROWS_AT_ONCE = 32_768  # a link without its sentence is small


def link_table(folder: DatasetFolder, source: str | None, default: str) -> str:
    """Says which table of links is read.

    Args:
        folder: the dataset.
        source: "anchors" or "filtered", if one was asked for.
        default: the one that is read otherwise, where it is there; else it is anchors.

    Raises:
        UsageError: it is not there; it says what to do.
    """
    config = source or (default if default in folder.configs() else "anchors")
    require_table(folder, "pages", NEW_FOLDER)
    if reason := linkless(folder):
        raise UsageError(f"{folder.path}: {reason}, so there is nothing to write; read a whole one")
    is_filtered = config == "filtered"
    remedy = f"make them with `anchormine filter {quote(folder.path)}`" if is_filtered else NEW_FOLDER
    require_table(folder, config, remedy)
    return config


def divide_links(
    job: ExportJob, config: str, schema: pa.Schema, owner: str, register: PageRegister, absent: str
) -> LinksByPage:
    """Divides the links of a table by the pages that they belong to, and counts those that belong to none.

    Args:
        job: the export.
        config: of the table.
        schema: of the columns that are needed.
        owner: the column with the page_id that a link belongs to; one of the schema's.
        register: of the pages.
        absent: why a link is left out whose page is not there.
    """
    pages = job.folder.rows("pages")
    limit = min(pages, job.options.limit or pages)
    links = LinksByPage(job.output.scratch, schema, pages, job.folder.rows(config))
    for batch in job.folder.iter_batches(config, schema.names, batch_rows=_ROWS_AT_ONCE):
        places = register.places(batch.column(owner))
        wanted = (places != NOWHERE) & (places < limit)
        for reason, there in ((absent, places == NOWHERE), ("limit", places >= limit)):
            if there.any():
                job.count(config, reason, int(there.sum()))
        links.add(batch.filter(pa.array(wanted)), places[wanted])
    links.finish()
    return links
