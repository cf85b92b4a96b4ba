"""Rule `robots`: links on pages that ask robots not to use them."""

from __future__ import annotations

from collections.abc import Collection

ROBOTS = "robots"
# What a page says to all robots; "none" is noindex and nofollow, "noai" asks not to be trained on.
REFUSALS = ("noindex", "nofollow", "none", "noai")
# All that search engines and hosts of pictures have defined, or had; some have a value behind a colon.
DIRECTIVES = (
    *REFUSALS,
    *("all", "index", "follow", "archive", "noarchive", "nocache", "snippet", "nosnippet", "indexifembedded"),
    *("noimageindex", "noimageai", "noml", "notranslate", "nopagereadaloud", "nositelinkssearchbox"),
    *("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after", "noodp", "noydir"),
)


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
