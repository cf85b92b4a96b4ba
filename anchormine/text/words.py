"""The words around a full stop: abbreviations, initials, ordinals, enumerators, starters of sentences."""

from __future__ import annotations

import re

from anchormine.text.model import SentenceModel
from anchormine.text.quotations import FIRST_IDEOGRAPH

# No abbreviation is longer, in characters.
_LONGEST = 40
_OPENING = "[({<\"'‘’“”„‚«»‹›`´*•·—–-…¿¡/"
_NUMBER = re.compile(r"\d{1,4}|[IVXLC]{2,}")
# "9.–10", "XIV./XV"
_RANGE = re.compile(r"(?:\d{1,4}|[IVXLC]+)\.[-–/](\d{1,4}|[IVXLC]+)")
_LOOSE_RANGE = re.compile(r".*[-–/](\d{1,4}|[IVXLC]+)")
# "U.S", "z.B", "a.C", "J.-C", "т.е", "Ph.D"
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.-?)+[^\W\d_]{1,3}")
_SPACED_PART = re.compile(r"[^\W\d_]\.")
_ENUMERATOR = re.compile(r"[(\[]?(?:\d{1,4}(?:\.\d{1,3})*|[^\W\d_]|[ivxIVX]{1,5})")
_WORD = re.compile(r"[^\W\d_]+")
_VOWELS = frozenset("aeiouyáéíóúàèìòùâêôäöüåæøаеиоуыэюяіїє")
_CONSONANTS = re.compile(r"[b-df-hj-np-tv-xzçčćďđģķļłņñňřŗśšťźžбвгджзклмнпрстфхцчшщ]{2,4}")
_UNITS = frozenset(("m", "km", "cm", "mm", "ha", "kg", "м", "км", "см", "мм", "га", "кг"))
# Begin sentences, but also surnames after an initial or a title: "A. La Rocca", "E. de Vries".
_PARTICLES = frozenset(
    "al d da das de del den der di do dos du el l la las le les li lo los ten ter van von".split()
)


def word_before(text: str, start: int, end: int) -> str:
    """Returns the word that ends at a stop, without what may stand before a word; empty after white space."""
    words = text[max(start, end - _LONGEST) : end].split()
    if not words or text[end - 1].isspace():
        return ""
    word = words[-1].lstrip(_OPENING)
    if len(words) > 1 and _SPACED_PART.fullmatch(words[-2]) and len(word) < 4:
        return f"{words[-2]} {word}"  # "т. д", "z. B"
    return word


def is_enumerator(text: str, start: int, end: int) -> bool:
    """Tells whether the sentence so far is just a number or a letter: "858. Title", "(a. ...", "II. Part"."""
    return end - start < 12 and _ENUMERATOR.fullmatch(text, start, end) is not None


def abbreviated(word: str, following: str, model: SentenceModel) -> bool:
    """Tells whether a word before a full stop is abbreviated, or an ordinal.

    Args:
        word: The word before the stop, as `word_before` gives it.
        following: The first letter or digit of what follows.
        model: The language's.
    """
    number = _number(word, following)
    if number:
        return _is_ordinal(number, following, model)
    if len(word) == 1 or _DOTTED.fullmatch(word):
        return word[0].isalpha()
    lower = word.lower()
    if lower not in model.abbreviations:
        lower = re.split(r"[-'’]", lower)[-1]
    if lower in model.abbreviations:
        return lower not in model.numeric or not following.isupper() or following in "IVX"
    # Where no list says more, a short word without a vowel is abbreviated, unless in capitals, "BBC".
    return model.source != "shipped" and word != word.upper() and bool(_CONSONANTS.fullmatch(word.lower()))


def _number(word: str, following: str) -> str:
    """Returns the Arabic or Roman number that a word is or, as a range of two, ends with; else nothing."""
    if _NUMBER.fullmatch(word):
        return word
    span = (_LOOSE_RANGE if following.islower() else _RANGE).fullmatch(word)
    return span[1] if span else ""


def is_whole_word(word: str, model: SentenceModel) -> bool:
    """Tells whether a word is too long for an abbreviation that no list has, or ends as those rarely do."""
    if word[-1:] >= FIRST_IDEOGRAPH:
        return True
    if model.source != "shipped":
        return len(word) > 4
    return word[-1:] in _VOWELS or (len(word) > 3 and not _VOWELS.isdisjoint(word))


def _is_ordinal(number: str, following: str, model: SentenceModel) -> bool:
    """Tells whether a number with a full stop goes on: before a small letter always, else by the language."""
    if following.islower() or not model.ordinals:
        return following.islower()
    if following.isdigit():
        return len(number) < 3
    return not number.isdigit() or len(number) <= model.ordinals


def is_unit(text: str, end: int, word: str, model: SentenceModel) -> bool:
    """Tells whether the word that ends at a place is a measure after a number, which takes no full stop.

    Russian "см." is "see" elsewhere, and Lithuanian "m." a year.
    """
    before = end - len(word) - 2
    return word in _UNITS and word not in model.years and before >= 0 and text[before].isdigit()


def starts_sentence(word: str, text: str, follower: int, model: SentenceModel) -> bool:
    """Tells whether a sentence starts after an abbreviation, ordinal or initial all the same."""
    following = text[follower]
    if following.islower() or following.isdigit():
        return False
    lower = word.lower()
    if lower in model.endings:
        return True
    match = _WORD.match(text, follower)
    if match is None:
        return False
    next_word = match[0].lower()
    mark = text[match.end() : match.end() + 1]
    if mark == ".":
        return False
    if word[:1].isupper() and "." not in word and next_word in _PARTICLES:
        return False
    return next_word in model.starters or (mark in ("'", "’") and next_word + "'" in model.starters)
