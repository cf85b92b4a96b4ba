"""A page as the tags and texts that HTML's serialisation of its parsed tree consists of.

Lexbor parses the page as browsers do. Walking its tree from Python costs a call for each step, up as well
as down; writing the tree out again, in C, and cutting that at its tags gives the same in less time: in the
order of the tree, start and end tags in balance, every value in double quotes. No value holds a "<" or
">", so that a tag is what stands between the two. Elements whose text is written without escapes (HTML,
13.3) are taken out first, and so are templates, whose contents are no part of the tree. In a page of many
`<span>`, such as one of highlighted code, what only changes how text looks is taken out as well, unless
some of it may be hidden.
"""

import re
from typing import NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from anchormine.hypertext.page_rejected import PageRejected

_UNREAD = "script,style,template,iframe,noembed,noframes,xmp,plaintext"
_LINKS = "a[href],area[href]"
_TAGS = re.compile(r"(<!--.*?-->|<[^>]*>)", re.DOTALL)
_MANY_SPANS = 50
# How much longer than a page its tree may be as written: the parser opens anew what is never closed.
_GROWTH, _GROWTH_FREE = 8, 4_000_000
# Elements that only change how text looks, and what of them may do more.
_INLINE = "(?:b|i|u|s|em|strong|span|font|small|big|tt|code|kbd|samp|var|cite|abbr|sub|sup|ins|del|mark)"
_STYLING = re.compile(rf"</?{_INLINE}(?: [^>]*)?>")
_SPECIAL = re.compile(rf"<{_INLINE} [^>]*?(?:hidden|display|visibility|role=)", re.IGNORECASE)
_FOREIGN = re.compile(r"<(?:svg|math)", re.IGNORECASE)


class PageTokens(NamedTuple):
    """A page, cut at its tags.

    Attributes:
        parts: text, tag, text and so on, as written by the serialisation; texts may be empty, and a comment
            (`<!`) and a processing instruction (`<?`) count as tags.
        unread: href of each link in elements that are taken out.
        title: text of the first `<title>`, white space collapsed.
        base: href of the first `<base>` that has one; None without.
    """

    parts: list[str]
    unread: list[str]
    title: str
    base: str | None


def page_tokens(html: str) -> PageTokens:
    """Cuts a page at its tags.

    Time and memory are those of the parser: `check_nesting` keeps away what would be too much.

    Raises:
        PageRejected: "too_deep", where elements that are never closed make the tree far larger than the page.
    """
    # Without events a `<select>` costs no time that is quadratic in its options.
    tree = LexborHTMLParser(_encodable(html), options=LexborDocumentOptions.WO_EVENTS)
    unread = []
    removed = tree.css(_UNREAD)
    if removed and _FOREIGN.search(html):  # in SVG a script may hold elements
        unread = [
            link.attributes.get("href") or "" for node in _outermost(removed) for link in node.css(_LINKS)
        ]
    for node in reversed(removed):  # the inner ones first: they are gone with the outer
        node.decompose()
    title = next((node for node in tree.css("title") if not _in_drawing(node)), None)
    base = tree.css_first("base[href]") if "<base" in html or "<BASE" in html else None
    written = tree.html or ""
    if len(written) > _GROWTH * len(html) + _GROWTH_FREE:
        raise PageRejected("too_deep", f"{len(html)} characters make a tree of {len(written)}")
    if written.count("</span>") > _MANY_SPANS and _SPECIAL.search(written) is None:
        written = _STYLING.sub("", written)
    return PageTokens(
        _TAGS.split(written),
        unread,
        " ".join(title.text().split()) if title else "",
        base.attributes["href"] if base else None,
    )


def _encodable(html: str) -> str:
    """Returns a page without halves of surrogate pairs, which no encoding writes."""
    try:
        html.encode()
    except UnicodeEncodeError:
        return html.encode("utf-8", "replace").decode()
    return html


def _in_drawing(node: LexborNode) -> bool:
    parent = node.parent
    return parent is not None and parent.tag not in ("head", "body", "html") and node.css_matches("svg *")


def _outermost(nodes: list[LexborNode]) -> list[LexborNode]:
    """Returns the elements of a list, in document order, that stand in no other of it."""
    inside = {inner.mem_id for node in nodes for inner in node.css(_UNREAD) if inner.mem_id != node.mem_id}
    return [node for node in nodes if node.mem_id not in inside]
