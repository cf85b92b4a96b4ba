"""Labels of what sites put on their pages around a text: "Related articles", "Share this", "No comments yet".

`label_lists/` holds them in 35 languages, one a line, of three kinds:

* `below.txt`: titles of what stands below an article;
* `lines.txt`: what may stand anywhere in it, by itself, for a button or an advertisement;
* `words.txt`: what may be a title or a line of the text itself as well ("Comments"); with "…" behind it, it
  is what one begins with.

All of them count on all pages: few pages say their language rightly, and a line that is wholly a label in one
language is hardly a title in another.
"""

import re
import string
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from anchormine.text.case_folding import DOTTED, folded
from anchormine.text.normal_forms import normal_form
from anchormine.web.page.characters import COLONS
from anchormine.web.page.page_blocks import PageBlock

NO_LABEL: Final = 0
WORD: Final = 1
LINE: Final = 2
BELOW: Final = 3
LABEL_CHARACTERS: Final = 80  # of a text that may be one
# By so many of its first characters most text is told from all labels, at a tenth of what its kind takes.
START: Final = 4
LETTERS: Final = frozenset(string.ascii_letters)

_LISTS: Final = (("words", WORD), ("lines", LINE), ("below", BELOW))
_FOLDER: Final = Path(__file__).with_name("label_lists")
_GOES_ON: Final = "…"
# What stands around a label, and is no part of it: signs, arrows, a number of comments; behind it such a
# number stands in brackets or behind a sign, or it is one of a category or the like.
_AROUND: Final = re.compile(r"^[\W\d_]+|(?:[\W_]*[(\[:：（|–-]\s?\d+)?[\W_]*$")
_SIGNS_BEFORE: Final = string.digits + string.punctuation + " \xa0»›•·–—→▶►▼▸«‹←“”„‘’…"
# Accents of Latin, Greek and Cyrillic, points of Hebrew, vowels and hamzas of Arabic: many write without.
_MARKS: Final = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u0655\u0670]+")
# Letters that Persian has of its own, in those of Arabic, where its keyboards once had no others.
_ALIKE: Final = str.maketrans("یىک\u200c’", "ييك '")


class _Labels(NamedTuple):
    """Their forms, each with its kind, and what others begin with."""

    kinds: dict[str, int]
    beginnings: tuple[str, ...]


def label_of(block: PageBlock) -> int:
    """Returns which kind of label a block is; a paragraph is none, nor what is long."""
    text = block.text
    if block.prose or len(text) > LABEL_CHARACTERS:
        return NO_LABEL
    if text[:START].lower() not in label_starts() and text[0] in LETTERS:  # as nearly always
        return NO_LABEL
    return label_kind(text)


def label_kind(text: str) -> int:
    """Returns which kind of label a text is, or what stands in it before a colon: `NO_LABEL` for none."""
    start = text.lstrip(_SIGNS_BEFORE)[:START].lower()
    if not start or (start.isascii() and start not in label_starts()):
        return NO_LABEL
    kinds, beginnings = _labels()
    form = label_form(text)
    kind = kinds.get(form, NO_LABEL)
    if kind:
        return kind
    head = _head(text)
    if head:
        kind = kinds.get(label_form(head), NO_LABEL)
    return WORD if not kind and form.startswith(beginnings) else kind


@cache
def label_starts() -> frozenset[str]:
    """Returns the first `START` characters, in small letters, of all labels that begin with `LETTERS`."""
    written = [start for _, line, form in _lines() for start in (line, form)]
    starts = {start[:START] for start in written if start[0] in LETTERS}
    # As texts write them, with these apostrophes and the letters that Turkish has for "i".
    others = [start.replace(*pair) for start in starts for pair in (("'", "’"), ("i", DOTTED), ("i", "ı"))]
    return frozenset((*starts, *others))


def label_form(text: str) -> str:
    """Returns a text as labels are compared: its case folded, without accents, signs and digits around it."""
    form = text.lower() if text.isascii() else _without_marks(folded(text))
    return form if form[:1].isalpha() and form[-1].isalpha() else _AROUND.sub("", form)


def _without_marks(text: str) -> str:
    """Returns a text without accents and points, which are not those of the scripts of India and Thailand."""
    return normal_form("NFC", _MARKS.sub("", normal_form("NFD", text))).translate(_ALIKE)


def label_length(text: str) -> int:
    """Returns how much of a text is a label with its colon; all of it without a colon."""
    head = _head(text)
    return len(head) + 1 if head else len(text)


def _head(text: str) -> str:
    """Returns what stands before the first colon."""
    for colon in COLONS:
        head, found, _ = text.partition(colon)
        if found:
            return head
    return ""


@cache
def _labels() -> _Labels:
    kinds: dict[str, int] = {}
    beginnings = []
    for kind, line, form in _lines():
        if line.endswith(_GOES_ON):
            beginnings.append(f"{form} ")
        else:
            kinds[form] = kind
    return _Labels(kinds, tuple(beginnings))


@cache
def _lines() -> list[tuple[int, str, str]]:
    """Returns the kind of each label, the label as it is listed, and its form."""
    listed = [(kind, (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")) for name, kind in _LISTS]
    lines = [(kind, line) for kind, text in listed for line in text.splitlines() if not line.startswith("#")]
    return [(kind, line, label_form(line.removesuffix(_GOES_ON))) for kind, line in lines]
