"""Labels of what sites put on their pages around a text: "Related articles", "Share this", "No comments yet".

`label_lists/` holds them in 35 languages, one a line, of three kinds:

* `below.txt`: titles of what stands below an article;
* `lines.txt`: what may stand anywhere in it, by itself, for a button or an advertisement;
* `words.txt`: the same as either, but it may be a title of the text itself as well ("Comments"); with "…"
  behind it, it is what one begins with.

All of them count on all pages: few pages say their language rightly, and a line that is wholly a label in one
language is hardly a title in another.
"""

import re
import string
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from anchormine.text.case_folding import DOTTED, folded
from anchormine.web.page.characters import COLONS

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
# What stands around a label, and is no part of it: signs, a number of comments, an arrow.
_AROUND: Final = re.compile(r"^[\W\d_]+|[\W\d_]+$")
_SIGNS_BEFORE: Final = string.digits + " \xa0»›>•·–—-+*#([|→▶►▼▸«‹←"


class _Labels(NamedTuple):
    """Their forms, each with its kind, and what others begin with."""

    kinds: dict[str, int]
    beginnings: tuple[str, ...]


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
    kinds, beginnings = _labels()
    starts = [form[:START] for form in (*kinds, *beginnings) if form[0] in LETTERS]
    # Forms have neither these apostrophes nor the other letters that Turkish has for "i".
    others = [start.replace(*pair) for start in starts for pair in (("'", "’"), ("i", DOTTED), ("i", "ı"))]
    return frozenset((*starts, *others))


def label_form(text: str) -> str:
    """Returns a text as labels are compared: its case folded, without signs and digits around it."""
    form = text.lower() if text.isascii() else folded(text).replace("’", "'")
    return form if form[:1].isalpha() and form[-1].isalpha() else _AROUND.sub("", form)


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
    for name, kind in _LISTS:
        for line in (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
            if line.endswith(_GOES_ON):
                beginnings.append(label_form(line[: -len(_GOES_ON)]) + " ")
            elif not line.startswith("#"):
                kinds[label_form(line)] = kind
    return _Labels(kinds, tuple(beginnings))
