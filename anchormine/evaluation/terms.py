"""The terms of a text for first-stage rankers: words of two characters and more, without stops, stemmed."""

from collections.abc import Callable
from typing import NamedTuple

from anchormine.bm25s_package import load_bm25s
from anchormine.errors import UsageError
from anchormine.text.term_rules import Stem, TermReader, TermRules


class LanguageTerms(NamedTuple):
    """What a language's text is stopped and stemmed with.

    Attributes:
        stop_words: name of one of bm25s' lists, or None.
        stem: as in `TermRules`. English has Porter's algorithm of 1980 as published, that of Lucene and
            Anserini; NLTK's own extensions move nDCG@10 by 0.0007 on WikiQA.
    """

    stop_words: str | None
    stem: Stem


LANGUAGES = {
    "ar": LanguageTerms(None, "snowball"),
    "da": LanguageTerms("DANISH", "snowball"),
    "de": LanguageTerms("GERMAN", "snowball"),
    "en": LanguageTerms("EN", "porter_1980"),
    "es": LanguageTerms("SPANISH", "snowball"),
    "fi": LanguageTerms(None, "snowball"),
    "fr": LanguageTerms("FRENCH", "snowball"),
    "hu": LanguageTerms(None, "snowball"),
    "it": LanguageTerms("ITALIAN", "snowball"),
    "ko": LanguageTerms("KOREAN", "none"),
    "nl": LanguageTerms("DUTCH", "snowball"),
    "no": LanguageTerms("NORWEGIAN", "snowball"),
    "none": LanguageTerms(None, "none"),
    "pt": LanguageTerms("PORTUGUESE", "snowball"),
    "ro": LanguageTerms(None, "snowball"),
    "ru": LanguageTerms("RUSSIAN", "snowball"),
    "sv": LanguageTerms("SWEDISH", "snowball"),
    "tr": LanguageTerms("TURKISH", "none"),
}


def term_splitter(language: str = "en") -> Callable[[str], list[str]]:
    """Makes the function that turns a text into terms.

    Args:
        language: one of `LANGUAGES`; "none" only splits and lower-cases.

    Returns:
        A function of a text; its terms in order, with repeats.

    Raises:
        UsageError: a language without a stop list and a stemmer here.
    """
    if language not in LANGUAGES:
        raise UsageError(
            f"--language {language}: not known to BM25 and QL; it is one of {', '.join(LANGUAGES)}"
        )
    found = LANGUAGES[language]
    reader = TermReader(TermRules("two_characters", found.stem, _stop_words(found.stop_words)), language)

    def split(text: str) -> list[str]:
        return reader.terms(reader.words(text))

    return split


def _stop_words(name: str | None) -> frozenset[str]:
    return frozenset(getattr(load_bm25s().stopwords, f"STOPWORDS_{name}") if name else ())
