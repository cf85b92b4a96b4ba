"""The terms that BM25 knows texts by, when negatives are mined: of any language."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from anchormine.evaluation.terms import LANGUAGES, term_splitter
from anchormine.sampling.terms import find_words

ANY = "none"


@cache
def mining_splitter(language: str | None) -> Callable[[str], list[str]]:
    """The function that turns a text into terms; it is made once, for it remembers stems.

    Args:
        language: a code. One that BM25 has stop words and stems for is split as `evaluate` splits it; texts
            of any other are split into the words of `find_words`, which knows scripts without spaces.

    Returns:
        A function of a text; its terms in order, with repeats.
    """
    if language in LANGUAGES and language != ANY:
        return term_splitter(language)
    return _words


def _words(text: str) -> list[str]:
    return [word.term for word in find_words(text)]
