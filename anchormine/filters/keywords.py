"""Rule `keywords`: functional anchors, such as "read more", which say nothing of the page they lead to.

`keyword_lists/` holds a list for each language, one anchor a line; the English one is that of Anchor-DR's
program (SIGIR 2023), and what English says besides to share a page is in one of its own. A list of a user's
own is made of the corpus' most frequent anchors, as the paper's was: `anchormine filter --suggest-keywords`
writes them out to be ticked.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from anchormine.filters.cleaning import clean_anchor

KEYWORDS = "keywords"
LISTS = ("languages", "english", "none")
EVERY_LANGUAGE = ""
_FOLDER = Path(__file__).with_name("keyword_lists")
_SHARING = "en_sharing"
# Names of wikis and other codes of a language that has a list.
_SAME_LANGUAGE = {"simple": "en", "nb": "no", "nn": "no", "iw": "he", "in": "id"}

# The forms of keywords by language; those of `EVERY_LANGUAGE` count in all of them.
Keywords = Mapping[str, frozenset[str]]


def keywords(
    text: str, language: str | None = None, lists: str = "languages", own: Keywords | None = None
) -> str | None:
    """The reason to drop a functional anchor, or None.

    Args:
        text: of an anchor, the whole of it.
        language: of its page, a code such as "pt-BR".
        lists: which of ours count: "languages" takes the list of the language, and both English ones for
            every language, as English words are in the menus of all sites; "english" that of Anchor-DR's
            program alone; "none" none.
        own: more of them.
    """
    form = keyword_form(text)
    code = language_code(language)
    if lists != "none" and form in shipped_keywords("en" if lists == "english" else code):
        return KEYWORDS
    if lists == "languages" and form in sharing_keywords():
        return KEYWORDS
    if own and (form in own.get(EVERY_LANGUAGE, ()) or form in own.get(code, ())):
        return KEYWORDS
    return None


def keyword_form(text: str) -> str:
    """A text as keywords are compared: without spaces, in lower case, with straight apostrophes."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("’", "'")
    return "".join(text.lower().split())


@cache
def language_code(language: str | None) -> str:
    """The language of a list for a code: its first part, in lower case; "" for None."""
    code = (language or EVERY_LANGUAGE).lower().replace("_", "-").split("-")[0]
    return _SAME_LANGUAGE.get(code, code)


@cache
def shipped_keywords(code: str) -> frozenset[str]:
    """The forms of our list of a language, with those of Anchor-DR's program."""
    english = shipped_keywords("en") if code != "en" else frozenset()
    if not code.isalpha() or not _list_path(code).is_file():
        return english
    return english | _listed(code)


@cache
def sharing_keywords() -> frozenset[str]:
    """The forms of what is said in English to share a page."""
    return _listed(_SHARING)


def _listed(name: str) -> frozenset[str]:
    return keyword_forms(keyword_lines(_list_path(name).read_text(encoding="utf-8").splitlines()))


def _list_path(name: str) -> Path:
    return _FOLDER / f"{name}.txt"


def keyword_lines(lines: Iterable[str]) -> list[str]:
    """The lines of a list that hold a keyword; "#" begins a remark."""
    return [line for line in lines if line.strip() and not line.startswith("#")]


def keyword_forms(texts: Iterable[str], profile: str | None = None) -> frozenset[str]:
    """The forms of keywords; one of which cleaning leaves nothing has none, like the anchors that it is.

    Args:
        texts: keywords.
        profile: of the cleaning that the texts of anchors go through before they are compared, and so the
            keywords, too; None for none.
    """
    clean = texts if profile is None else (clean_anchor(text, profile) for text in texts)
    return frozenset(filter(None, map(keyword_form, clean)))
