"""Rules `nofollow` and `robots`: links that their page does not vouch for, or that it asks not to be used."""

from __future__ import annotations

from collections.abc import Collection

NOFOLLOW = "nofollow"
ROBOTS = "robots"
# HTML, section 4.6.7, and what Google has added to it: a link that was paid for, or written by a visitor.
UNVOUCHED = ("nofollow", "ugc", "sponsored")
# What a page says to all robots; "none" is noindex and nofollow, "noai" asks not to be trained on.
REFUSALS = ("noindex", "nofollow", "none", "noai")


def nofollow(rel: str | None, tokens: Collection[str] = UNVOUCHED) -> str | None:
    """The reason to drop a link for its `rel`, or None.

    Args:
        rel: of the link, words separated by spaces; None if it has none.
        tokens: the words for which it is dropped.
    """
    return NOFOLLOW if rel and not set(rel.lower().split()).isdisjoint(tokens) else None


def robots(directives: str | None, refusals: Collection[str] = REFUSALS) -> str | None:
    """The reason to drop the links of a page for what it says to robots, or None.

    Args:
        directives: of the page that links, such as "noindex,nofollow"; None if it says nothing.
        refusals: the directives for which they are dropped.
    """
    if not directives:
        return None
    said = {directive.strip() for directive in directives.lower().split(",")}
    if said.issuperset(("noindex", "nofollow")):
        said.add("none")
    return ROBOTS if not said.isdisjoint(refusals) else None
