"""What the tags of a page would leave open, about as a parser sees it, and what that would cost."""

import re
from collections import defaultdict
from collections.abc import Collection, Container

from anchormine.hypertext.page_rejected import PageRejected
from anchormine.web.markup_tags import AROUND, UnclearMarkup
from anchormine.web.tags import VOID_ELEMENTS

MAX_DEPTH = 1000  # browsers keep 512
MAX_REOPENED = 16_000_000  # characters of formatting elements that are opened again, about 10 bytes each
MAX_STEPS = 5_000_000  # through open elements, for the page
_MAX_SEARCHED = 20_000_000  # tags that no other ends, times all tags: the parser takes .3 s for the worst

_ELEMENT = 48  # characters that an element takes besides those of its start tag
_SHORT = 200  # characters of a link's tag; one link is open at a time, and is opened again in each block
_COPIES = 3  # of equal formatting elements that are opened again (HTML, 13.2.4.3, "Noah's Ark clause")
_LEVELS, _MOST_NAMES = 16, 100  # of elements in elements, and of elements, that need no closer look

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
_ROOT = "#root"  # which no tag ends
_IGNORED = VOID_ELEMENTS | {"", "html", "head", "body"}

_NAME = re.compile(r"/?([^\t\n\f\r /]+)")


def check_open_elements(tags: list[str]) -> None:
    """Tells whether a page with these tags can be parsed, in time that is linear in their number.

    Args:
        tags: each without the "<" and ">"; what has a ">", or nothing, is none.

    Raises:
        PageRejected: "too_deep".
        UnclearMarkup: it seems that it can, but too many elements do not end where they should.
    """
    left = _count_left(tags)
    is_unclear = left is None or left * len(tags) > _MAX_SEARCHED
    if left is None or is_unclear or left > MAX_DEPTH:
        _OpenElements().run(tags)
    if is_unclear:
        raise UnclearMarkup("elements do not end where they should")


class _Letters(dict[str, str]):
    """A letter for each tag, that of an end behind that of its start; none for what cannot nest.

    Attributes:
        pairs: of letters, start and end, by name.
    """

    def __init__(self) -> None:
        super().__init__()
        self.pairs: dict[str, str] = {}

    def __missing__(self, tag: str) -> str:
        name, is_end = _name_of(tag)
        letter = ""
        if name not in _IGNORED:
            if name not in self.pairs:
                first = 0x100 + 2 * len(self.pairs)
                self.pairs[name] = chr(first) + chr(first + 1)
            letter = self.pairs[name][is_end]
        self[tag] = letter
        return letter

    def pairs_of(self, names: frozenset[str]) -> list[str]:
        """Returns the pairs of some names."""
        return [pair for name, pair in self.pairs.items() if name in names]

    def has(self, names: frozenset[str], written: str) -> bool:
        """Tells whether a tag of some names is among those that are written in letters."""
        return any(letter in written for letter in "".join(self.pairs_of(names)))


def _count_left(tags: list[str]) -> int | None:
    """Counts the tags that are no start with its end, and is None where more than the count matters.

    A start with its end right behind it leaves nothing open, and costs the parser no search. Such pairs are
    taken out, level by level. What is left over then is open for all tags, at worst. On most pages nearly
    all elements end where they should, and none is deep.
    """
    letters = _Letters()
    written = "".join(map(letters.__getitem__, tags))
    if len(letters.pairs) > _MOST_NAMES:
        return None
    # Formatting elements that hold no others are not opened again.
    written = _without_pairs(written, letters.pairs_of(_FORMATTING))
    if letters.has(_FORMATTING, written) and not _is_light(tags):
        return None
    written = _without_pairs(written, letters.pairs.values())
    return None if letters.has(AROUND, written) else len(written)


def _without_pairs(written: str, pairs: Collection[str]) -> str:
    pattern = re.compile("|".join(pairs))
    for _ in range(_LEVELS if pairs else 0):
        before, written = written, pattern.sub("", written)
        if len(written) == len(before):
            break
    return written


def _is_light(tags: list[str]) -> bool:
    """Tells whether formatting elements are not too much if each is opened again in all that it holds."""
    names: dict[str, tuple[str, bool]] = {}
    opened: list[tuple[str, int]] = []
    weight = reopened = 0
    for tag in tags:
        found = names.get(tag)
        if found is None:
            found = names[tag] = _name_of(tag)
        name, is_end = found
        if name in _FORMATTING:
            if not is_end:
                opened.append((name, _weight(name, tag)))
                weight += opened[-1][1]
            elif opened and opened[-1][0] == name:
                weight -= opened.pop()[1]
        elif name not in _IGNORED and not is_end:
            reopened += weight
    return reopened <= MAX_REOPENED


def _name_of(tag: str) -> tuple[str, bool]:
    """Returns the name of a tag, "" if it is none, and whether it is an end."""
    match = _NAME.match(tag)
    if match is None or ">" in tag:
        return "", False
    name = match[1]
    # Only ASCII has no case in HTML: the Kelvin sign is no "k".
    return name.encode("utf-8", "replace").lower().decode(), tag[0] == "/"


def _weight(name: str, rest: str) -> int:
    return _ELEMENT + len(name) + len(rest)


class _TagNames(dict[str, tuple[str, bool, frozenset[str], frozenset[str]]]):
    """Of each tag: name, "" where it cannot nest; whether it is an end; `_SIBLINGS` of its start."""

    def __missing__(self, tag: str) -> tuple[str, bool, frozenset[str], frozenset[str]]:
        name, is_end = _name_of(tag)
        if not is_end and (name in _IGNORED or (name == "a" and len(tag) <= _SHORT)):
            name = ""
        found = self[tag] = (name, is_end, *_SIBLINGS.get(name, _NONE))
        return found


class _OpenElements:
    """The elements that are open, about as a parser sees them."""

    def __init__(self) -> None:
        self._open = [_ROOT]
        self._counts: defaultdict[str, int] = defaultdict(int)
        self._formatting: list[tuple[str, str]] = []  # name and start tag of what would be opened again
        self._reopened = self._weight = self._steps = 0

    def run(self, tags: list[str]) -> None:
        """Takes tags as `check_open_elements` does."""
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
