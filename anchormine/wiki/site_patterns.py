"""What finds in wikitext the words and prefixes of one wiki."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from anchormine.wiki.languages import LanguageFacts

FILE = 6  # the namespace
_FILE_TYPES = "jpe?g|png|svg|gif|tiff?|xcf|webp|og[gav]|webm|pdf|djvu|flac|wav|mp3|midi?|stl"


def any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """What finds these words, in any case, the longest first."""
    return re.compile(
        "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)), re.IGNORECASE
    )


def at_the_end(letters: str) -> re.Pattern[str]:
    """What finds the letters that a text ends with, looked for from the first of each run alone.

    Args:
        letters: regex source of a class of letters, and "+".
    """
    return re.compile(rf"(?<!{letters.removesuffix('+')}){letters}$")


def own_prefixes(
    language: str, facts: LanguageFacts, namespaces: Mapping[str, int]
) -> re.Pattern[str] | None:
    """What finds "en:" and "en:en:" before a title on the wiki of English, which lead to the wiki itself."""
    if language not in facts.interlanguage_codes or namespaces.get(language):
        return None
    return re.compile(rf"(?:{re.escape(language)} ?:(?=[: ]*[^ ])[: ]*)+", re.IGNORECASE)


@lru_cache(16)
def media_opener(namespaces: tuple[tuple[str, int], ...], interwiki: frozenset[str]) -> re.Pattern[str]:
    """What finds the start of a picture or another file in wikitext.

    Args:
        namespaces: names and numbers.
        interwiki: prefixes of other wikis.
    """
    own = _alternatives(name for name, number in namespaces if number == FILE)
    others = _alternatives([*interwiki, *(name for name, number in namespaces if number != FILE)])
    # A word that the wiki does not know is one for pictures too where a file's name follows it: pages are
    # copied from other languages.
    file = rf"[^\[\]|:\n]{{1,30}}:[^\[\]|\n]{{1,240}}\.(?:{_FILE_TYPES})[ _]*[|\]]"
    return re.compile(
        rf"\[\[(?=[^\[\]|:\n]{{1,60}}:)[ _]*(?:(?:{own})[ _]*:|(?={file})(?!(?:{others})[ _]*:))",
        re.IGNORECASE,
    )


def _alternatives(names: Iterable[str]) -> str:
    longest_first = sorted(filter(None, names), key=len, reverse=True)
    return "|".join(re.escape(name).replace(r"\ ", "[ _]+") for name in longest_first)
