"""What published packages say of each Wikipedia: its namespaces, disambiguation pages and interwiki prefixes.

MediaWiki's source tree knows languages, not wikis: that the German Wikipedia has a namespace Portal, or marks
disambiguation pages with ``{{Begriffsklärung}}``, stands in the configuration and pages of that wiki. Each
reader here takes the folder of one unpacked package; none of their code is run.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Namespaces = dict[str, dict[str, int]]
Names = dict[str, list[str]]

# MediaWiki's canonical names (NamespaceInfo::CANONICAL_NAMES) that mwconstants gives instead of numbers.
_CANONICAL = {
    "Media": -2, "Special": -1, "Talk": 1, "User": 2, "User talk": 3, "Project": 4, "Project talk": 5,
    "File": 6, "File talk": 7, "MediaWiki": 8, "MediaWiki talk": 9, "Template": 10, "Template talk": 11,
    "Help": 12, "Help talk": 13, "Category": 14, "Category talk": 15, "TimedText": 710, "TimedText talk": 711,
    "Module": 828, "Module talk": 829, "Gadget": 2300, "Gadget talk": 2301, "Gadget definition": 2302,
    "Gadget definition talk": 2303, "Topic": 2600,
}  # fmt: skip
_TOPIC = _CANONICAL["Topic"]


def mwparserfromhtml_namespaces(package: Path) -> Namespaces:
    """Returns the namespaces of every Wikipedia, from the sites' own answers (``parse/const.py``)."""
    wikis: Namespaces = _python_constant(package / "parse/const.py", "NAMESPACES")
    for names in wikis.values():
        if _TOPIC in names.values():  # the one canonical name that no language of MediaWiki states
            names["Topic"] = _TOPIC
    return wikis


def mwconstants_namespaces(package: Path, numbers: Namespaces) -> Namespaces:
    """Returns the namespaces and aliases of every Wikipedia, from the sites' answers of December 2022.

    Args:
        package: The folder of the package ``mwconstants``.
        numbers: Numbers of local names, by wiki; the package gives a number only through a canonical name.
    """
    wikis: Namespaces = {}
    for code, names in _python_constant(package / "constants/c_namespaces.py", "NAMESPACE_ALIASES").items():
        for name, more in names.items():
            number = numbers.get(code, {}).get(name, _CANONICAL.get(more.get("canonical", name)))
            if number is not None:  # a namespace that the wiki has given up, and nothing tells its number
                wikis.setdefault(code, {}).update(dict.fromkeys([name, *more.get("aliases", [])], number))
    return wikis


def parsoid_siteinfo(mediawiki: Path) -> dict[str, dict[str, Any]]:
    """Returns the siteinfo of 19 Wikipedias that Parsoid ships for its tests, by language code."""
    paths = sorted((mediawiki / "vendor/wikimedia/parsoid/baseconfig/2").glob("*wiki.json"))
    if not paths:
        raise FileNotFoundError(
            f"{mediawiki} has no vendor/wikimedia/parsoid: take a release, not a git checkout"
        )
    answers = [json.loads(path.read_text(encoding="utf-8"))["query"] for path in paths]
    return {answer["general"]["lang"]: answer for answer in answers}


def siteinfo_namespaces(siteinfo: dict[str, Any]) -> dict[str, int]:
    """Returns all names of a wiki's namespaces from its siteinfo."""
    spaces, aliases = siteinfo["namespaces"].values(), siteinfo["namespacealiases"]
    keys = ("canonical", "name", "alias")
    entries = [(entry.get(key), entry["id"]) for entry in [*spaces, *aliases] for key in keys]
    return {name: number for name, number in entries if name}


def siteinfo_interwiki(siteinfo: dict[str, Any]) -> tuple[set[str], set[str]]:
    """Returns the interwiki prefixes of a wiki's siteinfo, and those of them that name a language."""
    entries = siteinfo["interwikimap"]
    languages = {entry["prefix"] for entry in entries if "language" in entry}
    return {entry["prefix"] for entry in entries}, languages


def pywikibot_codes(package: Path) -> tuple[set[str], set[str], dict[str, str]]:
    """Returns the codes of all Wikipedias, those of removed ones, and other codes for them."""
    family = package / "families/wikipedia_family.py"
    codes = _python_constant(family, "codes") | set(_python_constant(family, "closed_wikis"))
    removed = {code.replace("_", "-") for code in _python_constant(family, "removed_wikis")}
    return (
        codes - {"ten"},
        removed,
        _python_constant(package / "family.py", "code_aliases"),
    )


def wikidata_disambiguation(package: Path) -> tuple[Names, Names, Names]:
    """Returns the disambiguation templates, categories and title suffixes of the package wikipedia-data."""
    templates = {
        code: [_title(name)] for code, name in _data_table(package, "disambiguation-templates").items()
    }
    categories = {
        code: [_title(name.partition(":")[2])]
        for code, name in _data_table(package, "disambiguation-categories").items()
    }
    return templates, categories, _data_table(package, "disambiguation-title-suffixes")


def database_codes(package: Path) -> dict[str, str]:
    """Returns languages by what their database is called: ``{"als": "gsw", "be_x_old": "be-tarask"}``."""
    languages = _data_table(package, "languages")
    return {language["dbName"].removesuffix("wiki"): code for code, language in languages.items()}


def wtf_wikipedia_templates(package: Path) -> Names:
    """Returns disambiguation templates by language, from the words whose comment names one."""
    source = (package / "src/_data/disambig_templates.js").read_text(encoding="utf-8")
    templates: Names = {}
    for word, code in re.findall(r"^\s*['\"`](.+)['\"`],\s*//\s*([\w-]+)$", source, re.MULTILINE):
        templates.setdefault(code, []).append(_title(word))
    english = (package / "src/01-document/_disambig.js").read_text(encoding="utf-8")
    for word, plus in re.findall(r"^\s*'([^']+)'( \+ d)?,$", english, re.MULTILINE):
        if "index" not in word:  # set index articles are lists of like things, no disambiguation pages
            templates.setdefault("en", []).append(_title(word + " disambiguation" * bool(plus)))
    return templates


def wtf_wikipedia_interwiki(package: Path) -> set[str]:
    """Returns the interwiki prefixes of the package's table."""
    source = (package / "src/_data/interwiki.js").read_text(encoding="utf-8")
    return {prefix.lower() for prefix in re.findall(r"^\s+'?([^\s':]+)'?:", source, re.MULTILINE)}


def mediawiki_interwiki(mediawiki: Path) -> set[str]:
    """Returns the prefixes of a fresh MediaWiki's interwiki table."""
    lines = (mediawiki / "maintenance/interwiki.list").read_text(encoding="utf-8").splitlines()
    return {line.partition("|")[0].lower() for line in lines if "|" in line and not line.startswith("#")}


def name_and_version(package: Path) -> str:
    """Returns what an unpacked package is, from its ``package.json`` or the ``dist-info`` beside it."""
    manifest = package / "package.json"
    if manifest.exists():
        stated = json.loads(manifest.read_text(encoding="utf-8"))
        return f"{stated['name']} {stated['version']}"
    for folder in package.parent.glob(f"{package.name}-*.dist-info"):
        return folder.name.removesuffix(".dist-info").replace("-", " ")
    return package.name


def _title(name: str) -> str:
    """Returns a page's name as its title, in which the first letter is a capital.

    Like MediaWiki it leaves a letter alone whose capital is two letters (ß) or not used in titles (Georgian).
    """
    first = name[:1].title()
    return (first if len(first) == 1 else name[:1]) + name[1:]


def _data_table(package: Path, name: str) -> dict[str, Any]:
    table: dict[str, Any] = json.loads((package / f"data/{name}.json").read_text(encoding="utf-8"))
    return table


def _python_constant(path: Path, name: str) -> Any:
    """Returns the literal that a Python file assigns to a name, at its top level or in a class."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        targets: Iterable[ast.expr] = getattr(node, "targets", [getattr(node, "target", None)])
        value = getattr(node, "value", None)
        if any(isinstance(t, ast.Name) and t.id == name for t in targets) and value is not None:
            literal = ast.literal_eval(value)
            if literal:  # pywikibot's base classes declare the name empty first
                return literal
    raise ValueError(f"{path} assigns no {name}")
