"""Words of a link that `aria-hidden` keeps from screen readers because the link's `aria-label` says them.

A label holds the words that are seen (WCAG 2.1, 2.5.3), so what it repeats is text of the link, and what it
does not repeat is an icon or the like.
"""

import re

from anchormine.web.page.characters import is_of_spaced_word
from anchormine.web.page.tags import attributes_of, unescaped

MAX_LABEL_CHARACTERS = 1000
_MAX_PLACES = 20  # at which words are looked at in one text: a hostile page may have them at every letter
# A lone word like the names by which fonts of icons draw them: "search", "arrow_forward".
_ICON_NAME = re.compile(r"[a-z0-9_]*")


class HeldText:
    """Text of a link that `aria-hidden` hides, until all of it is there to be looked for in the label."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._tag = ""
        self._label: str | None = None  # None if it was not asked for yet

    def start(self, tag: str) -> None:
        """Starts a link with a label, by its tag; what is held of others is given up."""
        self._texts, self._tag, self._label = [], tag, None

    def add(self, text: str) -> None:
        """Adds text, as the serialisation has it."""
        self._texts.append(text)

    def take(self, before: str | None) -> str:
        """Returns what is held if it is text of the link, else ""; nothing is held then.

        Args:
            before: text of the link so far; None if no link is open, or it has much text.
        """
        held, self._texts = "".join(self._texts), []
        if self._label is None:
            self._label = attributes_of(self._tag).get("aria-label", "")
        words = unescaped(held)
        if before is None or not is_repeated(words, self._label):
            return ""
        # Some show them once for the eye, and once for screen readers.
        return "" if holds_words(before, " ".join(words.split())) else held


def is_repeated(text: str, label: str) -> bool:
    """Tells whether a label says a text, in whole words; white space and capitals do not matter.

    Args:
        text: with a letter, or it is never repeated; nor is what may name an icon.
        label: of the link; one of more than `MAX_LABEL_CHARACTERS` repeats nothing.
    """
    words = " ".join(text.split())
    if len(label) > MAX_LABEL_CHARACTERS or _ICON_NAME.fullmatch(words) or not any(map(str.isalpha, words)):
        return False
    return holds_words(" ".join(label.split()), words)


def holds_words(text: str, words: str) -> bool:
    """Tells whether words stand in a text, whatever their capitals, and are no parts of longer ones."""
    text, words = text.casefold(), words.casefold()
    start = -1
    for _ in range(_MAX_PLACES):
        start = text.find(words, start + 1)
        if start < 0:
            return False
        if not _is_in_word(text, start) and not _is_in_word(text, start + len(words)):
            return True
    return False


def _is_in_word(text: str, place: int) -> bool:
    around = text[max(0, place - 1) : place + 1]
    return len(around) == 2 and place > 0 and all(map(is_of_spaced_word, around))
