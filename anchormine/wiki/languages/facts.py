"""The facts of one language, with what it takes over from the languages it falls back to.

A wiki's own siteinfo knows better: a dump states the names of its namespaces, which for another wiki than the
language's Wikipedia may differ. What no siteinfo of a dump says is here: the aliases of namespaces, the words
for a redirect, for a picture's options and for a disambiguation page, and where a link ends.
"""

from __future__ import annotations

import functools
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from anchormine.wiki.languages.codes import canonical_code

# What MediaWiki accepts for the "$1" of a picture's option (Parser::makeImage); any other text is a caption.
_OPTION_VALUES = {
    "img_width": r"(?:[0-9]+(?:x[0-9]*)?|x[0-9]+)\s*(?:px\s*)?",
    "img_upright": r"\s*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*",
    "img_page": r"\s*[0-9]+\s*",
}
_IMAGE_WORDS = ("img_", "timedmedia_")


@dataclass(frozen=True)
class LanguageFacts:
    """How wikitext is written in one language and on its Wikipedia.

    Attributes:
        code: MediaWiki's code of the language, ``en`` if the one asked for is unknown.
        fallbacks: The languages whose facts were added, nearest first, English last.
        namespaces: Namespace number by name, as `namespace_key` writes it: English, local and gendered names
            and aliases, and the further namespaces of the language's Wikipedia (Portal, Module, Draft). A
            name that is also an interwiki prefix means the namespace.
        redirect_words: What a redirect page begins with, such as ``#REDIRECT``.
        link_trail: Regex source for the letters after ``]]`` that belong to the link, ``""`` for none.
        link_prefix: Regex source for the letters before ``[[`` that belong to the link, ``""`` for none. It
            is to match up to the bracket.
        image_options: Options of a picture without a value, such as ``thumb``.
        image_parameters: Regex sources for options with a value, such as ``alt=`` or ``px``, to be matched
            against the whole option, stripped. What is neither is the caption; the last one counts.
        behaviour_switches: Words like ``__NOTOC__``, the disambiguation switches not among them.
        disambiguation_switches: Words like ``__DISAMBIG__``.
        disambiguation_templates: Templates that mark a disambiguation page, as titles without namespace.
        disambiguation_categories: Categories of disambiguation pages, as titles without namespace.
        disambiguation_title_suffixes: What stands in brackets after the title of a disambiguation page.
        case_sensitive_words: Those of the redirect words, options without a value and switches that match
            only as written; the others match in any case. Options with a value match only as written.
        interlanguage_codes: Prefixes of links to a Wikipedia in another language.
        interwiki_prefixes: All prefixes of links to another wiki, those above included; lower case.
    """

    code: str
    fallbacks: tuple[str, ...]
    namespaces: Mapping[str, int] = field(hash=False)
    redirect_words: tuple[str, ...]
    link_trail: str
    link_prefix: str
    image_options: frozenset[str]
    image_parameters: tuple[str, ...]
    behaviour_switches: tuple[str, ...]
    disambiguation_switches: tuple[str, ...]
    disambiguation_templates: frozenset[str]
    disambiguation_categories: frozenset[str]
    disambiguation_title_suffixes: frozenset[str]
    case_sensitive_words: frozenset[str]
    interlanguage_codes: frozenset[str] = field(repr=False)
    interwiki_prefixes: frozenset[str] = field(repr=False)


def language_facts(code: str) -> LanguageFacts:
    """Returns the facts of a language.

    Args:
        code: A language's or a Wikipedia's code in any of their spellings: ``de``, ``zh-Hans``, ``als``,
            ``be_x_old``, ``simple``. A code with an unknown subtag means the language (``pt-AO`` is ``pt``);
            an unknown language means English.
    """
    return _facts(_known_code(code) or "en")


def knows_language(code: str) -> bool:
    """Tells whether there are facts of a language, or of the one that its subtags belong to."""
    return _known_code(code) is not None


def _known_code(code: str) -> str | None:
    code = canonical_code(code, _data()["aliases"])
    while code not in _data()["languages"] and "-" in code:
        code = code.rpartition("-")[0]
    return code if code in _data()["languages"] else None


def wikipedia_languages() -> tuple[str, ...]:
    """Returns the codes of all Wikipedias, closed ones included, as their host names have them."""
    return tuple(_data()["wikipedias"])


@functools.lru_cache(4096)
def namespace_key(name: str) -> str:
    """Returns a namespace's name as the keys of `LanguageFacts.namespaces` are written."""
    return " ".join(unicodedata.normalize("NFC", name).replace("_", " ").split()).casefold()


@functools.cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(
        resources.files("anchormine.wiki.languages").joinpath("languages.json").read_text("utf-8")
    )
    return data


@functools.cache
def _facts(code: str) -> LanguageFacts:
    chain = [code, *_fallbacks(code)]
    words = _words(chain)
    english = _data()["languages"]["en"]["words"]
    switches = {name: own for name, own in words.items() if english[name][0].startswith("__")}
    disambiguation = switches.pop("disambiguation")
    sensitive = _data()["case_sensitive_words"]
    return LanguageFacts(
        code=code,
        fallbacks=tuple(chain[1:]),
        namespaces=_namespaces(chain),
        redirect_words=tuple(words["redirect"]),
        link_trail=_nearest(chain, "link_trail"),
        link_prefix=_nearest(chain, "link_prefix") if _nearest(chain, "link_prefix_extension") else "",
        image_options=frozenset(word for _, word in _image_words(words) if "$1" not in word),
        image_parameters=tuple(_parameter(name, word) for name, word in _image_words(words) if "$1" in word),
        behaviour_switches=tuple(word for own in switches.values() for word in own),
        disambiguation_switches=tuple(disambiguation),
        disambiguation_templates=frozenset(_collected(chain, "disambiguation_templates")),
        disambiguation_categories=frozenset(_collected(chain, "disambiguation_categories")),
        disambiguation_title_suffixes=frozenset(_collected(chain, "disambiguation_title_suffixes")),
        case_sensitive_words=frozenset(w for name in sensitive for w in words[name] if "$1" not in w),
        interlanguage_codes=_interlanguage_codes(),
        interwiki_prefixes=_interwiki_prefixes(),
    )


def _fallbacks(code: str) -> list[str]:
    """Returns the languages behind one: the list of its own file and English, as in LocalisationCache."""
    named = _data()["languages"][code].get("fallback", [])
    known = [other for other in named if other in _data()["languages"]]
    return [*known, "en"] if code != "en" else []


def _nearest(chain: list[str], key: str) -> Any:
    """Returns the first language's value; English has one for every key."""
    return next(facts[key] for code in chain if key in (facts := _data()["languages"][code]))


def _collected(chain: list[str], key: str) -> Iterator[str]:
    """Yields the values of all languages of the chain, each once."""
    values = (value for code in chain for value in _data()["languages"][code].get(key, []))
    yield from dict.fromkeys(values)


def _words(chain: list[str]) -> dict[str, list[str]]:
    """Returns the magic words by id, those of the nearest language first."""
    words: dict[str, dict[str, None]] = {}
    for code in chain:
        for name, own in _data()["languages"][code].get("words", {}).items():
            words.setdefault(name, {}).update(dict.fromkeys(own))
    return {name: list(own) for name, own in words.items()}


def _namespaces(chain: list[str]) -> dict[str, int]:
    """Returns all names, the wiki's own stronger than the language's, near languages stronger than far ones.

    A name that a language replaces still counts when the language falls back to it: no page is called
    ``Bestand:…`` in West Flemish, which took its words from Dutch, and old dumps have such links.
    """
    languages = _data()["languages"]
    tables = [languages[code].get("namespaces", {}) for code in reversed(chain)]
    tables += [
        _data()["wikipedia_namespaces"],
        languages[chain[0]].get("wiki_namespaces", {}),
    ]
    namespaces = {namespace_key(name): number for table in tables for name, number in table.items()}
    # Lower case of the Turkic dotted capital is an i with a dot above it, which people write as a plain i.
    plain = {name.replace("i\u0307", "i"): number for name, number in namespaces.items()}
    return {**plain, **namespaces}


def _image_words(words: Mapping[str, list[str]]) -> list[tuple[str, str]]:
    return [(name, word) for name, own in words.items() if name.startswith(_IMAGE_WORDS) for word in own]


def _parameter(name: str, word: str) -> str:
    """Returns the regex source for an option such as ``alt=$1``."""
    before, after = (re.escape(part) for part in word.split("$1", maxsplit=1))
    return before + _OPTION_VALUES.get(name, ".*") + after


@functools.cache
def _interlanguage_codes() -> frozenset[str]:
    return frozenset(_data()["interlanguage_codes"])


@functools.cache
def _interwiki_prefixes() -> frozenset[str]:
    return frozenset(_data()["interwiki_prefixes"]) | _interlanguage_codes()
