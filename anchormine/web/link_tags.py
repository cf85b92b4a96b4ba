"""What the start tag of an `a` says of its link."""

from functools import lru_cache
from typing import NamedTuple

from anchormine.web.tags import LINK, attributes_of, tag_of, unescaped

# Attributes that cannot hide a link, as they are cut out of its tag.
_PLAIN = frozenset(
    f" {name}=" for name in "href rel class title id target name lang hreflang dir accesskey onclick".split()
)

_LONG = 1000  # characters of a tag that is not remembered: a hostile page may have megabytes


class LinkTag(NamedTuple):
    """The start tag of an `a`.

    Attributes:
        act: `LINK`, or what else it is: without an href no link.
        hidden: whether a browser does not show it.
        href: as written.
        rel: in lower case, separated by spaces; None if it has none.
    """

    act: int
    hidden: bool
    href: str
    rel: str | None


def link_tag(tag: str) -> LinkTag:
    """Returns what the start tag of an `a` with attributes says, as `page_tokens` gives it."""
    return _short_tag(tag) if len(tag) <= _LONG else _read_tag(tag)


@lru_cache(maxsize=1 << 16)
def _short_tag(tag: str) -> LinkTag:
    return _read_tag(tag)


def _read_tag(tag: str) -> LinkTag:
    pieces = tag[1:].split('"')  # ' href=', 'x', ' class=', 'y', ''
    given = dict(zip(pieces[::2], pieces[1::2], strict=False))
    if " href=" in given and not pieces[-1] and given.keys() <= _PLAIN:
        return _link_tag(False, given[" href="], given.get(" rel=", ""))
    found = tag_of(tag)
    if found.act != LINK:
        return LinkTag(found.act, found.hidden, "", None)
    attributes = attributes_of(tag)
    href = attributes.get("href", attributes.get("xlink:href", ""))
    rel = attributes.get("rel", "")
    return _link_tag(found.hidden, href, rel)


def _link_tag(hidden: bool, href: str, rel: str) -> LinkTag:
    return LinkTag(LINK, hidden, unescaped(href), " ".join(unescaped(rel).lower().split()) or None)
