"""How large and how deep a page may be: what would take the parser time or memory that is not linear.

HTML's tree construction looks through the open elements at many tags, and opens the formatting elements
(`<b>`, `<font>`, ...) that were never closed anew in every paragraph: 40,000 open `<div>` take Lexbor
seconds, 10,000 open `<font>` gigabytes. Both are found by counting the page's tags beforehand, more simply
than a parser does.
"""

import re
from collections import defaultdict
from collections.abc import Container

from anchormine.hypertext.page_rejected import PageRejected
from anchormine.web.tags import VOID_ELEMENTS

MAX_CHARACTERS = 16_000_000
MAX_TAGS = 400_000  # about a gigabyte while it is read
MAX_DEPTH = 1000  # browsers keep 512
MAX_REOPENED = 16_000_000  # characters of formatting elements that are opened again, about 10 bytes each
MAX_STEPS = 5_000_000  # through open elements, for the page
MAX_ATTRIBUTES = 20_000  # of one tag

_LONG = 300_000  # characters; in fewer there are not attributes enough to do harm
_QUICK = 4000  # tags; fewer that are closed cannot do much harm
_UNCLOSED = 300_000  # start tags without an end, times all tags: as many elements can be opened again
_ELEMENT = 48  # characters that an element takes besides those of its start tag
_SHORT = 200  # characters of a link's tag; one link is open at a time, and is opened again in each block
_COPIES = 3  # of equal formatting elements that are opened again (HTML, 13.2.4.3, "Noah's Ark clause")

_FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())
# End tags do not reach out of these (HTML, 13.2.4.2, "in scope"), or so nearly.
_WALLS = frozenset("table td th caption object template marquee applet button select svg math".split())
_LISTS = frozenset("ul ol dl menu dir table select".split())
_GROUPS = frozenset(("tbody", "thead", "tfoot"))
# A start tag of these ends an element of the first that is open, unless one of the second is open in that.
_SIBLINGS = {
    **{name: (frozenset((name, "p")), _LISTS) for name in ("p", "li", "option")},
    **{"dd": (frozenset(("dd", "dt", "p")), _LISTS), "dt": (frozenset(("dd", "dt", "p")), _LISTS)},
    **dict.fromkeys(("td", "th"), (frozenset(("td", "th", "caption", "colgroup")), _LISTS | {"tr"})),
    "tr": (frozenset(("tr", "caption", "colgroup")), _LISTS | _GROUPS),
    **dict.fromkeys(_GROUPS, (_GROUPS | {"caption"}, _LISTS)),
}
_NONE: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
_IGNORED = VOID_ELEMENTS | {"", "html", "head", "body"}

# Written so that "<" is what is searched for: with IGNORECASE every character is looked at.
_ROOTS = re.compile(r"<(?:[hH][tT][mM][lL]|[bB][oO][dD][yY])\b")
_FOREIGN = re.compile(r"<(?:[sS][vV][gG]|[mM][aA][tT][hH])\b")
_VALUE = re.compile(r"""=\s*(?:"[^"]*"|'[^']*')""")
_VALUE_WITH_END = re.compile(r"""=\s*(?:"[^">]*>|'[^'>]*>)""")
_TAG_WITH_VALUES = re.compile(rf"<[a-zA-Z](?:{_VALUE.pattern}|[^>=]+|=)*")
_COMMENT = r"<!--(?:>|->|.*?(?:--!?>|\Z))"
_TAG = r"<(/?[a-zA-Z][^>]*)"
_TAGS = re.compile(rf"{_TAG}|{_COMMENT}", re.DOTALL)
# Where there is no SVG, nothing in a script is a tag.
_SCRIPT = r"<(?:[sS][cC][rR][iI][pP][tT]|[sS][tT][yY][lL][eE])\b.*?(?:</(?i:script|style)\b|\Z)"
_TAGS_OUTSIDE = re.compile(rf"{_SCRIPT}|{_TAG}|{_COMMENT}", re.DOTALL)
_NAME = re.compile(r"/?([^\s/]+)")


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
    if tags > _QUICK or (tags * tags > _UNCLOSED and tags * (tags - 2 * html.count("</")) > _UNCLOSED):
        _check_tags(html)
    if len(html) > _LONG and _may_have_a_long_tag(html):
        _check_attributes(html)


def _may_have_a_long_tag(html: str) -> bool:
    """Tells whether a tag may be longer than `_LONG`: one that holds a ">" in a value, or none for long."""
    step = _LONG // 2
    places = range(0, len(html) - step, step)
    if any(html.find(">", place, place + step) < 0 for place in places):
        return True
    return _VALUE_WITH_END.search(html) is not None


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
    pattern = _TAGS if _FOREIGN.search(html) else _TAGS_OUTSIDE
    _Nesting().run(pattern.findall(html))


def _weight(name: str, rest: str) -> int:
    return _ELEMENT + len(name) + len(rest)


class _TagNames(dict[str, tuple[str, bool, frozenset[str], frozenset[str]]]):
    """Of each tag: name, "" where it cannot nest; whether it is an end; `_SIBLINGS` of its start."""

    def __missing__(self, tag: str) -> tuple[str, bool, frozenset[str], frozenset[str]]:
        match = _NAME.match(tag)
        name = match[1].lower() if match else ""
        is_end = tag[:1] == "/"
        if not is_end and (name in _IGNORED or (name == "a" and len(tag) <= _SHORT)):
            name = ""
        found = self[tag] = (name, is_end, *_SIBLINGS.get(name, _NONE))
        return found


class _Nesting:
    """The elements that are open, about as a parser sees them."""

    def __init__(self) -> None:
        self._open = ["html"]
        self._counts: defaultdict[str, int] = defaultdict(int)
        self._formatting: list[tuple[str, str]] = []  # name and start tag of what would be opened again
        self._reopened = self._weight = self._steps = 0

    def run(self, tags: list[str]) -> None:
        """Takes tags, each without the "<" and ">", and "" for what is none."""
        opened, counts, names = self._open, self._counts, _TagNames()
        for tag in tags:
            name, is_end, siblings, walls = names[tag]
            if is_end:
                if name == opened[-1] and name not in _FORMATTING:  # as it mostly is
                    opened.pop()
                    counts[name] -= 1
                    self._steps += 1
                elif counts[name]:
                    self._end(name)
            elif name:
                if siblings and opened[-1] not in walls and (name != "p" or counts["p"]):
                    self._close(siblings, walls)
                if name in _FORMATTING:
                    self._format(name, tag[len(name) :])
                elif self._weight:
                    self._reopen()
                opened.append(name)
                counts[name] += 1
                if len(opened) > MAX_DEPTH:
                    raise PageRejected("too_deep", f"more than {MAX_DEPTH} open elements")

    def _reopen(self) -> None:
        self._reopened += self._weight
        if self._reopened > MAX_REOPENED:
            detail = f"{len(self._formatting)} formatting elements are never closed"
            raise PageRejected("too_deep", detail)

    def _format(self, name: str, rest: str) -> None:
        if name == "a" and self._counts["a"]:
            self._close_formatting(name)  # a link ends the one before
        tag = (name, rest)
        if self._formatting[-50:].count(tag) < _COPIES:
            self._formatting.append(tag)
            self._weight += _weight(name, rest)

    def _end(self, name: str) -> None:
        """Takes an end tag of what is open."""
        if name in _FORMATTING:
            self._close_formatting(name)
        else:
            self._close((name,), _WALLS)

    def _close_formatting(self, name: str) -> None:
        """Ends the last of a formatting element wherever it is; what is open in it stays open."""
        formatting = self._formatting
        for place in range(len(formatting) - 1, -1, -1):
            if formatting[place][0] == name:
                self._weight -= _weight(*formatting.pop(place))
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
        name = opened[place]
        while name not in names and name not in walls and place:
            place -= 1
            name = opened[place]
        self._step(len(opened) - place)
        if name in names:
            for name in opened[place:]:
                self._counts[name] -= 1
            del opened[place:]

    def _step(self, count: int) -> None:
        self._steps += count
        if self._steps > MAX_STEPS:
            raise PageRejected("too_deep", f"more than {MAX_STEPS} steps through open elements")
