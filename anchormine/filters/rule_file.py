"""A rule file: a TOML file that switches, orders and tunes the rules.

base = "anchor-dr"                        # what holds where the file says nothing; this is the default
# which, and in which order; a table of one that is not among them is refused
rules = ["header_footer", "same_site", "cleaning", "keywords", "length", "nofollow", "robots"]

[header_footer]
regions = ["header", "footer", "nav", "aside"]
[same_site]
scope = "domain"                          # or "host", "code"; "off" takes the rule out
[cleaning]
profile = "ours"                          # or "code"
[keywords]
lists = "languages"                       # or "english", "none"
# file = "keywords.tsv"                   # more of them; the path is relative to the rule file
[length]
max_words = 64
unspaced = true
[nofollow]
rel = ["nofollow", "ugc", "sponsored"]
[robots]
directives = ["noindex", "nofollow", "none", "noai"]
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from anchormine.errors import UsageError
from anchormine.filters.keyword_files import read_keywords
from anchormine.filters.robots import ROBOTS
from anchormine.filters.rule_set import BUILT_IN, RULES, RuleSet
from anchormine.filters.rule_words import check_directives, html_words
from anchormine.toml_file import read_toml

_KEYWORD_FILE = "keyword_file"  # which is read once it is known how the texts are cleaned
# What each table may say: the field of a `RuleSet` that it sets, and its type (a list is one of strings).
_SETTINGS: dict[str, dict[str, tuple[str, type]]] = {
    "header_footer": {"regions": ("regions", list)},
    "same_site": {"scope": ("same_site", str)},
    "cleaning": {"profile": ("cleaning", str)},
    "keywords": {"lists": ("keyword_lists", str), "file": (_KEYWORD_FILE, str)},
    "length": {"max_words": ("max_words", int), "unspaced": ("unspaced", bool)},
    "nofollow": {"rel": ("rel", list)},
    "robots": {"directives": ("directives", list)},
}
_TYPES = {list: "a list of strings", str: "a string", int: "a whole number", bool: "true or false"}


def rule_set(name: str) -> RuleSet:
    """The rules that `--rules` names.

    Args:
        name: of a built-in set, or the path of a rule file.

    Raises:
        UsageError: it is neither, or the file is wrong; names the key and what it may be.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]
    path = Path(name)
    if path.is_dir():
        raise UsageError(f"--rules {name}: is a folder; give a TOML file or one of {', '.join(BUILT_IN)}")
    if not (name.endswith(".toml") or path.is_file() or path.is_fifo()):
        raise UsageError(
            f"--rules {name}: no such set, and no such file; give a TOML file or one of {', '.join(BUILT_IN)}"
        )
    return read_rule_file(name)


def named_files(name: str) -> list[str]:
    """The files that the rules of a name are read from besides their own; none where they cannot be read."""
    if name in BUILT_IN or not Path(name).is_file():
        return []
    try:
        keywords = read_toml(name).get("keywords")
    except UsageError:
        return []
    file = keywords.get("file") if isinstance(keywords, dict) else None
    return [str(Path(name).parent / file)] if isinstance(file, str) else []


def read_rule_file(path: str) -> RuleSet:
    """Reads a rule file.

    Raises:
        UsageError: see `rule_set`.
    """
    content = read_toml(path)
    try:
        return _rule_set(content, Path(path))
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def _rule_set(content: Mapping[str, Any], path: Path) -> RuleSet:
    for rule, settings in _SETTINGS.items():
        for name in settings:
            if name in content:
                raise UsageError(f"{name!r} is a setting of a rule; write it below [{rule}]")
    _refuse_unknown(content, ("base", "rules", *RULES), "key")
    base = _typed("base", content.get("base", "anchor-dr"), str)
    if base not in BUILT_IN:
        raise UsageError(f"base: {base!r} is none of {', '.join(BUILT_IN)}")
    start = BUILT_IN[base]
    rules = tuple(_typed("rules", content.get("rules", list(start.rules)), list))
    _refuse_unknown(rules, RULES, "rule")
    fields: dict[str, Any] = {"name": path.stem, "rules": rules}
    for rule in RULES:
        if rule in content:
            fields |= _settings(rule, content[rule], rules)
    keyword_file = fields.pop(_KEYWORD_FILE, None)
    scope = fields.pop("same_site", None)
    read = replace(start, **fields)
    if scope is not None:
        read = read.with_same_site(scope)
    if keyword_file is None:
        return read
    return read.with_keywords(read_keywords(str(path.parent / keyword_file), read.keyword_cleaning))


def _settings(rule: str, table: Any, rules: tuple[str, ...]) -> dict[str, Any]:
    """The fields of a `RuleSet` that the table of a rule sets, and the file of keywords."""
    if not isinstance(table, dict):
        raise UsageError(f"{rule}: is a table; write [{rule}], and its settings below")
    if rule not in rules:
        raise UsageError(f"[{rule}]: is not among the rules {list(rules)}; name it there, or leave this out")
    known = _SETTINGS[rule]
    _refuse_unknown(table, known, f"setting of [{rule}]")
    fields: dict[str, Any] = {}
    for name, value in table.items():
        field, kind = known[name]
        checked = _typed(f"[{rule}] {name}", value, kind)
        fields[field] = html_words(f"[{rule}] {name}", checked) if kind is list else checked
    if rule == ROBOTS:
        check_directives(fields.get("directives", ()))
    return fields


def _typed(key: str, value: Any, kind: type) -> Any:
    fits = isinstance(value, kind) and not (kind is int and isinstance(value, bool))
    if not fits or (kind is list and not all(isinstance(item, str) for item in value)):
        raise UsageError(f"{key}: must be {_TYPES[kind]}, not {_as_toml(value)}")
    return value


def _as_toml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _refuse_unknown(names: Iterable[str], known: Iterable[str], what: str) -> None:
    known = list(known)
    for name in names:
        if name not in known:
            nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
            hint = f"did you mean {nearest[0]}?" if nearest else f"one of {', '.join(known)}"
            raise UsageError(f"{name!r} is no {what}; {hint}")
