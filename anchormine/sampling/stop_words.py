"""Words that carry no topic and are left out of every query (HARP section 3.2, PROP section 3.1).

`stop_words.tsv` holds one line a language: its ISO 639-1 code, a tab, its words. English is the INQUERY list
of 418 words that HARP and PROP use (from PROP's repository, Apache-2.0); the other languages come from
Stopwords ISO (MIT licence, as packaged in stopwordsiso 0.7.1). The head of the file has the addresses and the
notice.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from pathlib import Path

from anchormine.errors import UsageError
from anchormine.sampling.terms import HAN, find_words
from anchormine.text.language_codes import REPLACED
from anchormine.text_file import utf8_text

_LISTS = Path(__file__).with_name("stop_words.tsv")
_HAN_PAIR = re.compile(f"[{HAN}]{{2}}")
# Names of wikis and other codes of a language that has a list; "po" is ClueWeb22's.
_SAME_LANGUAGE = {**REPLACED, "simple": "en", "nb": "no", "nn": "no", "fil": "tl", "ckb": "ku", "po": "pl"}


@cache
def stop_words(language: str | None = "en") -> frozenset[str]:
    """The stop words of a language.

    Args:
        language: a code such as "en", "pt-BR" or "zh_TW"; None, where a text says nothing, is read as "en".

    Returns:
        Lower-cased words; the empty set for a language without a list.
    """
    return frozenset(_read_lists().get(stop_word_language(language), ()))


def stop_word_language(language: str | None) -> str:
    """The code that a language goes by here: "pt" for "pt-BR", "en" for "simple" and None."""
    code = (language or "en").lower().replace("_", "-").split("-")[0]
    return _SAME_LANGUAGE.get(code, code)


def read_stop_words(path: str | Path) -> frozenset[str]:
    """Reads a list of one's own: one entry a line, UTF-8, in any case.

    An entry may be a symbol or, for the profile `code`, a word piece; it is kept as it stands, and the words
    that it is read as in a text are added to it (`we'll` is `we` there).

    Raises:
        UsageError: the file cannot be read, is not UTF-8, or holds nothing.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"--stop-words {path}: {error.strerror or error}") from None
    lines = utf8_text(content, f"--stop-words {path}").splitlines()
    entries = {line.strip().lower() for line in lines} - {""}
    if not entries:
        raise UsageError(f"--stop-words {path}: no words in it; write one a line")
    single = (find_words(entry) for entry in entries)
    return frozenset(entries.union(words[0].term for words in single if len(words) == 1))


def is_stop_word(term: str, words: Collection[str]) -> bool:
    """Whether a term is left out: it is in the list, or it is a pair of Han characters that both are."""
    if term in words:
        return True
    is_pair = len(term) == 2 and term[0] in words and term[1] in words
    return is_pair and _HAN_PAIR.fullmatch(term) is not None


@cache
def _read_lists() -> dict[str, tuple[str, ...]]:
    lines = _LISTS.read_text(encoding="utf-8").splitlines()
    pairs = (line.split("\t") for line in lines if not line.startswith("#"))
    return {code: tuple(words.split(" ")) for code, words in pairs}
