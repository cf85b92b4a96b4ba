"""Rule `cleaning`: an anchor's text as a query would have it, and those that are nothing then.

`ours` works for every language: NFKC, but for what words are spelled with, no control characters or icons, no
punctuation, emoji or joiners at the ends, single spaces. `code` is what Anchor-DR's program does: it deletes
all but ASCII letters and digits.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cached_property

from anchormine.text.case_folding import DOTTED
from anchormine.text.normal_forms import normal_form
from anchormine.text.scripts import UNSPACED_LETTERS

CLEANING = "cleaning"
# Of what is not shown these alone stay within a text: joiners belong to the spelling of Persian and of Indic
# languages, and to emoji.
_JOINERS = "\u200c\u200d"
_WORD_SPACE = "\u200b"
_STAYING = frozenset(_JOINERS + _WORD_SPACE)
_VIRAMA = 9  # its combining class: the sign by which Indic letters lose their vowel
# What closes brackets and quotations. What ends a quotation in one language may begin it in another.
_CLOSING = {
    **{"(": ")", "[": "]", "{": "}", "「": "」", "『": "』", "《": "》", "【": "】"},
    **{'"': '"', "“": "”", "„": "“”", "”": "”", "«": "»", "»": "«", "‹": "›", "›": "‹"},
}
_QUOTES = frozenset('"“„”«»‹›')
_OPENING = {last: [first for first in _QUOTES if last in _CLOSING[first]] for last in _QUOTES}
_BRACKETS = frozenset(_CLOSING) - _QUOTES
_BRACKET_ENDS = frozenset(_CLOSING[first] for first in _BRACKETS)
_AFTER_LETTERS = "#%\u0384"  # as in C#; the last makes a number of a Greek letter
# Thai and Lao, Burmese, Khmer: a space without width between two letters separates words.
_WORD_SPACES = re.compile(f"(?<=[{UNSPACED_LETTERS}]){_WORD_SPACE}+(?=[{UNSPACED_LETTERS}])")
# What a text is written with, that NFKC would spell in another way than anyone does: accents by themselves,
# which it puts on spaces, fractions, ª º №, letters of Armenian, Thai, Lao and Hangul.
_SPELLED = re.compile(
    "([¨¯´¸\u02d8-\u02dd\u037a\u0384\u0385\u1fbd\u1fbf-\u1fc1\u1fcd-\u1fcf\u1fdd-\u1fdf\u1fed-\u1fee\u1ffd\u1ffe"
    "\u2017\u203e\u309b\u309c\uffe3¼-¾\u2150-\u215f\u2189ªº№\u0587\u0e33\u0eb3\u0edc\u0edd\u3131-\u318e]+)"
)
# Variants of a character, fillers, which Unicode has as letters, and marks that NFKC would spell out.
_SIGNS = re.compile("[\u034f\u115f\u1160\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef™®℠]")
_CODE_SPACES = re.compile(r"[ \t\n]+")  # white space of other kinds is deleted with the signs
_NOT_CODE = re.compile(r"[^A-Za-z0-9 ]")
# Elements written out in a text, and the words that the program has for them, which are WikiExtractor's.
_PLACEHELD = [
    (re.compile(rf"<\s*{tag}(?:\s*| [^>]+?)>.*?<\s*/\s*{tag}\s*>", re.DOTALL | re.IGNORECASE), word)
    for tag, word in (("math", "formula"), ("code", "codice"))
]
_PLACEHELD_CHARACTERS = 2000  # of longer texts the search takes quadratic time; these are no queries
_PLAIN = re.compile(r"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*")


def cleaning(clean: str) -> str | None:
    """The reason to drop a text of which cleaning has left nothing, or None.

    Args:
        clean: what `clean_anchor` gave.
    """
    return None if clean else CLEANING


def clean_anchor(text: str, profile: str = "ours") -> str:
    """Cleans the text of an anchor.

    Args:
        text: as shown.
        profile: a name in `PROFILES`.

    Returns:
        The clean text; "" where that would be a number, which for `ours` is a text without letters, or a
        single character.
    """
    return PROFILES[profile](text)


def as_typed(clean: str) -> str:
    """A clean text as a query is typed, in small letters: what the query classifier reads."""
    return clean.lower().replace(DOTTED, "i")


def _ours(text: str) -> str:
    if not _PLAIN.fullmatch(text):
        shown = _without_controls(_SIGNS.sub("", text))  # first, as an accent may stand behind one
        text = _without_edges(" ".join(_compatible(shown).split()))
    return "" if len(text) <= 1 or not any(map(_is_lettered, text)) else text


def _code(text: str) -> str:
    if "<" in text and len(text) <= _PLACEHELD_CHARACTERS:
        text = _with_placeholders(text)
    text = _CODE_SPACES.sub(" ", text).strip(" ")
    if text.startswith("|"):
        return ""
    words = _NOT_CODE.sub("", text).split()
    joined = "".join(words)  # "555 0100" is a number, too
    return "" if len(joined) <= 1 or joined.isnumeric() else " ".join(words)


def _with_placeholders(text: str) -> str:
    """The text with a numbered word in the place of each element; alike ones have the number of the first."""
    for element, word in _PLACEHELD:
        for number, match in enumerate(element.finditer(text), 1):
            text = text.replace(match[0], f"{word}_{number}")
    return text


PROFILES: dict[str, Callable[[str], str]] = {"ours": _ours, "code": _code}


def _without_controls(text: str) -> str:
    """The text without what is not shown, and without the private characters that icon fonts use."""
    if text.isprintable():
        return text
    shown = "".join(filter(_is_shown, text))
    if _WORD_SPACE not in shown:
        return shown
    return _WORD_SPACE.join(piece.replace(_WORD_SPACE, "") for piece in _WORD_SPACES.split(shown))


def _compatible(text: str) -> str:
    """The text in NFKC, but for what it is spelled with, which is in NFC."""
    pieces = _SPELLED.split(text)
    if len(pieces) == 1:
        return normal_form("NFKC", text)
    pieces[::2] = [normal_form("NFKC", piece) for piece in pieces[::2]]
    return normal_form("NFC", "".join(pieces))


def _is_shown(character: str) -> bool:
    return character.isspace() or character in _STAYING or unicodedata.category(character)[0] != "C"


def _is_lettered(character: str) -> bool:
    """Whether a character makes a text more than a number: a letter that stands for no number."""
    return character.isalpha() and not character.isnumeric()


def _without_edges(text: str) -> str:
    """The text without punctuation, symbols and joiners at its ends; what is bracketed or quoted stays so."""
    places = _Places(text)
    start, end = 0, len(text)
    while start < end:
        first, last = text[start], text[end - 1]
        if start < end - 1 and last in _CLOSING.get(first, "") and places.end(start) == end - 1:
            start, end = start + 1, end - 1
        elif _is_edge(first) and not _opens(text, start, end, places):
            start += 1
        elif _is_edge(last) and not _belongs(text, start, end, places):
            end -= 1
        else:
            break
    return text[start:end]


class _Places:
    """Where characters stand in a text that is looked at from ever later places, in linear time for all."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: dict[str, int] = {}

    def end(self, start: int) -> int:
        """Returns where what starts at some place ends, brackets or a quotation; beyond the text if nowhere.

        What starts within brackets ends before them; a quotation ends at the next sign that may end it.
        """
        first = self._text[start]
        if first in _BRACKETS:
            return self.partners.get(start, len(self._text))
        return min((self.of(last, start + 1) for last in _CLOSING.get(first, "")), default=len(self._text))

    @cached_property
    def partners(self) -> dict[int, int]:
        """For each sign of a pair of brackets the place of the other; those of each kind by themselves."""
        opened: dict[str, list[int]] = {_CLOSING[first]: [] for first in _BRACKETS}
        partners = {}
        for place, character in enumerate(self._text):
            if character in _BRACKETS:
                opened[_CLOSING[character]].append(place)
            elif opened.get(character):
                start = opened[character].pop()
                partners[start], partners[place] = place, start
        return partners

    def of(self, character: str, start: int) -> int:
        """Returns the first place of a character from some place on, no earlier one than before."""
        found = self._found.get(character, -1)
        if found < start:
            found = self._text.find(character, start)
            if found < 0:
                found = len(self._text)
            self._found[character] = found
        return found


def _is_edge(character: str) -> bool:
    """Punctuation, a symbol that is no plus and no currency, the frame of a keycap, a joiner, or a space."""
    kind = unicodedata.category(character)
    if character == "№":
        return False
    return kind[0] == "P" or kind in ("So", "Sk", "Me", "Zs", "Cf") or (kind == "Sm" and character != "+")


def _opens(text: str, start: int, end: int, places: _Places) -> bool:
    """Whether the first character of a part opens a bracket in it, or a quotation that holds something."""
    first = text[start]
    closed = places.end(start)
    return closed < end and not (first in _QUOTES and closed == start + 1)


def _belongs(text: str, start: int, end: int, places: _Places) -> bool:
    """Whether the last character of a part is the end of its last word, or closes what is opened in it."""
    last = text[end - 1]
    if last in _AFTER_LETTERS:
        return end - 1 > start and text[end - 2].isalnum()
    if last in _JOINERS:  # the last letter of Malayalam words is often written so
        return end - 1 > start and unicodedata.combining(text[end - 2]) == _VIRAMA
    if last in _BRACKET_ENDS:
        return places.partners.get(end - 1, -1) >= start
    opening = _OPENING.get(last, [])
    if end - 1 > start and text[end - 2] in opening:
        return False
    return any(places.of(first, start) < end - 1 for first in opening)
