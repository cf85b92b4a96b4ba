"""What the tags of a page mean to its text: where blocks begin, what is hidden, which region a link is in."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from anchormine.web.markup.elements import HEADINGS, VOID_ELEMENTS
from anchormine.web.page.inline_styles import PLAIN, InlineStyle, inline_style
from anchormine.web.page.page_parts import is_apart, is_button, part_of

# What a tag asks for. Plain numbers, each a constant of its own, which compiled modules have in their code:
# they are looked at for every tag of a crawl.
INLINE: Final = 0  # nothing: an element within a line
END: Final = 1  # an end tag
VOID: Final = 2  # nothing, and it has no end tag
BLOCK: Final = 3
ANCHOR: Final = 4  # an `a` with attributes, of which hardly two are the same
SCOPE: Final = 5  # an element that changes what stands in it: its region, whether it is a heading or is seen
LINK: Final = 6
BREAK: Final = 7
RULE: Final = 8  # a void element between blocks
IMAGE: Final = 9
AREA: Final = 10
FACT: Final = 11  # html, meta and link: what the page says about itself
CHILD: Final = 12  # an element in lines of its own, as the one that it stands in makes a block of each
BLOCK_IMAGE: Final = 13  # an image in lines of its own
BOX: Final = 14  # a void element that is a box within a line, which parts the words beside it

# Tags that are remembered, and characters of each: a hostile page may have one of megabytes.
MAX_REMEMBERED: Final = 1 << 14
SHORT: Final = 200


class Tag(NamedTuple):
    """A start tag.

    Attributes:
        act: what to do, `INLINE` and so on.
        name: of the element.
        region: which its contents are in; "body" if it does not say.
        hidden: whether a browser does not show its contents, or no one reads them.
        gone: whether they do not take any room either: not even a block within ends the line around it.
        block: whether a block begins and ends with it.
        of_blocks: whether each element in it is a block.
        unspoken: whether nothing but `aria-hidden` hides its contents.
        part: what it is there for, as in `page_parts`.
        button: whether it is one.
        box: whether it is a box within a line, of which nothing is read.
    """

    act: int
    name: str
    region: str = "body"
    hidden: bool = False
    gone: bool = False
    block: bool = False
    of_blocks: bool = False
    unspoken: bool = False
    part: int = 0
    button: bool = False
    box: bool = False


# The higher rank wins, and of equal ones the outer: a list in a table in a menu is the menu's.
RANKS: Final = {
    "body": 0,
    "list": 1,
    "table": 2,
    "caption": 3,
    "header": 4,
    "footer": 4,
    "nav": 4,
    "aside": 4,
}

_BLOCKS: Final = frozenset(
    "address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer foreignObject form frameset h1 h2 h3 h4 h5 h6 header hgroup legend li listing "
    "main menu nav ol optgroup option p pre search section summary table tbody td text tfoot th thead tr ul "
    "amp-sidebar amp-consent amp-user-notification".split()
)
# What a browser does not show, where no style says otherwise; and the controls of forms, which no one reads.
_HIDDEN: Final = frozenset(
    "head template script style noscript noembed noframes iframe xmp plaintext select datalist textarea "
    "meter progress audio video canvas annotation annotation-xml "
    "desc defs metadata title symbol clipPath mask pattern marker".split()
)
# Those of them that are boxes within a line.
_BOXES: Final = frozenset("iframe select textarea meter progress audio video canvas".split())
_REGIONS: Final = {
    **{"header": "header", "footer": "footer", "nav": "nav", "aside": "aside"},
    **{"amp-sidebar": "nav", "table": "table", "caption": "caption", "figcaption": "caption"},
    **dict.fromkeys(("ul", "ol", "dl", "menu", "dir"), "list"),
}
# ARIA 1.2; "presentation" takes an element's own meaning from it: a table that is only for the layout.
_ROLES: Final = {
    **{"banner": "header", "contentinfo": "footer", "navigation": "nav", "complementary": "aside"},
    **{"table": "table", "grid": "table", "treegrid": "table", "list": "list"},
    **{"presentation": "body", "none": "body"},
}
_ACTS: Final = {
    **dict.fromkeys(VOID_ELEMENTS, VOID),
    **{"br": BREAK, "hr": RULE, "img": IMAGE, "area": AREA, "input": BOX, "embed": BOX},
    **dict.fromkeys(("html", "meta", "link"), FACT),
}
# Elements of SVG, and the attributes that hide them.
_DRAWN: Final = frozenset("svg g text tspan textPath switch".split())
_HIDING: Final = {"display": ("none",), "visibility": ("hidden", "collapse")}
_ATTRIBUTE: Final = re.compile(r' (=?[^ =/>]*)(?:="([^"]*)")?')


def attributes_of(tag: str) -> dict[str, str]:
    """Returns the attributes of a start tag, as `page_tokens` gives it."""
    return {name: unescaped(value) for name, value in _ATTRIBUTE.findall(tag, tag.find(" "))}


def unescaped(text: str) -> str:
    """Returns a text without the escapes of HTML's serialisation, of which there are five (HTML, 13.3)."""
    if "&" not in text:
        return text
    text = text.replace("&nbsp;", "\xa0").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"')
    return text.replace("&amp;", "&")


class Acts(dict[str, int]):
    """What each tag asks for, remembered for most that were met: a crawl has few different ones."""

    def __missing__(self, tag: str) -> int:
        if tag.startswith("a "):
            return ANCHOR
        act = _act_of(tag)
        if len(tag) <= SHORT:
            if len(self) >= MAX_REMEMBERED:
                self.clear()
            self[tag] = act
        return act


class ChildActs(Acts):
    """The same where each element is a block."""

    def __missing__(self, tag: str) -> int:
        act = super().__missing__(tag)
        if act == IMAGE:
            act = BLOCK_IMAGE
        elif act in (INLINE, BLOCK, ANCHOR, SCOPE):
            act = CHILD
        if tag in self:  # remembered as what it asks for elsewhere
            self[tag] = act
        return act


def _act_of(tag: str) -> int:
    if tag[:1] in ("!", ""):
        return VOID
    if tag[0] == "/":
        return VOID if tag[1:] in VOID_ELEMENTS else END  # SVG may have ends of void elements
    # What tells of a page does so whatever its attributes are, of which hardly two have the same.
    return FACT if _ACTS.get(tag.partition(" ")[0]) == FACT else tag_of(tag).act


def tag_of(tag: str) -> Tag:
    """Returns what a start tag means, as `page_tokens` gives it."""
    return _short_tag(tag) if len(tag) <= SHORT else _tag(tag)


@lru_cache(MAX_REMEMBERED)
def _short_tag(tag: str) -> Tag:
    return _tag(tag)


def _tag(tag: str) -> Tag:
    name = tag.partition(" ")[0]
    attributes = attributes_of(tag) if " " in tag else {}
    style = _style(name, attributes) if attributes else PLAIN
    gone = _is_gone(name, attributes, style)
    hidden = gone or style.hidden or attributes.get("aria-hidden", "").strip().lower() == "true"
    if name == "body":  # which only waits for a script to show it
        gone = hidden = False
    if name in _ACTS:
        return _void_tag(name, style, hidden, gone)
    if name == "a" and ("href" in attributes or "xlink:href" in attributes):
        return Tag(LINK, name, hidden=hidden, gone=gone, block=style.block, of_blocks=style.of_blocks)
    region = _region(name, attributes)
    is_block = style.block or (_is_block(name, region) and not style.inline) or is_apart(attributes)
    block = is_block and not gone
    part = 0 if gone else part_of(name, attributes, block)
    is_odd = style.of_blocks or name in ("pre", "listing") or name in HEADINGS
    if hidden or region != "body" or part or is_odd:
        unspoken = hidden and not gone and not style.hidden
        button = is_button(name, attributes)
        box = name in _BOXES and not _is_out_of_sight(name, attributes, style)
        return Tag(SCOPE, name, region, hidden, gone, block, style.of_blocks, unspoken, part, button, box)
    return Tag(BLOCK if block else INLINE, name, block=block)


def _style(name: str, attributes: dict[str, str]) -> InlineStyle:
    """Returns what an element says by its `style`; in SVG attributes stand before that (SVG 2, 6.6)."""
    style = attributes.get("style", "")
    if name in _DRAWN:
        values = {key: attributes.get(key, "").strip().lower() for key in _HIDING}
        hiding = (f"{key}:{value};" for key, value in values.items() if value in _HIDING[key])
        style = "".join(hiding) + style
    return inline_style(style) if style else PLAIN


def _void_tag(name: str, style: InlineStyle, hidden: bool, gone: bool) -> Tag:
    """Returns what a tag means that has an act of its own; of a void element, a block holds nothing."""
    act = _ACTS[name]
    if act == AREA:
        return Tag(act, name, hidden=hidden)
    if gone and act in (BREAK, RULE, BOX):
        return Tag(VOID, name)
    if style.block and not style.is_out and not gone and act in (VOID, IMAGE, BOX):
        return Tag(RULE if hidden or act != IMAGE else BLOCK_IMAGE, name)
    return Tag(VOID if hidden and act == IMAGE else act, name)


def _region(name: str, attributes: dict[str, str]) -> str:
    roles = attributes.get("role", "").lower().split()
    return next((_ROLES[role] for role in roles if role in _ROLES), _REGIONS.get(name, "body"))


def _is_block(name: str, region: str) -> bool:
    return name in _BLOCKS or region in ("header", "footer", "nav", "aside")


def _is_gone(name: str, attributes: dict[str, str], style: InlineStyle) -> bool:
    return name in _HIDDEN or _is_out_of_sight(name, attributes, style)


def _is_out_of_sight(name: str, attributes: dict[str, str], style: InlineStyle) -> bool:
    """Tells whether an element is not shown though others of its name are."""
    if style.gone:
        return True
    if style.displayed:  # which counts for more than these
        return False
    is_closed = name == "dialog" and "open" not in attributes
    is_closed = is_closed or (name == "input" and attributes.get("type", "").lower() == "hidden")
    return is_closed or "hidden" in attributes or "popover" in attributes
