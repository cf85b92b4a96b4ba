"""Rule `nofollow`: links that their page does not vouch for."""

from __future__ import annotations

from collections.abc import Collection

NOFOLLOW = "nofollow"
# HTML, section 4.6.7, and what Google has added to it: a link that was paid for, or written by a visitor.
UNVOUCHED = ("nofollow", "ugc", "sponsored")
# All that HTML has for links to click on, in the same section; pages have others.
LINK_TYPES = (
    *UNVOUCHED,
    *("alternate", "author", "bookmark", "external", "help", "license", "next", "noopener", "noreferrer"),
    *("opener", "prev", "privacy-policy", "search", "tag", "terms-of-service"),
)


def nofollow(rel: str | None, tokens: Collection[str] = UNVOUCHED) -> str | None:
    """The reason to drop a link for its `rel`, or None.

    Args:
        rel: of the link, words separated by spaces; None if it has none.
        tokens: the words for which it is dropped.
    """
    return NOFOLLOW if rel and not set(rel.lower().split()).isdisjoint(tokens) else None
