"""Queries in TREC's files of topics, where these are XML."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from anchormine.errors import UsageError

_MARKUP = re.compile(r"\s*<[?!A-Za-z]")  # "<3 you" is a query
_REMEDY = (
    "give TREC's topics as XML (a `query` or `title` in each `topic`), or the queries alone, one a line, "
    "the first without `<` at its start"
)


def are_topics(text: str) -> bool:
    """Whether a file is meant as XML, HTML or SGML."""
    return _MARKUP.match(text) is not None


def topic_queries(text: str, place: str) -> list[str]:
    """Reads the query of each topic; where it has none its title, which is what TREC's older topics call it.

    Args:
        text: of the file, decoded.
        place: the file, for errors.

    Raises:
        UsageError: not XML, as TREC's older topics are not, or without topics; or a topic without a query.
    """
    try:
        root = ElementTree.fromstring(text.lstrip())
    except ElementTree.ParseError as error:
        raise UsageError(f"{place}: begins with `<`, and is no XML ({error}); {_REMEDY}") from None
    topics = [element for element in root.iter() if element.tag in ("topic", "top")]
    if not topics:
        raise UsageError(f"{place}: is XML without a `topic`; {_REMEDY}")
    return [_query(topic, f"{place}, topic {rank}") for rank, topic in enumerate(topics, start=1)]


def _query(topic: ElementTree.Element, place: str) -> str:
    for name in ("query", "title"):
        found = topic.find(name)
        if found is not None:
            return " ".join("".join(found.itertext()).split())
    raise UsageError(f"{place}: has no `query` or `title`; {_REMEDY}")
