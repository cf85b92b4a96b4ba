"""The abbreviations of a language that none are shipped for, learned from a sample of its text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from nltk.tokenize.punkt import PunktTrainer

from anchormine.text.punkt import punkt_marks

# Characters. The trainer takes about a second for as many.
_SAMPLE_LENGTH = 1_000_000
_ABBREVIATION = re.compile(r"[^\W\d_]{1,8}(?:\.[^\W\d_]{1,8})*")
_WORD = re.compile(r"[^\W\d_]+")
# A word [1] that a full stop follows, and the comma [2] or letter [3] after it.
_STOPPED_WORD = re.compile(r"([^\W\d_]{1,8})\.(?:([,;:،؛])|\s+([^\W\d_]))")
# The part of a word's full stops that must be seen to go on with the sentence.
_GOING_ON = 0.2
# A paragraph of prose has more characters, a heading or list item mostly fewer.
_PROSE_LENGTH = 80
_CLOSING = " \t\r\"'”’»)]"


def learned_words(sample: Iterable[str], language: str) -> dict[str, Any]:
    """Returns what `PunktTrainer` learns from text, as fields of a `SentenceModel`.

    From little text Punkt also learns short words that often end sentences, such as the verbs of Persian and
    Tatar. Where full stops end sentences, a word is therefore kept only if it has a full stop inside, or if
    its own is seen to go on with the sentence: before a comma or a small letter.

    Args:
        sample: Texts, of which the first million characters are read.
        language: Their language, for its marks.
    """
    text = _beginning(sample)
    learned = PunktTrainer(text, lang_vars=punkt_marks(language, text)).get_params()
    abbreviations = frozenset(filter(_ABBREVIATION.fullmatch, learned.abbrev_types))
    if _full_stops_end_sentences(text):
        goes_on = _words_that_go_on(text)
        abbreviations = frozenset(word for word in abbreviations if "." in word or word in goes_on)
    return {
        "abbreviations": abbreviations,
        "starters": frozenset(filter(_WORD.fullmatch, learned.sent_starters)),
        # Punkt writes every number so: where numbers are abbreviations, they are ordinals.
        "ordinals": int("##number##" in learned.abbrev_types),
    }


def _beginning(sample: Iterable[str]) -> str:
    parts = []
    room = _SAMPLE_LENGTH
    for text in sample:
        parts.append(text[:room])
        room -= len(text) + 1
        if room <= 0:
            break
    return "\n".join(parts)


def _full_stops_end_sentences(text: str) -> bool:
    """Tells whether most paragraphs end with a full stop: in Thai and Hindi it only abbreviates."""
    prose = [line.rstrip(_CLOSING) for line in text.split("\n") if len(line) > _PROSE_LENGTH]
    return 2 * sum(line.endswith(".") for line in prose) > len(prose)


def _words_that_go_on(text: str) -> set[str]:
    """Returns the words after whose full stop a comma or small letter is common."""
    all_stops: Counter[str] = Counter()
    going_on: Counter[str] = Counter()
    for word, comma, letter in _STOPPED_WORD.findall(text):
        all_stops[word.lower()] += 1
        if comma or _is_small(letter):
            going_on[word.lower()] += 1
    return {word for word, count in going_on.items() if count >= _GOING_ON * all_stops[word]}


def _is_small(letter: str) -> bool:
    """Tells whether a letter has a capital that starts sentences: Georgian's are for headlines only."""
    return letter.islower() and letter.title() != letter
