"""How large and how deep a page may be: what would take the parser time or memory that is not linear.

HTML's tree construction looks through the open elements at many tags, and opens the formatting elements
(`<b>`, `<font>`, ...) that were never closed anew in every paragraph: 40,000 open `<div>` take Lexbor
seconds, 10,000 open `<font>` gigabytes. Both are found by counting the page's tags beforehand, more simply
than a parser does.
"""

import re

from anchormine.hypertext.page_rejected import PageRejected
from anchormine.web.markup.attribute_counts import ROOT_START, check_attributes
from anchormine.web.markup.markup_tags import UnclearMarkup
from anchormine.web.markup.open_elements import check_open_elements

MAX_TAGS = 400_000  # about a gigabyte while it is read
MAX_ROOTS = 1000  # tags of html and body, each of which is merged into the first

_QUICK = 4000  # tags; fewer that are closed cannot do much harm
_HEAVY = 600_000_000  # tags times characters: bounds the attributes copied when elements open again
_UNCLOSED = 300_000  # start tags without an end, times all tags: as many elements can be opened again

_SHORT = 60_000  # characters, of which no pieces make more copies than that
_COPIED = 4_000_000_000  # pieces of text times characters, an eighth of which are copied: half a gigabyte

_TABLE = re.compile("<[tT][aA][bB][lL][eE]")
_IGNORED = r"(?:[cC][oO][lL]|[fF][rR][aA][mM][eE]|[hH][eE][aA][dD])[\t\n\f\r /]"
_BETWEEN = re.compile(f"<{_IGNORED}")
_BETWEEN_IN_TABLES = re.compile(f"<(?:[!?]|[iI][nN][pP][uU][tT]|{_IGNORED})")
_ROOTS = re.compile(ROOT_START)


def check_nesting(html: str) -> None:
    """Raises where a page cannot be parsed in time that is linear in its length, or where that is unclear.

    Raises:
        PageRejected: "too_large" or "too_deep".
        UnclearMarkup: only the parser can tell.
    """
    tags = html.count("<")
    if tags > MAX_TAGS:
        raise PageRejected("too_large", f"{tags} tags, the limit is {MAX_TAGS}")
    check_attributes(html)
    if len(html) > _SHORT and _text_pieces(html) * len(html) > _COPIED:
        raise UnclearMarkup("text in many pieces, which may each be copied")
    is_quick = tags <= _QUICK and tags * len(html) <= _HEAVY
    if not is_quick or (tags * tags > _UNCLOSED and tags * (tags - 2 * html.count("</")) > _UNCLOSED):
        _check_tags(html)


def _text_pieces(html: str) -> int:
    """Counts what may stand between two texts that the parser makes one of.

    It copies the first then. In a table it moves texts out of it, and comments and hidden inputs stay; and
    tags that mean nothing where they are stand between texts anywhere.
    """
    has_table = _TABLE.search(html) is not None
    return len((_BETWEEN_IN_TABLES if has_table else _BETWEEN).findall(html))


def _check_tags(html: str) -> None:
    roots = len(_ROOTS.findall(html))
    if roots > MAX_ROOTS:
        raise PageRejected("too_deep", f"{roots} tags of html and body, the limit is {MAX_ROOTS}")
    check_open_elements(html)
