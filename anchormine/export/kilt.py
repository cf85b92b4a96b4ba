"""KILT's knowledge source (Petroni et al., NAACL 2021): pages as paragraphs, with the anchors in them.

Paragraph 0 is the title, and every paragraph ends with a line feed, as in KILT's own file. An anchor's start
and end are characters of its paragraph. Pages have no categories here. (`datasets` writes the timestamps that
it reads anew: "2024-05-06 07:08:09".)
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import Any
from urllib.parse import quote

import pyarrow as pa

from anchormine.export.job import ExportJob
from anchormine.export.link_tables import divide_links, link_table
from anchormine.export.page_register import page_register
from anchormine.export.text_files import text_file
from anchormine.schemas.anchors import ANCHORS

FILE = "knowledgesource.jsonl"
_PAGE_COLUMNS = ("page_id", "source", "title", "url", "text", "revision", "timestamp")
_LINKS = pa.schema(
    [
        ANCHORS.field(name)
        for name in (
            "anchor",
            "start",
            "end",
            "sentence_start",
            "source_page_id",
            "target",
            "destination_page_id",
        )
    ]
)
_TEXT = pa.string()
_ANCHOR = {"text": _TEXT, "href": _TEXT, "paragraph_id": pa.int64(), "start": pa.int64(), "end": pa.int64()}
_HISTORY = dict.fromkeys(("revid", "timestamp", "parentid", "pageid", "title", "url"), _TEXT)
_ROW = pa.schema(
    {
        "_id": _TEXT,
        "wikipedia_id": _TEXT,
        "wikipedia_title": _TEXT,
        "text": pa.list_(_TEXT),
        "anchors": pa.list_(pa.struct(_ANCHOR)),
        "categories": _TEXT,
        "history": pa.struct(_HISTORY),
    }
)


def write_kilt(job: ExportJob) -> None:
    """Writes `knowledgesource.jsonl`, a page a line.

    Left out are anchors of pages that are not there (`no_page`), and those in tables and captions, which are
    no part of a page's text (`not_in_text`).
    """
    config = link_table(job.folder, job.options.source, "anchors")
    with page_register(job) as register, text_file(job.output, FILE) as file:
        links = divide_links(job, config, _LINKS, "source_page_id", register, "no_page")
        for place, page in enumerate(job.rows("pages", _PAGE_COLUMNS, job.options.limit)):
            of_page = links.of_page(place).to_pylist()
            row = kilt_page(page, of_page, register.title)
            file.json(row)
            job.count("pages", None)
            job.count(config, None, len(row["anchors"]))
            job.count(config, "not_in_text", len(of_page) - len(row["anchors"]))
    job.add_lines("pages", _ROW, {"train": FILE})


def kilt_page(
    page: dict[str, Any], links: Iterable[dict[str, Any]], title_of: Callable[[str], str | None]
) -> dict[str, Any]:
    """Returns a page as KILT has it.

    Args:
        page: a row of `pages/`.
        links: rows of `anchors/` whose source it is.
        title_of: the title of a page, by page_id.
    """
    page_id = page["page_id"]
    paragraphs = page["text"].split("\n")
    starts = [0, *accumulate(len(paragraph) + 1 for paragraph in paragraphs)]
    anchors = [_anchor(link, paragraphs, starts, page["source"], title_of) for link in links]
    return {
        "_id": page_id,
        "wikipedia_id": page_id,
        "wikipedia_title": page["title"],
        "text": [f"{paragraph}\n" for paragraph in (page["title"], *paragraphs)],
        "anchors": [anchor for anchor in anchors if anchor is not None],
        "categories": "",
        "history": {
            "revid": "" if page["revision"] is None else str(page["revision"]),
            "timestamp": page["timestamp"] or "",
            "parentid": "",
            "pageid": page_id.partition(":")[2] or page_id,
            "title": page["title"],
            "url": page["url"],
        },
    }


def _anchor(
    link: dict[str, Any],
    paragraphs: list[str],
    starts: list[int],
    source: str,
    title_of: Callable[[str], str | None],
) -> dict[str, Any] | None:
    """An anchor with its place in a paragraph; None where the page's text does not have it."""
    if link["sentence_start"] is None:
        return None
    offset = link["sentence_start"] + link["start"]
    paragraph = bisect_right(starts, offset) - 1
    start = offset - starts[paragraph]
    end = start + link["end"] - link["start"]
    if paragraph >= len(paragraphs) or paragraphs[paragraph][start:end] != link["anchor"]:
        return None
    return {
        "text": link["anchor"],
        "href": _href(link, source, title_of),
        "paragraph_id": paragraph + 1,
        "start": start,
        "end": end,
    }


def _href(link: dict[str, Any], source: str, title_of: Callable[[str], str | None]) -> str:
    """Where a link leads: on a wiki the page's title, redirects followed, percent-encoded; else the URL."""
    if source != "wiki":
        return link["target"]
    destination = link["destination_page_id"]
    return quote((title_of(destination) if destination else None) or link["target"])
