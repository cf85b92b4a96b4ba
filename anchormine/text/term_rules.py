"""How texts become terms: which runs of characters are words, which of them stop, and what is their stem.

| words | a word is |
|---|---|
| `letters` | what `anchormine.sampling.terms` finds, without those that have a digit; any script |
| `ascii` | a run of the letters a to z: `don't` is `don` and `t`, as PROP's program reads |
| `two_characters` | two letters, digits or underscores and more, any script: bm25s' and scikit-learn's |

Scripts without spaces (Han, Kana, Thai, Lao, Khmer, Burmese) give pairs of characters or syllables under
`letters`; in Tibetan a word is a syllable.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from anchormine.errors import UsageError
from anchormine.sampling.stop_words import is_stop_word, stop_word_language
from anchormine.sampling.stop_words import stop_words as stop_words_of
from anchormine.sampling.terms import letter_terms

Words = Literal["letters", "ascii", "two_characters"]
Stem = Literal["none", "snowball", "porter", "porter_1980"]
STEMS: tuple[Stem, ...] = get_args(Stem)

_ASCII_LETTERS = re.compile("[a-z]+")
_TWO_CHARACTERS = re.compile(r"(?u)\b\w\w+\b")
FIND_WORDS: dict[Words, Callable[[str], list[str]]] = {
    "letters": letter_terms,
    "ascii": lambda text: _ASCII_LETTERS.findall(text.lower()),
    "two_characters": lambda text: _TWO_CHARACTERS.findall(text.lower()),
}
# NLTK's Snowball stemmers by the code of their language.
_SNOWBALL = {
    **{"ar": "arabic", "da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish"},
    **{"fr": "french", "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian"},
    **{"pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish"},
}


@dataclass(frozen=True)
class TermRules:
    """How the texts of a corpus become terms.

    Attributes:
        words: which runs of characters are words.
        stem: `snowball` stems by the language of each text, a language without a stemmer not at all;
            `porter` is NLTK's for every text, `porter_1980` the same without NLTK's extensions.
        stop_words: left out in every text; None takes the list of each text's language.
        left_out: words left out besides them.
    """

    words: Words = "letters"
    stem: Stem = "none"
    stop_words: frozenset[str] | None = None
    left_out: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for name, known in (("words", get_args(Words)), ("stem", STEMS)):
            if getattr(self, name) not in known:
                raise UsageError(f"--{name} {getattr(self, name)}: one of {', '.join(known)}")


class TermReader:
    """Reads the terms of texts in one language.

    Attributes:
        stemmed: whether a term can differ from its word.
    """

    def __init__(self, rules: TermRules, language: str | None = None) -> None:
        """Takes the rules, and the code of the language; None is read as English."""
        self._find = FIND_WORDS[rules.words]
        words = stop_words_of(language) if rules.stop_words is None else rules.stop_words
        words |= rules.left_out
        self._is_stop = _Remembered(lambda word: is_stop_word(word, words))
        self._stem = _Remembered(find_stemmer(rules.stem, language))
        self.stemmed = rules.stem != "none"

    def words(self, text: str) -> list[str]:
        """The words of a text but the stop words, lower-cased, in order."""
        is_stop = self._is_stop
        return [word for word in self._find(text) if not is_stop[word]]

    def terms(self, words: list[str]) -> list[str]:
        """The terms that words count as: their stems, or they themselves."""
        stem = self._stem
        return [stem[word] for word in words] if self.stemmed else words


def find_stemmer(stem: Stem, language: str | None = None) -> Callable[[str], str]:
    """The function that stems a word of a language (by default English)."""
    if stem == "none" or (stem == "snowball" and stop_word_language(language) not in _SNOWBALL):
        return str
    from nltk.stem import PorterStemmer, SnowballStemmer

    if stem == "snowball":
        snowball = SnowballStemmer(_SNOWBALL[stop_word_language(language)])
        return _arabic(snowball.stemmer) if stop_word_language(language) == "ar" else snowball.stem
    mode = PorterStemmer.NLTK_EXTENSIONS if stem == "porter" else PorterStemmer.ORIGINAL_ALGORITHM
    return PorterStemmer(mode).stem


def _arabic(stemmer: Any) -> Callable[[str], str]:
    """NLTK's stemmer, made to forget the word before: it resets all that it notes of one but this."""

    def stem(word: str) -> str:
        stemmer.suffixes_verb_step1_success = False
        return stemmer.stem(word)

    return stem


class _Remembered(dict):
    """Answers of a function of a word; begun anew when there are very many."""

    _MAX_WORDS = 1 << 19

    def __init__(self, function: Callable[[str], object]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, word: str) -> object:
        if len(self) >= self._MAX_WORDS:
            self.clear()
        answer = self[word] = self._function(word)
        return answer
