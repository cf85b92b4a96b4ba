"""What MediaWiki's own source tree says of each language.

Read are ``languages/messages/Messages*.php`` (core) and the ``*.namespaces.php`` and ``*magic.php`` files of
the bundled extensions. A language's facts here are its own: what it takes over from the languages it falls
back to is worked out when the facts are used, by the rules of MediaWiki's ``LocalisationCache``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from anchormine.wiki.languages.link_patterns import link_prefix, link_trail
from anchormine.wiki.languages.php_arrays import (
    PhpValue,
    assignments,
    namespace_constants,
)

Facts = dict[str, Any]

_WIKITEXT_WORD = re.compile(r"redirect$|img_|timedmedia_|disambiguation$")


def read_mediawiki(root: Path) -> dict[str, Facts]:
    """Returns the facts of every language of an unpacked MediaWiki, by language code.

    Args:
        root: The folder that holds ``languages/``, ``includes/`` and ``extensions/`` (Debian's package:
            ``extensions-core/``).
    """
    constants = namespace_constants((root / "includes/Defines.php").read_text(encoding="utf-8"))
    languages: dict[str, Facts] = {}
    for path in sorted((root / "languages/messages").glob("Messages*.php")):
        languages[_code(path)] = language_facts(assignments(path.read_text(encoding="utf-8"), constants))
    for path in _extension_files(root):
        source = path.read_text(encoding="utf-8")
        add_extension(languages, assignments(source, {**constants, **namespace_constants(source)}))
    _keep_wikitext_words(languages)
    return languages


def mediawiki_version(root: Path) -> str:
    """Returns the version that ``includes/Defines.php`` states, such as ``1.39.17``."""
    source = (root / "includes/Defines.php").read_text(encoding="utf-8")
    match = re.search(r"define\(\s*'MW_VERSION',\s*'([^']+)'", source)
    return match[1] if match else "unknown"


def renamed_codes(root: Path) -> dict[str, str]:
    """Returns MediaWiki's other codes for its languages, such as ``{"als": "gsw", "sr-cyrl": "sr-ec"}``."""
    path = next((root / "includes").rglob("LanguageCode.php"))
    # The class's functions use what the reader does not understand; the tables all stand before them.
    tables = assignments(path.read_text(encoding="utf-8").split("function", maxsplit=1)[0])
    codes = {bcp47.lower(): code for code, bcp47 in tables["NON_STANDARD_LANGUAGE_CODE_MAPPING"].items()}
    codes.update(tables["DEPRECATED_LANGUAGE_CODE_MAPPING"])
    return codes


def case_sensitive_ids(root: Path) -> set[str]:
    """Returns the ids of the magic words that match only as written.

    The first element of an id's array says so, and English's alone counts: ``mergeMagicWords`` takes the flag
    of the last language in the chain.
    """
    source = (root / "languages/messages/MessagesEn.php").read_text(encoding="utf-8")
    constants = namespace_constants((root / "includes/Defines.php").read_text(encoding="utf-8"))
    words = assignments(source, constants)["magicWords"]
    return {name for name, (flag, *_) in words.items() if int(flag)}


def language_facts(assigned: Mapping[str, PhpValue]) -> Facts:
    """Returns a language's own facts from what its ``Messages*.php`` assigns.

    Keys, each only where the file says something: ``fallback``, ``namespaces``, ``words`` (all magic words,
    by id), ``link_trail``, ``link_prefix`` and ``link_prefix_extension``.
    """
    facts: Facts = {}
    if fallback := assigned.get("fallback"):
        facts["fallback"] = [code.strip() for code in str(fallback).split(",")]
    _add_namespaces(facts, assigned)
    _add_words(facts, assigned.get("magicWords") or {})
    if (trail := assigned.get("linkTrail")) is not None:
        facts["link_trail"] = link_trail(str(trail))
    if (characters := assigned.get("linkPrefixCharset")) is not None:
        facts["link_prefix"] = link_prefix(str(characters))
    if (extension := assigned.get("linkPrefixExtension")) is not None:
        facts["link_prefix_extension"] = extension
    return facts


def add_extension(languages: dict[str, Facts], assigned: Mapping[str, PhpValue]) -> None:
    """Adds what an extension's file assigns for many languages, such as ``$namespaceNames['de'] = …``."""
    for variable in ("namespaceNames", "namespaceAliases"):
        for code, table in dict(assigned.get(variable) or {}).items():
            _add_namespaces(languages.setdefault(code, {}), {variable: table})
    for code, words in dict(assigned.get("magicWords") or {}).items():
        _add_words(languages.setdefault(code, {}), words)


def _code(path: Path) -> str:
    return path.stem.removeprefix("Messages").replace("_", "-").lower()


def _extension_files(root: Path) -> Iterator[Path]:
    for folder in ("extensions-core", "extensions"):
        for pattern in ("*/*.namespaces.php", "*/*magic.php"):
            yield from sorted((root / folder).glob(pattern))


def _add_namespaces(facts: Facts, assigned: Mapping[str, Any]) -> None:
    """Adds names, aliases and gendered names; of two with one name the alias counts, as in MediaWiki."""
    names = [(name, number) for number, name in dict(assigned.get("namespaceNames") or {}).items()]
    for number, gendered in dict(assigned.get("namespaceGenderAliases") or {}).items():
        names += [(name, number) for name in gendered.values()]
    names += dict(assigned.get("namespaceAliases") or {}).items()
    for written, number in names:
        name = str(written).replace("_", " ").strip()
        # The project's own name goes for "$1", and the dump's siteinfo knows it. Kyrgyz has one constant in
        # quotes, a mere word to PHP.
        if name and "$1" not in name and isinstance(number, int):
            facts.setdefault("namespaces", {})[name] = number


def _add_words(facts: Facts, words: Mapping[str, list[str]]) -> None:
    for name, synonyms in words.items():
        # Some lists of extensions lack the case flag, which costs MediaWiki their first word, but not us.
        # Chechen's table has apostrophes of its source inside the words.
        own = [word.strip("'") for word in synonyms if not re.fullmatch(r"[01]", str(word))]
        known = facts.setdefault("words", {}).setdefault(name, [])
        known += [word for word in dict.fromkeys(own) if word not in known]


def _keep_wikitext_words(languages: dict[str, Facts]) -> None:
    """Drops the magic words that a reader of pages does not need: variables and parser functions."""
    english = languages["en"]["words"]
    switches = {name for name, words in english.items() if words[0].startswith("__")}
    for facts in languages.values():
        words = facts.pop("words", {}).items()
        if kept := {name: own for name, own in words if name in switches or _WIKITEXT_WORD.match(name)}:
            facts["words"] = kept
