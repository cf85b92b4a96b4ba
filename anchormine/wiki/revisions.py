"""A `<page>` element as a record: its title, and the latest of its revisions."""

import re
from typing import NamedTuple
from xml.etree import ElementTree

from anchormine.wiki.titles import normalise_title

_NUMBER = re.compile(r"-?[0-9]{1,18}")  # 64 bits hold it


class PageXmlError(ValueError):
    """A page element that is no XML, or lacks what every page has.

    Attributes:
        offset: of the place in the element's bytes.
    """

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


class WikiPage(NamedTuple):
    """A page as the dump has it.

    Attributes:
        title: with its namespace.
        namespace: its number; None in dumps before version 0.6.
        number: the page's id on its wiki.
        redirect: title that the dump says it redirects to, "" if it only says that it does, None if it does
            not.
        revision: id of the latest revision, None if there is none.
        timestamp: of it, ISO 8601.
        model: of its content: "wikitext", "css", ...
        wikitext: its text.
        superseded: how many older revisions the element holds.
    """

    title: str
    namespace: int | None
    number: int
    redirect: str | None
    revision: int | None
    timestamp: str | None
    model: str
    wikitext: str
    superseded: int


def parse_page(xml: bytes) -> WikiPage:
    """Reads a page element.

    Raises:
        PageXmlError: it is broken.
    """
    try:
        page = ElementTree.fromstring(xml)
    except ElementTree.ParseError as error:
        raise PageXmlError(str(error), _offset(xml, *error.position)) from None
    title, number = page.findtext("title"), _number(page, "id")
    if not title or not normalise_title(title) or number is None or number < 0:
        raise PageXmlError("a page without title or id", 0)
    redirect = page.find("redirect")
    revisions = page.findall("revision")
    latest = max(revisions, key=_age, default=ElementTree.Element("revision"))
    if revisions and latest.find("text") is None:
        raise PageXmlError("a revision without text element", 0)
    return WikiPage(
        title=title,
        namespace=_number(page, "ns"),
        number=number,
        redirect=None if redirect is None else redirect.get("title", ""),
        revision=_number(latest, "id") or None,
        timestamp=latest.findtext("timestamp"),
        model=latest.findtext("model") or "wikitext",
        wikitext=latest.findtext("text") or "",
        superseded=max(0, len(revisions) - 1),
    )


def _age(revision: ElementTree.Element) -> tuple[str, int]:
    return revision.findtext("timestamp") or "", _number(revision, "id") or 0


def _number(parent: ElementTree.Element, name: str) -> int | None:
    text = (parent.findtext(name) or "").strip()
    if not text:
        return None
    if not _NUMBER.fullmatch(text):
        raise PageXmlError(f"{text[:20]!r} in <{name}> of a <{parent.tag}>: not a number", 0)
    return int(text)


def _offset(xml: bytes, line: int, column: int) -> int:
    """The place of an error; expat counts lines from 1, and columns in bytes."""
    start = 0
    for _ in range(line - 1):
        start = xml.find(b"\n", start) + 1
    return start + column
