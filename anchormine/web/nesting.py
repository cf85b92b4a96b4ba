"""How large and how deep a page may be: what would take the parser time or memory that is not linear.

HTML's tree construction looks through the open elements at many tags, and opens the formatting elements
(`<b>`, `<font>`, ...) that were never closed anew in every paragraph: 40,000 open `<div>` take Lexbor
seconds, 10,000 open `<font>` gigabytes. Both are found by counting the page's tags beforehand, more simply
than a parser does.
"""

import re
from collections import Counter
from collections.abc import Container

from anchormine.hypertext.page_rejected import PageRejected
from anchormine.web.tags import VOID_ELEMENTS

MAX_CHARACTERS = 16_000_000
MAX_TAGS = 400_000  # about a gigabyte while it is read
MAX_DEPTH = 1000  # browsers keep 512
MAX_REOPENED = 16_000_000  # characters of start tags of formatting elements that are opened again
MAX_STEPS = 5_000_000  # through open elements, for the page
MAX_ATTRIBUTES = 20_000  # of one tag

_LONG = 300_000  # characters; in fewer there are not attributes enough to do harm
_QUICK = 4000  # tags; fewer cannot do much harm
_SHORT = 200  # characters of a link's tag; one link is open at a time, and is opened again in each block
_COPIES = 3  # of equal formatting elements that are opened again (HTML, 13.2.4.3, "Noah's Ark clause")

_FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())
# End tags do not reach out of these (HTML, 13.2.4.2, "in scope"), or so nearly.
_WALLS = frozenset("table td th caption object template marquee applet button select svg math".split())
# A start tag of these ends an element of the same kind that is open in the same list, table or paragraph.
_SIBLINGS = {
    **{name: frozenset((name, "p")) for name in ("p", "li", "option")},
    **{"dd": frozenset(("dd", "dt", "p")), "dt": frozenset(("dd", "dt", "p"))},
    **dict.fromkeys(("td", "th"), frozenset(("td", "th", "caption", "colgroup"))),
    "tr": frozenset(("tr", "caption", "colgroup")),
    **dict.fromkeys(("tbody", "thead", "tfoot"), frozenset(("tbody", "thead", "tfoot", "caption"))),
}
_LISTS = frozenset("ul ol dl menu dir table select".split())
_IGNORED = VOID_ELEMENTS | {"", "html", "head", "body"}

_ROOTS = re.compile(r"<(?:html|body)\b", re.IGNORECASE)
_FOREIGN = re.compile(r"<(?:svg|math)\b", re.IGNORECASE)
_VALUE = re.compile(r"""=\s*(?:"[^"]*"|'[^']*')""")
_TAG_WITH_VALUES = re.compile(rf"<[a-zA-Z](?:{_VALUE.pattern}|[^>=]+|=)*")
_COMMENT = r"<!--(?:>|->|.*?(?:--!?>|\Z))"
_TAG = r"<(/?)([a-zA-Z][^\s/>]*)([^>]*)"
_TAGS = re.compile(rf"{_TAG}|{_COMMENT}", re.DOTALL)
# Where there is no SVG, nothing in a script is a tag.
_SCRIPT = r"<(?i:script|style)\b.*?(?:</(?i:script|style)\b|\Z)"
_TAGS_OUTSIDE = re.compile(rf"{_SCRIPT}|{_TAG}|{_COMMENT}", re.DOTALL)


def check_nesting(html: str) -> None:
    """Tells whether a page can be parsed, in time that is linear in its length.

    Raises:
        PageRejected: "too_large" or "too_deep".
    """
    if len(html) > MAX_CHARACTERS:
        raise PageRejected("too_large", f"{len(html)} characters, the limit is {MAX_CHARACTERS}")
    tags = html.count("<")
    if tags > MAX_TAGS:
        raise PageRejected("too_large", f"{tags} tags, the limit is {MAX_TAGS}")
    if tags > _QUICK:
        _check_tags(html)
    if len(html) > _LONG:
        _check_attributes(html)


def _check_attributes(html: str) -> None:
    """Each attribute of a tag is compared with those before it."""
    for match in _TAG_WITH_VALUES.finditer(html):
        if match.end() - match.start() > _LONG:
            attributes = len(_VALUE.sub(" ", match[0]).replace("/", " ").split())
            if attributes > MAX_ATTRIBUTES:
                reason = f"a tag of {attributes} attributes, the limit is {MAX_ATTRIBUTES}"
                raise PageRejected("too_large", reason)


def _check_tags(html: str) -> None:
    roots = len(_ROOTS.findall(html))
    if roots > MAX_DEPTH:  # the attributes of each are compared with those of all before
        raise PageRejected("too_deep", f"{roots} tags of html and body, the limit is {MAX_DEPTH}")
    nesting = _Nesting()
    pattern = _TAGS if _FOREIGN.search(html) else _TAGS_OUTSIDE
    for slash, name, rest in pattern.findall(html):
        if not name.islower():
            name = name.lower()
        if slash:
            nesting.end(name)
        elif name not in _IGNORED and (name != "a" or len(rest) > _SHORT):
            nesting.start(name, rest)


class _Nesting:
    """The elements that are open, about as a parser sees them."""

    def __init__(self) -> None:
        self._open = ["html"]
        self._counts: Counter[str] = Counter()
        self._formatting: list[tuple[str, str]] = []  # name and start tag of what would be opened again
        self._reopened = self._weight = self._steps = 0

    def start(self, name: str, rest: str) -> None:
        """Takes a start tag."""
        opened = self._open
        siblings = _SIBLINGS.get(name)
        if siblings is not None and opened[-1] not in _LISTS:
            self._close(siblings, _LISTS)
        if name in _FORMATTING:
            self._format(name, rest)
        elif self._weight:
            self._reopened += self._weight
            if self._reopened > MAX_REOPENED:
                detail = f"{len(self._formatting)} formatting elements are never closed"
                raise PageRejected("too_deep", detail)
        opened.append(name)
        self._counts[name] += 1
        if len(opened) > MAX_DEPTH:
            raise PageRejected("too_deep", f"more than {MAX_DEPTH} open elements")

    def _format(self, name: str, rest: str) -> None:
        if name == "a" and self._counts["a"]:
            self._close_formatting(name)  # a link ends the one before
        tag = (name, rest)
        if self._formatting[-50:].count(tag) < _COPIES:
            self._formatting.append(tag)
            self._weight += len(name) + len(rest)

    def end(self, name: str) -> None:
        """Takes an end tag."""
        if not self._counts[name]:
            return
        if name in _FORMATTING:
            self._close_formatting(name)
        else:
            self._close((name,), _WALLS)

    def _close_formatting(self, name: str) -> None:
        """Ends the last of a formatting element wherever it is; what is open in it stays open."""
        formatting = self._formatting
        for place in range(len(formatting) - 1, -1, -1):
            if formatting[place][0] == name:
                self._weight -= len(name) + len(formatting.pop(place)[1])
                break
        self._step(len(formatting))
        if self._counts[name]:
            opened = self._open
            place = len(opened) - 1
            while opened[place] != name:
                place -= 1
            self._step(len(opened) - place)
            del opened[place]
            self._counts[name] -= 1

    def _close(self, names: Container[str], walls: frozenset[str]) -> None:
        """Ends the innermost of some elements, and all in it, unless a wall is between."""
        opened = self._open
        place = len(opened) - 1
        while place and opened[place] not in names and opened[place] not in walls:
            place -= 1
        self._step(len(opened) - place)
        if opened[place] in names:
            for name in opened[place:]:
                self._counts[name] -= 1
            del opened[place:]

    def _step(self, count: int) -> None:
        self._steps += count
        if self._steps > MAX_STEPS:
            raise PageRejected("too_deep", f"more than {MAX_STEPS} steps through open elements")
