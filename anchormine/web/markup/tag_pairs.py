"""Tags that are no start with its end, counted fast: where they are few, no closer look is needed."""

import re
from collections.abc import Collection
from typing import Final

from anchormine.web.markup.element_rules import FORMATTING, MAX_REOPENED, name_of, weight_of
from anchormine.web.markup.elements import VOID_ELEMENTS
from anchormine.web.markup.markup_tags import AROUND

_LEVELS, _MAX_NAMES = 16, 100  # of elements in elements, and of elements, that need no closer look
_IGNORED: Final = VOID_ELEMENTS | {"", "html", "head", "body"}


class _Letters(dict[str, str]):
    """A letter for each tag, that of an end behind that of its start; none for what cannot nest.

    Attributes:
        pairs: of letters, start and end, by name.
    """

    def __init__(self) -> None:
        super().__init__()
        self.pairs: dict[str, str] = {}

    def __missing__(self, tag: str) -> str:
        name, is_end = name_of(tag)
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


def count_left(tags: list[str]) -> int | None:
    """Counts the tags that are no start with its end, and is None where more than the count matters.

    A start with its end right behind it leaves nothing open, and costs the parser no search. Such pairs are
    taken out, level by level. What is left over then is open for all tags, at worst. On most pages nearly
    all elements end where they should, and none is deep.
    """
    letters = _Letters()
    written = "".join(map(letters.__getitem__, tags))
    if len(letters.pairs) > _MAX_NAMES:
        return None
    # Formatting elements that hold no others are not opened again.
    written = _without_pairs(written, letters.pairs_of(FORMATTING))
    if letters.has(FORMATTING, written) and not _is_light(tags):
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
            found = names[tag] = name_of(tag)
        name, is_end = found
        if name in FORMATTING:
            if not is_end:
                opened.append((name, weight_of(name, tag)))
                weight += opened[-1][1]
            elif opened and opened[-1][0] == name:
                weight -= opened.pop()[1]
        elif name not in _IGNORED and not is_end:
            reopened += weight
    return reopened <= MAX_REOPENED
