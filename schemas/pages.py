"""A page: one row of `pages/`."""

from typing import NamedTuple

import pyarrow as pa

from anchormine.schemas.tables import schema_of


class Page(NamedTuple):
    """An article of a wiki, or a page of a crawl.

    Attributes:
        page_id: "enwiki:1101759" on a wiki, "web:" and 16 hex digits on the web; of ClueWeb22 its own.
        source: "wiki", "web", "clueweb22" or "harp".
        language: code, such as "en".
        title: as shown; "" where there is none.
        url: where the page is read.
        lead: the text before the first heading; of a crawl the first lines of the main text, up to 600
            characters, with the first paragraph where headings alone come before it.
        text: the main text, paragraphs separated by a line feed; no caption, and on a wiki no table.
        revision: id of the revision.
        timestamp: of the revision or capture, ISO 8601.
        redirects_from: titles, or in a crawl URLs, that lead to the page, sorted.
        disambiguation: whether it only lists pages of the same name.
        warc_file: name of the crawl file, with folders above it where another crawl file has the same.
        warc_offset: byte where its record starts or, where several records were compressed together, where
            that starts.
        licence: of the text.
        encoding: of a page of a crawl, as it was decoded: "utf-8", "windows-1252" and so on.
        robots: what a page of a crawl says to robots, such as "noindex,nofollow"; None if nothing.
    """

    page_id: str
    source: str
    language: str | None
    title: str
    url: str
    lead: str
    text: str
    revision: int | None
    timestamp: str | None
    redirects_from: list[str]
    disambiguation: bool
    warc_file: str | None
    warc_offset: int | None
    licence: str | None
    encoding: str | None = None
    robots: str | None = None


PAGES = schema_of(Page, redirects_from=pa.list_(pa.string()))
