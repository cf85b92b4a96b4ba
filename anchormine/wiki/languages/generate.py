r"""Writes ``languages.json``: what the wikitext of every language needs to be read right.

    python -m anchormine.wiki.languages.generate --mediawiki DIR --pywikibot DIR --mwparserfromhtml DIR \
        --mwconstants DIR --wikipedia-data DIR --wtf-wikipedia DIR --output languages.json

Each DIR is an unpacked package; nothing of them is run, and the output depends on nothing else. The file in
the repository was made from

* MediaWiki 1.39.17 (Debian's ``mediawiki`` 1:1.39.17-1+deb12u2): ``apt-get download mediawiki``, ``dpkg -x``,
  then the folder ``usr/share/mediawiki``; names and magic words of all languages, and Parsoid's recorded
  siteinfo of 19 Wikipedias (July 2022) with Wikimedia's interwiki map;
* PyPI ``pywikibot`` 11.9.0: the codes of all Wikipedias, closed and removed ones included;
* PyPI ``mwparserfromhtml`` 2.1.2: every Wikipedia's namespaces as of December 2025;
* PyPI ``mwconstants`` 0.1.0: every Wikipedia's namespaces and aliases as of December 2022;
* npm ``wikipedia-data`` 1.0.0: Wikidata's disambiguation templates and categories, title suffixes (September
  2026), database names;
* npm ``wtf_wikipedia`` 10.4.2: further disambiguation templates and interwiki prefixes;
* ``unpackaged.json`` beside this file: names from public sources that no registry carries, named there.

For a PyPI package give the package's own folder inside ``site-packages``, for an npm package the folder that
holds ``package.json``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from anchormine.wiki.languages import mediawiki_messages, wikipedia_sources
from anchormine.wiki.languages.codes import canonical_code

Languages = dict[str, dict[str, Any]]
Aliases = Mapping[str, str]

_UNPACKAGED = Path(__file__).with_name("unpackaged.json")

# Wikimedia runs the wiki `no` in the language `nb` ($wgLanguageCode of its configuration).
_WIKI_LANGUAGE = {"no": "nb"}

# Names that $wgNamespaceAliases of Wikimedia's configuration gives to every Wikipedia ('+wikipedia'), and
# MediaWiki's canonical names of the project's namespace, which its messages do not state.
_EVERY_WIKIPEDIA = {
    "Project": 4,
    "Project talk": 5,
    "Wikipedia": 4,
    "Wikipedia talk": 5,
    "WP": 4,
}

_EXTENSION_WORDS = ("img_", "timedmedia_", "disambiguation")


@dataclass(frozen=True)
class Packages:
    """The folders of the unpacked packages."""

    mediawiki: Path
    pywikibot: Path
    mwparserfromhtml: Path
    mwconstants: Path
    wikipedia_data: Path
    wtf_wikipedia: Path


def generate(packages: Packages) -> dict[str, Any]:
    """Returns the content of ``languages.json``."""
    languages = mediawiki_messages.read_mediawiki(packages.mediawiki)
    codes, removed, other_codes = wikipedia_sources.pywikibot_codes(packages.pywikibot)
    dumps = wikipedia_sources.database_codes(packages.wikipedia_data)
    renamed = mediawiki_messages.renamed_codes(packages.mediawiki)
    aliases = other_spellings(languages, other_codes, dumps, renamed, _WIKI_LANGUAGE)
    for code in sorted(codes):
        languages.setdefault(canonical_code(code, aliases), {})

    siteinfo = wikipedia_sources.parsoid_siteinfo(packages.mediawiki)
    everywhere = _add_wiki_namespaces(languages, aliases, siteinfo, packages)
    sensitive = mediawiki_messages.case_sensitive_ids(packages.mediawiki)
    sensitive |= _add_siteinfo_words(languages, siteinfo)
    _add_disambiguation(languages, aliases, packages)
    prefixes, language_prefixes = _interwiki(siteinfo["en"], packages)
    return {
        "about": _about(packages),
        "aliases": aliases,
        "case_sensitive_words": sorted(sensitive & set(languages["en"]["words"])),
        "interlanguage_codes": _sorted_codes(
            language_prefixes | codes | removed, other_codes, dumps.values()
        ),
        "interwiki_prefixes": sorted(prefixes),
        "wikipedias": sorted(codes),
        "wikipedia_namespaces": everywhere,
        "languages": languages,
    }


def dumped(content: Mapping[str, Any]) -> str:
    """Returns the JSON text: one line a top-level value, one line a language, keys sorted."""

    def line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    def block(value: Mapping[str, Any]) -> str:
        return "{\n" + ",\n".join(f"{line(key)}:{line(value[key])}" for key in sorted(value)) + "\n}"

    blocks = ("about", "languages")
    parts = (f"{line(key)}:{(block if key in blocks else line)(value)}" for key, value in content.items())
    return "{\n" + ",\n".join(parts) + "\n}\n"


def other_spellings(languages: Mapping[str, Any], *tables: Aliases) -> dict[str, str]:
    """Returns the other codes of languages, by other code, later tables stronger.

    A code that is a language of MediaWiki itself is no other code, and ``a`` for ``b`` for ``c`` is ``a`` for
    ``c``.
    """
    aliases: dict[str, str] = {}
    for table in tables:
        for written, meant in table.items():
            other, code = (text.lower().replace("_", "-") for text in (written, meant))
            if other != code and other not in languages:
                aliases[other] = code
    for other, code in aliases.items():
        seen = {other}
        while code in aliases and code not in seen:
            seen.add(code)
            code = aliases[code]
        aliases[other] = code
    return dict(sorted(aliases.items()))


def _about(packages: Packages) -> dict[str, str]:
    versions = [f"mediawiki {mediawiki_messages.mediawiki_version(packages.mediawiki)}"]
    versions += [wikipedia_sources.name_and_version(package) for package in astuple(packages)[1:]]
    return {
        "generated by": "python -m anchormine.wiki.languages.generate (its docstring explains); do not edit",
        "sources": ", ".join([*versions, _UNPACKAGED.name]),
    }


def _add_wiki_namespaces(
    languages: Languages,
    aliases: Aliases,
    siteinfo: Mapping[str, Any],
    packages: Packages,
) -> dict[str, int]:
    """Adds each Wikipedia's own names under ``wiki_namespaces``; returns the names that all have."""
    newest = wikipedia_sources.mwparserfromhtml_namespaces(packages.mwparserfromhtml)
    recorded = {code: wikipedia_sources.siteinfo_namespaces(answer) for code, answer in siteinfo.items()}
    oldest = wikipedia_sources.mwconstants_namespaces(packages.mwconstants, newest)
    for wikis in (
        oldest,
        recorded,
        newest,
    ):  # where they differ, the newest number counts
        for code in sorted(wikis):
            facts = languages.setdefault(canonical_code(code, aliases), {})
            facts.setdefault("wiki_namespaces", {}).update(wikis[code])
    shared = set.intersection(*(set(names.items()) for names in newest.values()))
    everywhere = _EVERY_WIKIPEDIA | dict(shared)
    for facts in languages.values():
        known = languages["en"]["namespaces"] | facts.get("namespaces", {}) | everywhere
        own = facts.pop("wiki_namespaces", {})
        if own := {name: number for name, number in own.items() if known.get(name) != number}:
            facts["wiki_namespaces"] = own
    return everywhere


def _add_siteinfo_words(languages: Languages, siteinfo: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Adds the extensions' magic words that only siteinfo records; returns the ids of case-sensitive ones."""
    english = languages["en"]["words"]
    core, sensitive = set(english), set()
    for code in sorted(siteinfo, key=lambda code: (code != "en", code)):  # English first, others add to it
        for entry in siteinfo[code]["magicwords"]:
            name, words = entry["name"], entry["aliases"]
            if name in core or not (name.startswith(_EXTENSION_WORDS) or words[0].startswith("__")):
                continue
            if entry.get("case-sensitive"):
                sensitive.add(name)
            if own := [word for word in words if code == "en" or word not in english.get(name, [])]:
                languages[code].setdefault("words", {})[name] = own
    return sensitive


def _add_disambiguation(languages: Languages, aliases: Aliases, packages: Packages) -> None:
    templates, categories, suffixes = wikipedia_sources.wikidata_disambiguation(packages.wikipedia_data)
    more_templates = wikipedia_sources.wtf_wikipedia_templates(packages.wtf_wikipedia)
    unpackaged = json.loads(_UNPACKAGED.read_text(encoding="utf-8"))
    for key, *tables in (
        (
            "disambiguation_templates",
            templates,
            more_templates,
            unpackaged["disambiguation_templates"],
        ),
        (
            "disambiguation_categories",
            categories,
            unpackaged["disambiguation_categories"],
        ),
        ("disambiguation_title_suffixes", suffixes),
    ):
        for code, names in ((code, names) for table in tables for code, names in table.items()):
            facts = languages.setdefault(canonical_code(code, aliases), {})
            facts[key] = sorted({*names, *facts.get(key, [])})
    for code, words in unpackaged["disambiguation_switches"].items():
        known = languages[code].setdefault("words", {}).setdefault("disambiguation", [])
        known += [word for word in words if word not in known]


def _interwiki(siteinfo: dict[str, Any], packages: Packages) -> tuple[set[str], set[str]]:
    prefixes, language_prefixes = wikipedia_sources.siteinfo_interwiki(siteinfo)
    prefixes |= wikipedia_sources.mediawiki_interwiki(packages.mediawiki)
    prefixes |= wikipedia_sources.wtf_wikipedia_interwiki(packages.wtf_wikipedia)
    return prefixes, language_prefixes


def _sorted_codes(*codes: Iterable[str]) -> list[str]:
    return sorted({code.replace("_", "-") for some in codes for code in some})


def main() -> None:
    """Runs the generator on the command line's folders."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    names = [package.name for package in fields(Packages)]
    for name in names:
        parser.add_argument(f"--{name.replace('_', '-')}", type=Path, required=True, metavar="DIR")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE")
    args = parser.parse_args()
    packages = Packages(**{name: getattr(args, name) for name in names})
    args.output.write_text(dumped(generate(packages)), encoding="utf-8")


if __name__ == "__main__":
    main()
