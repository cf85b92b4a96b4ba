"""What the start tag of an `a` says of its link."""

from typing import Final

from anchormine.web.page.tags import LINK, Tag, attributes_of, tag_of, unescaped

# Attributes that cannot hide a link or make a block of it, as they are cut out of its tag.
_PLAIN: Final = frozenset(
    f" {name}=" for name in "href rel class title id target name lang hreflang dir accesskey onclick".split()
)

PLAIN_LINK: Final = Tag(LINK, "a")  # of which nothing hides it or makes a block of it


def link_tag(tag: str) -> tuple[Tag, str, str | None]:
    """Returns what the start tag of an `a` with attributes says, as `page_tokens` gives it.

    Returns:
        what it means, which without an href is no `LINK`; the href, as written; the `rel` in lower case,
        separated by spaces, None if it has none.
    """
    pieces = tag[1:].split('"')  # ' href=', 'x', ' class=', 'y', ''
    names = pieces[::2]
    if names.pop() == "" and " href=" in names and _PLAIN.issuperset(names):
        href = pieces[2 * names.index(" href=") + 1]
        rel = pieces[2 * names.index(" rel=") + 1] if " rel=" in names else ""
        return PLAIN_LINK, unescaped(href), rel_of(unescaped(rel)) if rel else None
    attributes = attributes_of(tag)
    href = attributes.get("href", attributes.get("xlink:href", ""))
    return tag_of(tag), href, rel_of(attributes.get("rel", ""))


def rel_of(value: str) -> str | None:
    """Returns the words of a `rel` in one form; None if there is none.

    Pages part them by commas, too (`rel="nofollow,noopener"`), and search engines read that so.
    """
    return " ".join(value.lower().replace(",", " ").split()) or None
