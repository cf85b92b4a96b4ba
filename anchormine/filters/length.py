"""Rule `length`: texts too long for a query."""

from __future__ import annotations

import re

LENGTH = "length"
MAX_WORDS = 64  # Anchor-DR's
# Scripts without spaces, and how many characters a word of them has on average, about.
_TWO_A_WORD = re.compile(
    "[\u3005\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]"
)
# Their punctuation, with that of full width, which stands between words and is none.
_BETWEEN = re.compile("[\u3000-\u3004\u3008-\u3020\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]")
_FOUR_A_WORD = re.compile("[\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0edf\u1000-\u109f\u1780-\u17d3]")


def length(text: str, max_words: int = MAX_WORDS, unspaced: bool = True) -> str | None:
    """The reason to drop a text of more than `max_words` words, or None.

    Args:
        text: of an anchor.
        max_words: how many words it may have.
        unspaced: whether words are counted in scripts without spaces, too; see `count_words`.
    """
    if len(text) <= max_words:  # a word has a character at least
        return None
    return LENGTH if count_words(text, unspaced) > max_words else None


def count_words(text: str, unspaced: bool = True) -> int:
    """How many words a text has: what stands between white space.

    Args:
        text: of any language.
        unspaced: whether, where no spaces divide words, characters stand for them: two of Chinese or
            Japanese, but for punctuation, four of Thai, Lao, Khmer or Burmese are a word; what else the text
            holds counts as before. False counts such a run as one word, as Anchor-DR's program does.
    """
    if not unspaced or text.isascii():
        return len(text.split())
    spaced, two = _TWO_A_WORD.subn(" ", _BETWEEN.sub(" ", text))
    spaced, four = _FOUR_A_WORD.subn(" ", spaced)
    return len(spaced.split()) + -(-two // 2) + -(-four // 4)
