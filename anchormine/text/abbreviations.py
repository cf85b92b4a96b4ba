"""The shipped words of each language: abbreviations and what is around them, from `abbreviations.json`."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

_SETS = ("abbreviations", "endings", "numeric", "years", "starters")


@cache
def _shipped() -> dict[str, Any]:
    source = files("anchormine.text") / "abbreviations.json"
    shipped: dict[str, Any] = json.loads(source.read_text(encoding="utf-8"))
    return shipped


def shipped_language(language: str) -> str | None:
    """Returns the language whose lists serve one: itself, or a relative (for Alemannic German), or None."""
    shipped = _shipped()
    for code in (language, language.partition("-")[0]):
        relative: str = shipped["relatives"].get(code, code)
        if not relative or relative in shipped["languages"]:
            return relative or None
    return None


def shipped_words(language: str | None) -> dict[str, Any]:
    """Returns the words of a language as the fields of a `SentenceModel`; for None those of all languages.

    The abbreviations hold the endings, numeric ones and years too.
    """
    general = _shipped()["general"]
    entry = _shipped()["languages"][language] if language else {}
    words: dict[str, Any] = {
        key: frozenset(f"{general.get(key, '')} {entry.get(key, '')}".split()) for key in _SETS
    }
    # A word that is an abbreviation anywhere is not one before numbers only.
    words["numeric"] -= words["abbreviations"] | words["endings"]
    words["abbreviations"] |= words["endings"] | words["numeric"] | words["years"]
    words["ordinals"] = entry.get("ordinals", 0)
    return words
