"""The links of a crawl file by anchormine's own functions, without Beam: what plain loops are put beside."""

from __future__ import annotations

from pathlib import Path

from anchormine.hypertext.page_limits import PageLimits
from anchormine.web.captures import Capture, read_capture
from anchormine.web.html_reader import HtmlReader
from anchormine.web.records.crawl_records import read_crawl


def read_file(path: str) -> int:
    """Reads a crawl file, and returns how many links it has."""
    reader = HtmlReader(PageLimits())
    name, links = Path(path).name, 0
    with Path(path).open("rb") as stream:
        for number, record in enumerate(read_crawl(stream, [])):
            content = read_capture(Capture(0, number, name, record), reader).content
            links += len(content.anchors) if content else 0
    reader.close()
    return links
