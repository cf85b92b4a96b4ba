"""Rule `keywords`: functional anchors, such as "read more", which say nothing of the page they lead to.

`keyword_lists/` holds a list for each language, one anchor a line; the English one is that of Anchor-DR's
program (SIGIR 2023). What English says besides, to share a page and in menus, is in lists of their own, as
are the names of languages: all pages have these. A list of a user's own is made of the corpus' most frequent
anchors, as the paper's was: `anchormine filter --suggest-keywords` writes them out to be ticked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from anchormine.filters.cleaning import clean_anchor
from anchormine.text.case_folding import DOTTED
from anchormine.text.language_codes import REPLACED
from anchormine.text.normal_forms import normal_form

KEYWORDS = "keywords"
LISTS = ("languages", "english", "none")
EVERY_LANGUAGE = ""
UNDECLARED = "und"  # as BCP 47 has it: of a text whose language nothing says
_FOLDER = Path(__file__).with_name("keyword_lists")
_FOR_ALL = ("en_sharing", "en_menus", "language_names")
# Names of wikis and other codes of a language that has a list; "po" is ClueWeb22's.
_SAME_LANGUAGE = {**REPLACED, "simple": "en", "nb": "no", "nn": "no", "po": "pl"}
# In the letters a to z many short words, in lists of one language or another, are ordinary ones of English or
# of a third language ("plus", "visa", "no", "source"), and so are these longer ones.
_MIN_LETTERS = 8
_ORDINARY_WORDS = frozenset(
    "anterior commenter connexion continua inscription modificare modifier precedent recherche "
    "registrar responder".split()
)

# A letter that is no Latin one.
_NOT_LATIN = re.compile(r"[^\W\d_a-zA-Z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff]")
_TURKISH = re.compile("[ıİ]")
_GREEK = re.compile("[\u0370-\u03ff]")
_ACCENT = re.compile("([\u0370-\u03ff]\u0308?)\u0301")  # behind a letter, which may have a diaeresis
_ARABIC = re.compile("[\u0640-\u064a]")
# Yeh and kaf as Persian has them, where they were written as Arabic has them: windows-1256 has no other yeh.
# The sign that only makes a word longer goes.
_IN_PERSIAN = str.maketrans("\u064a\u0649\u0643", "\u06cc\u06cc\u06a9", "\u0640")

# Signs that are typed one for another, "'" and "-" among them, which all keyboards have.
_ONE_FORM = {**dict.fromkeys(map(ord, "’‘ʼ′`"), "'"), **dict.fromkeys(map(ord, "‐‑"), "-"), 0x200B: ""}

# The forms of keywords by language; those of `EVERY_LANGUAGE` count in all of them, with and without one.
Keywords = Mapping[str, frozenset[str]]


def keywords(
    text: str, language: str | None = None, lists: str = "languages", own: Keywords | None = None
) -> str | None:
    """The reason to drop a functional anchor, or None.

    Args:
        text: of an anchor, the whole of it.
        language: of its page, a code such as "pt-BR"; None where nothing says it.
        lists: which of ours count: "languages" takes the list of the language, and all English ones for
            every language, as English words are in the menus of all sites, the names of languages, and
            without a language what `undeclared_keywords` has; as software for sites says that its pages are
            English where nobody changes that, in English what `foreign_keywords` has; "english" that of
            Anchor-DR's program alone; "none" none.
        own: more of them.
    """
    form = keyword_form(text)
    code = keyword_language(language)
    if lists != "none" and form in shipped_keywords("en" if lists == "english" else code):
        return KEYWORDS
    if lists == "languages" and (
        form in keywords_for_all()
        or (code == UNDECLARED and _is_undeclared(text, form))
        or (code == "en" and form in foreign_keywords())
    ):
        return KEYWORDS
    if own and (form in own.get(EVERY_LANGUAGE, ()) or form in own.get(code, ())):
        return KEYWORDS
    return None


def keyword_form(text: str) -> str:
    """A text as keywords are compared: without spaces, its case folded, apostrophes and hyphens in one form.

    What a language writes otherwise in capitals is the same: Greek without its accents, German without its
    "ß", and Turkish, whose I is that of "ı", and whose "i" has a capital of its own. So is Persian in the
    letters of Arabic.
    """
    if not text.isascii():
        text = normal_form("NFKC", text).translate(_ONE_FORM)
    form = "".join(text.casefold().split())
    if form.isascii():
        return form
    form = form.replace("ı", "i").replace(DOTTED, "i")
    if _GREEK.search(form):
        form = normal_form("NFC", _ACCENT.sub(r"\1", normal_form("NFD", form)))
    return form.translate(_IN_PERSIAN) if _ARABIC.search(form) else form


@cache
def keyword_language(language: str | None) -> str:
    """The language of a list for a code: its first part, in lower case; `UNDECLARED` for None."""
    code = (language or UNDECLARED).lower().replace("_", "-").split("-")[0]
    return _SAME_LANGUAGE.get(code, code)


@cache
def shipped_keywords(code: str) -> frozenset[str]:
    """The forms of our list of a language, with those of Anchor-DR's program."""
    english = shipped_keywords("en") if code != "en" else frozenset()
    if not code.isalpha() or not _list_path(code).is_file():
        return english
    return english | _listed(code)


@cache
def keywords_for_all() -> frozenset[str]:
    """The forms that count on pages of every language, besides those of Anchor-DR's program.

    They are what English says to share a page, and in menus, and the names of languages in themselves.
    """
    return frozenset().union(*map(_listed, _FOR_ALL))


@cache
def undeclared_keywords() -> frozenset[str]:
    """The forms of all lists that count where nothing says in which language a text is.

    That is each with a letter beyond a to z ("다음", "más"), and of the others those of `_MIN_LETTERS` or
    more, spaces not counted ("startseite", "mehr infos"), that are no words of English.
    """
    return frozenset(filter(_is_plain_to_all, _all_listed()))


@cache
def foreign_keywords() -> frozenset[str]:
    """The forms of all lists that have letters other than Latin ones ("далее", "facebookでシェア")."""
    return frozenset(filter(_NOT_LATIN.search, _all_listed()))


def _is_undeclared(text: str, form: str) -> bool:
    """Tells whether a text whose language nothing says is a keyword: one of Turkish by its own i, too."""
    return form in undeclared_keywords() or (
        _TURKISH.search(text) is not None and form in shipped_keywords("tr")
    )


def _is_plain_to_all(form: str) -> bool:
    return not form.isascii() or (len(form) >= _MIN_LETTERS and form not in _ORDINARY_WORDS)


@cache
def _all_listed() -> frozenset[str]:
    return frozenset().union(*(_listed(path.stem) for path in _FOLDER.glob("*.txt")))


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
