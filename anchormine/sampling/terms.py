"""The words of a text in any script, each with its place: the units that queries are drawn from.

A word is a run of letters, marks and digits, lower-cased (HARP section 3.2 and PROP section 3.1 draw whole
words). What the run alone does not settle:

* Apostrophes and periods: the English endings 's 'll 're 've 'd 'm and the elided articles of French, Italian
  and Catalan (l', d', qu', dell' ...) are cut off, other apostrophes stay: John's -> john, l'eau -> eau,
  don't, o'brien, м'яч. Abbreviations (u.s) and numbers (1,000 or 3.5) are one word; a hyphen separates.
* Kana: a run of Katakana is a word, a run of Hiragana is a word (most are particles, which the stop list
  knows).
* Han: no spaces mark the words, so a run gives every pair of neighbours (北京大学 -> 北京, 京大, 大学),
  a lone character itself. The particle 的 separates.
* Thai, Lao, Khmer, Burmese: a run gives every pair of neighbouring clusters (a base letter, its marks and the
  vowels written around it; in Burmese a syllable).

Pairs overlap, so a character can count for two words.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from itertools import pairwise
from typing import NamedTuple

from anchormine.text.case_folding import DOTTED
from anchormine.text.normal_forms import normal_form


class Word(NamedTuple):
    """A word at its place: `term` is lower-cased and in NFC, text[start:end] is what was written."""

    term: str
    start: int
    end: int


def find_words(text: str) -> list[Word]:
    """Finds the words of a text, in order.

    Args:
        text: of any language.

    Returns:
        Each word with its first character and the one after its last. Only pairs of Han characters and of
        Thai, Lao, Khmer or Burmese clusters overlap.
    """
    found: list[Word] = []
    for match in _WORD.finditer(text):
        group = match.lastgroup
        start, end = match.span()
        if group == "apostrophe":
            start, end = _without_affixes(text, start, end)
        if group == "han":
            found += _pairs(text, [(at, at + 1) for at in range(start, end)])
        elif group == "cluster":
            found += _pairs(
                text, [(start + a, start + b) for a, b in map(re.Match.span, _CLUSTER.finditer(match[0]))]
            )
        else:
            found.append(Word(_term(text[start:end]), start, end))
    return found


def letter_terms(text: str) -> list[str]:
    """The terms that `find_words` finds but those with a digit, in order: the words of PROP (section 3.1).

    Where a text has spaces between its words this takes a third of the time.
    """
    lowered = normal_form("NFC", text.lower())
    if _DIVIDED.search(lowered):
        return [word.term for word in find_words(text) if not _DIGIT.search(word.term)]
    return [
        term for run in _SPACED.findall(lowered) for term in ((run,) if run.isalpha() else _terms_of_run(run))
    ]


def _terms_of_run(run: str) -> list[str]:
    """The term of a run with apostrophes, marks or digits in it, unless it is no word of letters."""
    if _DIGIT.search(run):
        return []
    start, end = _without_affixes(run, 0, len(run)) if run.count("'") + run.count("’") else (0, len(run))
    return [_term(run[start:end])]


def count_words(text: str) -> int:
    """The number of words that `find_words` finds, in about half the time."""
    count = 0
    for match in _WORD.finditer(text):
        if match.lastgroup == "han":
            count += max(1, match.end() - match.start() - 1)
        elif match.lastgroup == "cluster":
            count += max(1, sum(1 for _ in _CLUSTER.finditer(match[0])) - 1)
        else:
            count += 1
    return count


def _without_affixes(text: str, start: int, end: int) -> tuple[int, int]:
    """Leaves out an elided article before a word and an English ending behind it."""
    if elided := _ELIDED.match(text, start, end):
        start = elided.end()
    ending = _ENDING.search(text, start, end)
    return start, ending.start() if ending else end


def _pairs(text: str, units: list[tuple[int, int]]) -> list[Word]:
    """Joins each unit with the next one; a lone unit stays alone."""
    if len(units) > 1:
        units = [(start, end) for (start, _), (_, end) in pairwise(units)]
    return [Word(_term(text[start:end]), start, end) for start, end in units]


def _term(written: str) -> str:
    """Lower-cases a word, with composed accents, straight apostrophes and no soft hyphen."""
    if written.isascii():
        return written.lower()
    return normal_form("NFC", written.lower()).translate(_ALIKE)


def _marks() -> str:
    """The combining marks of Unicode as the inside of a character class; `re` has no \\p{M}."""
    ranges: list[list[int]] = []
    for code in range(0x300, 0x20000):  # later planes hold no marks but variation selectors
        if unicodedata.category(chr(code))[0] == "M":
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


_ALIKE = str.maketrans({"’": "'", "\xad": None})
# For a class of a pattern: Han characters, with the signs that stand for one.
HAN = "\u3005\u3007\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_HIRAGANA = "\u3041-\u3096\u309d-\u309f"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
# letters and marks of Thai, Lao, Burmese and Khmer; their digits make numbers
_UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u0edc-\u0edf\u1000-\u103f\u1050-\u108f\u1780-\u17d3\u17dc-\u17dd"
)
_JOINERS = "\xad\u200c\u200d"  # soft hyphen and the zero-width (non-)joiners of Persian and Indic words
_PLAIN = rf"[^\W_{HAN}{_HIRAGANA}{_KATAKANA}{_UNSPACED}]"
_MARK = rf"[{_marks()}{_JOINERS}]"
_RUN = rf"{_PLAIN}+(?:{_MARK}+{_PLAIN}*)*"
_INSIDE = (
    r"[.,](?<=\d.)(?=\d)"  # 1,000 and 3.5
    r"|·(?<=[lL].)(?=[lL])"  # Catalan
    r'|["״׳](?<=[\u05d0-\u05ea].)(?=[\u05d0-\u05ea])'  # Hebrew abbreviations
)
_ABBREVIATION = r"(?:[^\W\d_]\.)+[^\W\d_](?!\w)"
_WORD = re.compile(
    rf"(?P<abbreviation>{_ABBREVIATION})"
    rf"|{_RUN}(?:(?:{_INSIDE}){_RUN})*(?P<apostrophe>(?:['’]{_RUN})+)?"
    rf"|(?P<han>(?:(?!(?<!目)的)[{HAN}])+)"
    rf"|(?P<kana>[{_HIRAGANA}]+|[{_KATAKANA}]+)"
    rf"|(?P<cluster>[{_UNSPACED}](?:[{_UNSPACED}]|{_MARK})*)"
)
# What is a word where spaces divide words. Where they do not, and in abbreviations with the capital "İ", of
# which small letters make two characters, a text in small letters has others.
_SPACED = re.compile(rf"{_ABBREVIATION}|{_RUN}(?:(?:{_INSIDE}){_RUN})*(?:['’]{_RUN})*")
_DIVIDED = re.compile(rf"[{HAN}{_HIRAGANA}{_KATAKANA}{_UNSPACED}]|\.{DOTTED}|{DOTTED}\.")
_DIGIT = re.compile(r"\d")
_ELIDED = re.compile(
    r"(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|un|all|dall|dell|nell|sull|coll|gl|degl|quell|quest|bell|sant)"
    r"['’](?!h)(?=[^\W\d_])",  # c'h is a letter of Breton
    re.IGNORECASE,
)
_ENDING = re.compile(r"['’](?:s|ll|re|ve|d|m)$", re.IGNORECASE)
# a vowel written first, the base, stacked consonants, marks, vowels written after, Burmese finals (killed by
# ်)
_CLUSTER = re.compile(
    rf"[\u0e40-\u0e44\u0ec0-\u0ec4]?.(?:{_MARK}*[\u1039\u17d2].)*{_MARK}*[\u0e30\u0e32\u0e33\u0e45\u0eb0\u0eb2\u0eb3]*"
    rf"(?:[\u1000-\u1021]\u103a{_MARK}*)*"
)
assert sys.maxunicode > 0xFFFF
