"""What the splitters know of one language: made once, sent to every worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class SentenceModel:
    """One language's splitter and words. Words are in lower case and without their last full stop.

    Attributes:
        language: Its code, in lower case with hyphens.
        kind: The splitter: ``rules`` for Latin, Cyrillic, Han and Kana, ``punkt`` for other scripts.
        source: Where the words are from: ``shipped`` with the program, ``learned`` from a sample, or
            ``general`` to all languages.
        abbreviations: Words after which a full stop ends no sentence by itself; the next four are among them.
        endings: Those that end a sentence where a capital letter follows ("etc").
        numeric: Those that are plain words unless a number follows ("no", "art").
        years: Words for "year" after its number ("1990 r.").
        starters: Words that start a sentence even after an abbreviation.
        ordinals: How many digits an ordinal with a full stop ("5." for 5th) has at most before a capital
            letter; 0 where ordinals are written otherwise.
    """

    language: str
    kind: Literal["rules", "punkt"]
    source: Literal["shipped", "learned", "general"]
    abbreviations: frozenset[str] = frozenset()
    endings: frozenset[str] = frozenset()
    numeric: frozenset[str] = frozenset()
    years: frozenset[str] = frozenset()
    starters: frozenset[str] = frozenset()
    ordinals: int = 0
