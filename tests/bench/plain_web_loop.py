"""What one would write without anchormine: a loop over a crawl file that gives links with their sentences.

warcio reads the records, selectolax or BeautifulSoup the pages, urllib joins the links, Punkt splits every
block of text. It knows no regions, hidden elements, main text, redirects or canonical forms.

"blocks with links" splits only the blocks that links stand in, as anchormine does: a loop whose writer has
thought of what costs most. "block of each link" asks for the text around each link by itself, which is less
to write, and finds the link there by its text: another of the same text may be before it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin

import pyarrow as pa
import pyarrow.parquet as pq
from nltk.tokenize.punkt import PunktSentenceTokenizer
from selectolax.lexbor import LexborHTMLParser
from warcio.archiveiterator import ArchiveIterator

_BLOCKS = frozenset(
    "address article aside blockquote body br caption center dd details div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th "
    "thead tr ul".split()
)
_SKIPPED = frozenset(("script", "style", "noscript", "template", "head"))
_PUNKT = PunktSentenceTokenizer()


class Link(NamedTuple):
    """A row: sentence[start:end] is the link's text."""

    source: str
    target: str
    sentence: str
    start: int
    end: int


class Blocks:
    """The text of a page, block by block, with the places of its links."""

    def __init__(self, url: str, splits_all: bool = True) -> None:
        self.url = url
        self._splits_all = splits_all
        self.links: list[Link] = []
        self._text: list[str] = []
        self._length = 0
        self._places: list[tuple[int, int, str]] = []

    def add(self, text: str) -> None:
        """Adds text, its white space collapsed."""
        words = " ".join(text.split())
        if words:
            before = " " if text[0].isspace() and self._length else ""
            after = " " if text[-1].isspace() else ""
            self._text.append(before + words + after)
            self._length += len(self._text[-1])

    @property
    def length(self) -> int:
        """Of the block so far."""
        return self._length

    def link(self, start: int, href: str) -> None:
        """Ends a link that began at a place of the block."""
        if self._length > start:
            self._places.append((start, self._length, href))

    def end(self) -> None:
        """Ends a block: its sentences with links become rows."""
        if self._places or (self._splits_all and self._text):
            text = "".join(self._text)
            sentences = list(_PUNKT.span_tokenize(text))
            for start, end, href in self._places:
                for first, last in sentences:
                    if first <= start < last:
                        target = urljoin(self.url, href)
                        self.links.append(
                            Link(self.url, target, text[first:last], start - first, end - first)
                        )
        self._text, self._length, self._places = [], 0, []


def read_page(html: str, url: str, splits_all: bool = True) -> list[Link]:
    """The links of a page, by selectolax."""
    blocks = Blocks(url, splits_all)

    def walk(node: Any) -> None:
        for child in node.iter(include_text=True):
            tag = child.tag
            if tag == "-text":
                blocks.add(child.text(deep=False))
            elif tag == "a" and (href := child.attributes.get("href")):
                start = blocks.length
                walk(child)
                blocks.link(start, href)
            elif tag in _BLOCKS:
                blocks.end()
                walk(child)
                blocks.end()
            elif tag not in _SKIPPED:
                walk(child)

    body = LexborHTMLParser(html).body
    if body is not None:
        walk(body)
        blocks.end()
    return blocks.links


def read_page_with_soup(html: str, url: str) -> list[Link]:
    """The links of a page, by BeautifulSoup."""
    from bs4 import BeautifulSoup
    from bs4.element import NavigableString, PreformattedString

    blocks = Blocks(url)

    def walk(node: Any) -> None:
        for child in node.children:
            if isinstance(child, NavigableString):
                if not isinstance(child, PreformattedString):
                    blocks.add(str(child))
            elif child.name == "a" and child.get("href"):
                start = blocks.length
                walk(child)
                blocks.link(start, child["href"])
            elif child.name in _BLOCKS:
                blocks.end()
                walk(child)
                blocks.end()
            elif child.name not in _SKIPPED:
                walk(child)

    walk(BeautifulSoup(html, "html.parser"))
    blocks.end()
    return blocks.links


def read_links(html: str, url: str) -> list[Link]:
    """The links of a page, each with the first sentence around it that has its text, by selectolax."""
    tree = LexborHTMLParser(html)
    links: list[Link] = []
    for node in tree.css("a[href]"):
        block = node.parent
        while block is not None and block.tag != "body" and block.tag not in _BLOCKS:
            block = block.parent
        if block is not None:
            href = node.attributes["href"] or ""
            links += _first_sentence(url, href, node.text(), block.text(separator=" "))
    return links


def read_links_with_soup(html: str, url: str) -> list[Link]:
    """The same by BeautifulSoup."""
    from bs4 import BeautifulSoup

    tree = BeautifulSoup(html, "html.parser")
    names = ["body", *_BLOCKS]
    links: list[Link] = []
    for node in tree.find_all("a", href=True):
        block = node.find_parent(names)
        if block is not None:
            links += _first_sentence(url, node["href"], node.get_text(), block.get_text(" "))
    return links


def _first_sentence(url: str, href: str, anchor: str, text: str) -> list[Link]:
    anchor, text = " ".join(anchor.split()), " ".join(text.split())
    for start, end in _PUNKT.span_tokenize(text) if anchor else ():
        place = text.find(anchor, start, end)
        if place >= 0:
            first = place - start
            return [Link(url, urljoin(url, href), text[start:end], first, first + len(anchor))]
    return []


READERS: dict[str, Callable[[str, str], list[Link]]] = {
    "selectolax": read_page,
    "selectolax, blocks with links": partial(read_page, splits_all=False),
    "selectolax, block of each link": read_links,
    "BeautifulSoup": read_page_with_soup,
    "BeautifulSoup, block of each link": read_links_with_soup,
}


def read_file(path: Path, reader: str) -> Iterator[Link]:
    """The links of a crawl file."""
    with path.open("rb") as stream:
        for record in ArchiveIterator(stream):
            headers = record.http_headers
            if record.rec_type != "response" or headers is None or headers.get_statuscode() != "200":
                continue
            if "html" in (headers.get_header("Content-Type") or ""):
                html = record.content_stream().read().decode("utf-8", "replace")
                yield from READERS[reader](html, record.rec_headers.get_header("WARC-Target-URI"))


def import_library(reader: str) -> None:
    """Imports what a reader of `READERS` else imports at its first page."""
    if reader.startswith("BeautifulSoup"):
        importlib.import_module("bs4")


def count_links(path: str, reader: str) -> int:
    """Reads a crawl file, and returns how many links it has."""
    return sum(1 for _ in read_file(Path(path), reader))


def main(reader: str, output: str, *paths: str) -> None:
    """Writes the links of crawl files to one Parquet file."""
    rows = [link._asdict() for path in paths for link in read_file(Path(path), reader)]
    pq.write_table(pa.Table.from_pylist(rows), output, compression="zstd")
