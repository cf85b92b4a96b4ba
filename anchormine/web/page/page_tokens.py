"""A page as the tags and texts that HTML's serialisation of its parsed tree consists of.

Lexbor parses the page as browsers do. Walking its tree from Python costs a call for each step, up as well
as down; writing the tree out again, in C, and cutting that at each "<" gives the same in less time: in the
order of the tree, start and end tags in balance, every value in double quotes. No value and no text holds
a "<" or ">". Here it is cut into stretches only, as many of them repeat. Elements whose text is written
without escapes (HTML, 13.3) are taken out first, and so are templates, whose contents are no part of the
tree.

As in a browser that runs scripts, what a `<noscript>` holds is no markup. Else an image in that of a head
would end the head, and the canonical link behind it would not count. Its links are counted all the same, as
are those of `<noframes>` and `<noembed>`, which are never markup.
"""

import html as escapes
import re
from typing import Final, NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode, SelectolaxError

from anchormine.hypertext.page_rejected import PageRejected

_UNREAD: Final = frozenset("script style noscript template iframe noembed noframes xmp plaintext".split())
_FRAME = "iframe"  # of which only what it holds is taken out: it is a box within a line
_LINKS = "a[href],area[href]"
# Elements in which those that are taken out may hold elements.
_HOLDING: Final = frozenset(("svg", "math", "plaintext"))
_UNPARSED: Final = frozenset(("noscript", "noframes", "noembed"))  # that hold what some browsers show
_IN_DRAWING = "svg *,math *"  # there an element in `_UNPARSED` or `_FACTS` is one like others
# A link in the text of one.
_WRITTEN_LINK = re.compile(
    r"""<a(?:rea)?[\s/](?:[^<>]*?[\s/"'])?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE
)
_FACTS: Final = frozenset(("title", "base"))
_SOUGHT = ",".join(sorted(_UNREAD | _HOLDING | _FACTS))
# Comments and the like, which may hold anything. An odd name that looks like a comment which no "-->" ends
# is taken with all behind it: else each of many would be searched up to the end of the page.
_NO_ELEMENT = re.compile(r"<!--(?:.*?-->|.*)|<[!?][^>]*>", re.DOTALL)
# Start tags that end the block before them, unless an attribute may hide the element or put it into lines.
_MAY_END_NONE = r'style="[^"]*(?i:none|inline|contents|initial|unset)|(?:hidden|popover)[ =>]'
_STRETCH = re.compile(
    "<(?=(?:div|p|li|t[dhr]|[uod]l|d[dt]|table|h[1-6]|section|article)"
    f"(?:>| (?!(?:[^>]* )?(?:{_MAY_END_NONE}))))"
)
_PART = re.compile(r"<(!--.*?--|[^>]*)>([^<]*)", re.DOTALL)
# How much longer than a page its tree may be as written: the parser opens anew what is never closed.
_GROWTH, _GROWTH_FREE = 8, 4_000_000


class PageTokens(NamedTuple):
    """A page, cut at some of its tags.

    Attributes:
        stretches: the page in order, as written by the serialisation, each without its first "<". Cut at
            every further "<", one gives tags, each with the text behind it: "b>c" for a `<b>` and "c". The
            text may be empty. A tag that starts with "!" is no element's. All but the first stretch start
            with the tag of an element that ends the block of text before it.
        unread: href of each link in elements that are taken out.
        title: text of the first `<title>`, white space collapsed.
        base: href of the first `<base>` that has one; None without.
        body_language: as the `lang` of its `body` names it; "" without.
    """

    stretches: list[str]
    unread: list[str]
    title: str
    base: str | None
    body_language: str


def page_tokens(html: str) -> PageTokens:
    """Cuts a page into stretches.

    Time and memory are those of the parser: `check_nesting` keeps away what would be too much.

    Raises:
        PageRejected: "too_deep", where elements that are never closed make the tree far larger than the page;
            "memory", where there is none left for the tree.
    """
    # Without events a `<select>` costs no time that is quadratic in its options.
    try:
        tree = LexborHTMLParser(_encoded(html), options=LexborDocumentOptions.WO_EVENTS, scripting=True)
    except SelectolaxError as error:  # all markup has a tree
        raise PageRejected("memory", f"the parser has no room for its tree: {error}") from error
    unread, facts = _take_out(tree)
    facts = [node for node in facts if not _in_drawing(node)]
    title = next((node for node in facts if node.tag == "title"), None)
    bases = [node.attributes for node in facts if node.tag == "base"]
    body = tree.body.attributes if tree.body else {}
    written = tree.html or ""
    if len(written) > _GROWTH * len(html) + _GROWTH_FREE:
        raise PageRejected("too_deep", f"{len(html)} characters make a tree of {len(written)}")
    return PageTokens(
        _STRETCH.split(_only_elements(written)),
        unread,
        " ".join(title.text().split()) if title else "",
        next((attributes["href"] for attributes in bases if "href" in attributes), None),
        body.get("lang") or body.get("xml:lang") or "",
    )


def _encoded(html: str) -> bytes:
    """Returns a page in UTF-8; halves of surrogate pairs, which no encoding writes, become "?".

    Where a page ends with "<!", Lexbor makes a comment of the text before, which may hold a "-->".
    """
    if html.endswith("<!"):
        html += " "
    try:
        return html.encode()
    except UnicodeEncodeError:
        return html.encode("utf-8", "replace")


def _take_out(tree: LexborHTMLParser) -> tuple[list[str], list[LexborNode]]:
    """Takes out what is not read.

    Returns:
        the href of each link in it, and the elements in `_FACTS` that stay.
    """
    found = [(node.tag, node) for node in tree.css(_SOUGHT)]  # one search for each would take twice the time
    removed = [node for name, node in found if name in _UNREAD]
    is_simple = _HOLDING.isdisjoint(name for name, _ in found)
    unread = [] if is_simple else _links_in(removed)
    for name, node in found:
        if name in _UNPARSED and (is_simple or not node.css_matches(_IN_DRAWING)):
            unread += _written_links(node.text())
    for node in reversed(removed):  # the inner ones first: they are gone with the outer
        if node.tag == _FRAME:
            for child in [*node.iter(include_text=True)]:
                child.decompose()
        else:
            node.decompose()
    facts = [node for name, node in found if name in _FACTS] if is_simple else tree.css(",".join(_FACTS))
    return unread, facts


def _links_in(removed: list[LexborNode]) -> list[str]:
    """Returns the href of each link in elements that stand in document order, some perhaps in others."""
    all_removed = ",".join(_UNREAD)
    inside: set[int] = set()
    unread = []
    for node in removed:
        if node.mem_id not in inside:  # those in it are searched with it: time stays linear
            inside.update(inner.mem_id for inner in node.css(all_removed))
            unread += [link.attributes.get("href") or "" for link in node.css(_LINKS)]
    return unread


def _written_links(text: str) -> list[str]:
    """Returns the href of each link in a text that was not parsed."""
    return [escapes.unescape("".join(values)) for values in _WRITTEN_LINK.findall(text)]


def _only_elements(written: str) -> str:
    """Returns a serialised tree in which each "<" begins the tag of an element, or a "<!>" of none.

    It is without the first "<".
    """
    between = _NO_ELEMENT.split(written)
    # Odd names of elements and attributes may hold a "<", or even what looks like a comment.
    is_odd = any(text.rfind("<") > text.rfind(">") for text in between[:-1])
    written_elements = "<!>".join(between)
    if is_odd or written_elements.count("<") != written_elements.count(">"):
        parts = [f"{'!' if tag[0] in '!?' else tag}>{text}" for tag, text in _PART.findall(written)]
        return "<".join(part.replace("<", "&lt;") for part in parts)
    return written_elements[1:]


def _in_drawing(node: LexborNode) -> bool:
    parent = node.parent
    return parent is not None and parent.tag not in ("head", "body", "html") and node.css_matches(_IN_DRAWING)
