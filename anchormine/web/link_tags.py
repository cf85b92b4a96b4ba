"""What the start tag of an `a` says of its link."""

from typing import NamedTuple

from anchormine.web.tags import LINK, attributes_of, tag_of, unescaped

# Attributes that cannot hide a link or make a block of it, as they are cut out of its tag.
_PLAIN = frozenset(
    f" {name}=" for name in "href rel class title id target name lang hreflang dir accesskey onclick".split()
)

_new = tuple.__new__  # takes half the time of a NamedTuple's own constructor


class LinkTag(NamedTuple):
    """The start tag of an `a`.

    Attributes:
        act: `LINK`, or what else it is: without an href no link.
        hidden: whether a browser does not show it.
        href: as written.
        rel: in lower case, separated by spaces; None if it has none.
        block: whether it stands in lines of its own.
    """

    act: int
    hidden: bool
    href: str
    rel: str | None
    block: bool


def link_tag(tag: str) -> LinkTag:
    """Returns what the start tag of an `a` with attributes says, as `page_tokens` gives it."""
    pieces = tag[1:].split('"')  # ' href=', 'x', ' class=', 'y', ''
    names = pieces[::2]
    if names.pop() == "" and " href=" in names and _PLAIN.issuperset(names):
        href = pieces[2 * names.index(" href=") + 1]
        rel = pieces[2 * names.index(" rel=") + 1] if " rel=" in names else ""
        return _link_tag(False, href, rel, False)
    found = tag_of(tag)
    if found.act != LINK:
        return LinkTag(found.act, found.hidden, "", None, found.block)
    attributes = attributes_of(tag)
    href = attributes.get("href", attributes.get("xlink:href", ""))
    return _link_tag(found.hidden, href, attributes.get("rel", ""), found.block)


def _link_tag(hidden: bool, href: str, rel: str, block: bool) -> LinkTag:
    words = rel_of(unescaped(rel)) if rel else None
    return _new(LinkTag, (LINK, hidden, unescaped(href) if "&" in href else href, words, block))


def rel_of(value: str) -> str | None:
    """Returns the words of a `rel` in one form; None if there is none."""
    return " ".join(value.lower().split()) or None
