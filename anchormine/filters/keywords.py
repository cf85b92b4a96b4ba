"""Rule `keywords`: functional anchors, such as "read more", which say nothing of the page they lead to.

`keyword_lists/` holds a list for each language, one anchor a line; the English one is that of Anchor-DR's
program (SIGIR 2023). A list of one's own is made of the corpus' most frequent anchors, as the paper's was:
`anchormine filter --suggest-keywords` writes them out to be ticked.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from anchormine.errors import UsageError
from anchormine.filters.cleaning import clean_anchor

KEYWORDS = "keywords"
LISTS = ("languages", "english", "none")
# The head of a file of suggestions; a row counts as a keyword if there is anything in its first column.
SUGGESTION_COLUMNS = ("keyword", "language", "count", "anchor")
SUGGESTIONS = "stats/keywords.tsv"  # where in a dataset folder that file is, if nothing else is said
EVERY_LANGUAGE = ""
_FOLDER = Path(__file__).with_name("keyword_lists")
_SAME_LANGUAGE = {"simple": "en"}

# The forms of keywords by language; those of `EVERY_LANGUAGE` count in all of them.
Keywords = Mapping[str, frozenset[str]]


def keywords(
    text: str, language: str | None = None, lists: str = "languages", own: Keywords | None = None
) -> str | None:
    """The reason to drop a functional anchor, or None.

    Args:
        text: of an anchor, the whole of it.
        language: of its page, a code such as "pt-BR".
        lists: which of ours count: "languages" takes the list of the language, and the English one for every
            language, as English words are in the menus of all sites; "english" that alone, as Anchor-DR's
            program does; "none" none.
        own: more of them.
    """
    form = keyword_form(text)
    code = language_code(language)
    if lists != "none" and form in shipped_keywords("en" if lists == "english" else code):
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
    """The forms of our list of a language, with those of the English one."""
    path = _FOLDER / f"{code}.txt"
    english = shipped_keywords("en") if code != "en" else frozenset()
    if not code.isalpha() or not path.is_file():
        return english
    return english | _forms(_texts(path.read_text(encoding="utf-8").splitlines()))


def read_keywords(path: str, profile: str | None = None) -> dict[str, frozenset[str]]:
    """Reads a list of one's own.

    Args:
        path: of a file with one anchor a line, which count in every language ("#" begins a remark); or of a
            table as `--suggest-keywords` writes it, of which the ticked rows count, each in its language.
        profile: of the cleaning that the texts of anchors go through before they are compared, and so the
            keywords, too; None for none.

    Returns:
        Their forms.

    Raises:
        UsageError: it cannot be read, or has no keyword.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be read ({error.strerror or error}); give a list of keywords"
        ) from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from None
    if lines and is_suggestion_head(lines[0]):
        texts = _ticked(lines, path)
    else:
        texts = {EVERY_LANGUAGE: _texts(lines)}
        if not texts[EVERY_LANGUAGE]:
            raise UsageError(f"{path}: no keywords in it; write one a line")
    return {language: _forms(found, profile) for language, found in texts.items()}


def is_suggestion_head(text: str) -> bool:
    """Whether a text begins with the head of a file of suggestions."""
    return tuple(text.partition("\n")[0].rstrip("\r").split("\t")) == SUGGESTION_COLUMNS


def _ticked(lines: list[str], path: str) -> dict[str, list[str]]:
    """The texts of the ticked rows, by language."""
    found: dict[str, list[str]] = {}
    for number, line in enumerate(lines[1:], start=2):
        row = line.split("\t")
        if len(row) != len(SUGGESTION_COLUMNS):
            raise UsageError(
                f"{path}, line {number}: has {len(row)} columns, not {', '.join(SUGGESTION_COLUMNS)}; tick "
                "rows by any letter in the first column, and leave the others as they are"
            )
        tick, language, _, anchor = row
        if tick.strip():
            found.setdefault(language_code(language.strip()), []).append(anchor)
    if not found:
        raise UsageError(f"{path}: no row is ticked; write an x into the first column of those to drop")
    return found


def _texts(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if line.strip() and not line.startswith("#")]


def _forms(texts: Iterable[str], profile: str | None = None) -> frozenset[str]:
    """The forms of keywords; one of which cleaning leaves nothing has none, like the anchors that it is."""
    clean = texts if profile is None else (clean_anchor(text, profile) for text in texts)
    return frozenset(filter(None, map(keyword_form, clean)))
