"""Dumps of a few pages, made in the test, in all the forms that a dump comes in."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import zstandard

TIME = "2024-05-06T07:08:09Z"
SITEINFO = """  <siteinfo>
    <sitename>The Harbour</sitename>
    <dbname>harbourwiki</dbname>
    <base>https://harbour.example/wiki/Main_Page</base>
    <generator>MediaWiki 1.39.1</generator>
    <case>first-letter</case>
    <namespaces>
      <namespace key="-2" case="first-letter">Media</namespace>
      <namespace key="0" case="first-letter" />
      <namespace key="1" case="first-letter">Talk</namespace>
      <namespace key="6" case="first-letter">File</namespace>
      <namespace key="10" case="first-letter">Template</namespace>
      <namespace key="14" case="first-letter">Category</namespace>
    </namespaces>
  </siteinfo>
"""
HEAD = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">\n' + SITEINFO
)
FOOT = "</mediawiki>\n"


def revision(text: str, number: int, time: str = TIME, model: str = "wikitext") -> str:
    """A revision element."""
    return (
        f"    <revision>\n      <id>{number}</id>\n      <timestamp>{time}</timestamp>\n"
        f"      <model>{model}</model>\n      <format>text/x-wiki</format>\n"
        f'      <text bytes="{len(text.encode())}" xml:space="preserve">{escape(text)}</text>\n'
        "    </revision>\n"
    )


def page(
    number: int, title: str, text: str, *, ns: int = 0, redirect: str | None = None, more: str = ""
) -> str:
    """A page element; its revision's number is a thousand more than its own.

    Args:
        number: of the page.
        title: of it.
        text: of the revision.
        ns: its namespace.
        redirect: what the dump says it redirects to.
        more: more revisions.
    """
    to = "" if redirect is None else f"    <redirect title={quoteattr(redirect)} />\n"
    return (
        f"  <page>\n    <title>{escape(title)}</title>\n    <ns>{ns}</ns>\n    <id>{number}</id>\n{to}"
        f"{more}{revision(text, 1000 + number)}  </page>\n"
    )


def redirect(number: int, title: str, target: str) -> str:
    """A page that redirects; the section is in its text alone, as in real dumps."""
    return page(number, title, f"#REDIRECT [[{target}]]", redirect=target.partition("#")[0])


def dump(*pages: str, head: str = HEAD) -> bytes:
    """A whole dump."""
    return (head + "".join(pages) + FOOT).encode()


def write_multistream(path: Path, pages: Sequence[str], titles: Sequence[str], each: int = 2) -> Path:
    """Writes a multistream dump with so many pages in a stream, and its index beside it."""
    index = []
    data = bz2.compress(HEAD.encode())
    for start in range(0, len(pages), each):
        index += [
            f"{len(data)}:{start + n}:{title}\n" for n, title in enumerate(titles[start : start + each], 1)
        ]
        data += bz2.compress("".join(pages[start : start + each]).encode())
    path.write_bytes(data + bz2.compress(FOOT.encode()))
    beside = path.with_name(path.name.replace("multistream.xml", "multistream-index.txt"))
    beside.write_bytes(bz2.compress("".join(index).encode()))
    return beside


COMPRESS = {
    "xml": lambda data: data,
    "xml.gz": lambda data: gzip.compress(data, mtime=0),
    "xml.bz2": bz2.compress,
    "xml.zst": zstandard.ZstdCompressor().compress,
}


def unit_row(unit: str, read: int, written: int, unreadable: int = 0, **rejected: int) -> dict[str, Any]:
    """A row of the funnel of `anchormine wiki`."""
    return {
        "step": "wiki",
        "unit": unit,
        "read": read,
        "written": written,
        "rejected": rejected,
        "unreadable": unreadable,
    }
