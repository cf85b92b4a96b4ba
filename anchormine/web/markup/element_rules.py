"""What a tag does to the elements that are open (HTML, 13.2.6.4): which it ends, and what those stand in.

The name of an element of SVG or MathML has a space before it.
"""

import re
from typing import NamedTuple

from anchormine.web.markup.elements import HEADINGS, VOID_ELEMENTS
from anchormine.web.markup.markup_tags import SPACE, TEXT

MAX_REOPENED = 16_000_000  # characters of formatting elements that are opened again, about 10 bytes each
_ELEMENT = 48  # characters that an element takes besides those of its start tag

ROOT = "#root"  # which no tag ends
FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())

# The elements that a table consists of, and in which of them each can begin.
_BODIES = frozenset(("tbody", "thead", "tfoot"))
_IN_TABLE = frozenset(("table", "template"))
_IN_BODY, _IN_ROW = _IN_TABLE | _BODIES, _IN_TABLE | _BODIES | {"tr"}
PLACES = {
    **dict.fromkeys(("caption", "colgroup", "col", *_BODIES), _IN_TABLE),
    **{"tr": _IN_BODY, "td": _IN_ROW, "th": _IN_ROW},
}
PARTS = frozenset(PLACES) | _IN_TABLE
# What is opened between a table, or a part of it, and a row or cell.
IMPLIED_PARTS: dict[tuple[str, str], tuple[str, ...]] = {
    **{("table", name): ("tbody", "tr") for name in ("td", "th")},
    **{(body, name): ("tr",) for body in _BODIES for name in ("td", "th")},
    **{("table", "tr"): ("tbody",), ("table", "col"): ("colgroup",)},
}
CELLS = frozenset(("td", "th", "caption"))
# Directly in these stand parts of the table only: what else is there moves before it.
BETWEEN_CELLS = _BODIES | {"table", "tr", "colgroup"}
# Formatting elements that are left open in these are not opened again outside.
MARKING = frozenset(("applet", "marquee", "object", "template"))

# HTML elements stand in these as elsewhere, in SVG and MathML.
HOLDING_HTML = frozenset(" foreignobject, desc, title, annotation-xml, mi, mo, mn, ms, mtext".split(","))
# End tags do not reach out of these (HTML, 13.2.4.2).
SCOPE = (
    frozenset("applet caption html marquee object select table td template th".split())
    | HOLDING_HTML
    | {ROOT}
)
P_SCOPE = SCOPE | {"button"}
_BLOCKS = frozenset(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 header hgroup listing main menu nav ol p plaintext pre search section summary "
    "ul".split()
)
SPECIAL = (
    SCOPE
    | _BLOCKS
    | _BODIES
    | frozenset("button colgroup dd dt head iframe li noembed noframes noscript tr".split())
) - {"dialog"}
_ITEM_SCOPE = SPECIAL - {"address", "div", "p"}
IMPLIED_ENDS = frozenset("dd dt li optgroup option p rb rp rt rtc".split())


class StartRule(NamedTuple):
    """What a start tag ends.

    Attributes:
        ends: the innermost of these, unless one of `walls` is open in it.
        walls: as `ends` says.
        ends_p: whether it ends a paragraph.
        last: the current element, if it is one of these.
        within: an element; in its scope, elements of `last_within` are taken off the end of the stack.
        last_within: as `within` says.
        reopens: whether formatting elements that were not ended are opened again before it.
        is_empty: whether nothing is opened.
    """

    ends: frozenset[str] = frozenset()
    walls: frozenset[str] = frozenset()
    ends_p: bool = False
    last: frozenset[str] = frozenset()
    within: str = ""
    last_within: frozenset[str] = frozenset()
    reopens: bool = True
    is_empty: bool = False


class EndRule(NamedTuple):
    """What an end tag ends: the innermost of `ends`, unless one of `walls` is open in it."""

    ends: frozenset[str]
    walls: frozenset[str]


_OPTION = frozenset(("option",))
_STARTS = {
    **dict.fromkeys(_BLOCKS, StartRule(ends_p=True, reopens=False)),
    **dict.fromkeys(HEADINGS, StartRule(ends_p=True, last=HEADINGS, reopens=False)),
    "table": StartRule(ends_p=True, reopens=False),  # in "quirks mode" it does not
    "li": StartRule(frozenset(("li",)), _ITEM_SCOPE, ends_p=True, reopens=False),
    **dict.fromkeys(
        ("dd", "dt"), StartRule(frozenset(("dd", "dt")), _ITEM_SCOPE, ends_p=True, reopens=False)
    ),
    "button": StartRule(frozenset(("button",)), SCOPE),
    "option": StartRule(last=_OPTION, within="select", last_within=IMPLIED_ENDS - {"optgroup"}),
    "optgroup": StartRule(last=_OPTION, within="select", last_within=IMPLIED_ENDS),
    **dict.fromkeys(("rb", "rtc"), StartRule(within="ruby", last_within=IMPLIED_ENDS, reopens=False)),
    **dict.fromkeys(
        ("rp", "rt"), StartRule(within="ruby", last_within=IMPLIED_ENDS - {"rtc"}, reopens=False)
    ),
    "hr": StartRule(ends_p=True, within="select", last_within=IMPLIED_ENDS, reopens=False, is_empty=True),
    "xmp": StartRule(ends_p=True, is_empty=True),
    **dict.fromkeys((TEXT, SPACE), StartRule(is_empty=True)),
    "template": StartRule(reopens=False),
}
_OTHER_START = StartRule()
_IN_SCOPE = _BLOCKS | MARKING | {"button", "dd", "dt", "select"}
_ENDS = {
    **{name: EndRule(frozenset((name,)), SCOPE) for name in _IN_SCOPE},
    **dict.fromkeys(HEADINGS, EndRule(HEADINGS, SCOPE)),
    "p": EndRule(frozenset(("p",)), P_SCOPE),
    "li": EndRule(frozenset(("li",)), SCOPE | {"ol", "ul"}),
    "template": EndRule(frozenset(("template",)), frozenset((ROOT,))),
}
_OTHER_ENDS = FORMATTING | HEADINGS | PARTS | MARKING | {"form", "frameset"}
_LIKE_TEXT = frozenset("area br embed img input keygen wbr".split())
_IGNORED = (VOID_ELEMENTS - {"hr", "col"}) | {"", "html", "head", "body"}

# These end SVG and MathML that they stand in.
_NO_DRAWING = frozenset(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing "
    "menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var".split()
)
_FONT = re.compile(r"[\s/\"'](?:color|face|size)(?![^\s/>=])", re.IGNORECASE)
_SELF_CLOSED = re.compile(r"""(?:\A|[\s"'])[^\s"'=]*/\Z""")  # else the "/" is a value's
_NAME = re.compile(r"/?([^\t\n\f\r /]+)")


class Tag(NamedTuple):
    """A tag, or a text.

    Attributes:
        name: "" where it opens and ends nothing.
        rest: what is behind the name.
        is_end: whether it is an end tag.
        is_closed: whether it is written as an element that ends at once; it does so in SVG and MathML.
        is_plain_end: whether it only ends the last element of its name, if there is any, and what is in that.
        ends_drawing: whether it ends SVG and MathML.
        start: what it ends as a start tag.
    """

    name: str
    rest: str
    is_end: bool
    is_closed: bool
    is_plain_end: bool
    ends_drawing: bool
    start: StartRule


class Tags(dict[str, Tag]):
    """From a tag as written to what it is; those that only reopen formatting elements (`img`) are text."""

    def __missing__(self, tag: str) -> Tag:
        name, is_end = name_of(tag)
        ends_drawing = name in _NO_DRAWING or (name == "font" and _FONT.search(tag) is not None)
        if name in _LIKE_TEXT and not is_end:
            name = TEXT
        elif ">" in tag:
            name = "xmp" if tag[:3].lower() == "xmp" else tag if tag in (TEXT, SPACE) else ""
        elif name in _IGNORED:
            name = ""
        rest = tag[len(name) :]
        is_closed = rest[-1:] == "/" and _SELF_CLOSED.search(rest) is not None
        is_plain_end = is_end and name not in _OTHER_ENDS
        start = _STARTS.get(name, _OTHER_START)
        found = self[tag] = Tag(name, rest, is_end, is_closed, is_plain_end, ends_drawing, start)
        return found


def end_rule(name: str) -> EndRule:
    """Returns what the end tag of an element that is neither formatting nor part of a table ends."""
    return _ENDS.get(name) or EndRule(frozenset((name,)), SPECIAL)


def name_of(tag: str) -> tuple[str, bool]:
    """Returns the name of a tag, "" if it is none, and whether it is an end."""
    match = _NAME.match(tag)
    if match is None or ">" in tag:
        return "", False
    name = match[1]
    # Only ASCII has no case in HTML: the Kelvin sign is no "k".
    return name.encode("utf-8", "replace").lower().decode(), tag[0] == "/"


def weight_of(name: str, rest: str) -> int:
    """Returns how many characters an element takes."""
    return _ELEMENT + len(name) + len(rest)
