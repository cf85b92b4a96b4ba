"""Pieces of Markdown and of its YAML head, written so that no title or name can break them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from anchormine.control_characters import shown

_MARKS = re.compile(r"([\\`*_\[\]<>|#])")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 _./*-]*[A-Za-z0-9*]|[A-Za-z]")
_LINK = re.compile(r"https?://[^\s<>\"`|\\]+")
# Words that YAML reads as something else than a string; "no" is also Norwegian.
_YAML_WORDS = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))


def escaped(text: str) -> str:
    """Returns text that Markdown shows as it is, on one line."""
    return _MARKS.sub(r"\\\1", " ".join(text.split()))


def code(text: str) -> str:
    """Returns text as inline code, on one line, whatever backticks are in it; safe in a table's cell."""
    line = " ".join(text.split()).replace("|", "\\|")
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {line} {fence}" if longest else f"`{line}`"


def address(url: str) -> str:
    """Returns an address as a link to it; as code, where it is none that a browser could safely follow."""
    return f"<{url}>" if _LINK.fullmatch(url) and shown(url) == url else code(url)


def table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Returns the lines of a table.

    Args:
        head: of the columns.
        rows: cells, escaped by the caller.
        right: which columns hold numbers, from 0.
    """
    rule = ["---:" if column in right else "---" for column in range(len(head))]
    return ["| " + " | ".join(cells) + " |" for cells in (head, rule, *rows)]


def yaml_scalar(text: str) -> str:
    """Returns a string as YAML has it, quoted where it could be taken for anything else."""
    if _PLAIN.fullmatch(text) and text.lower() not in _YAML_WORDS:
        return text
    return "".join(map(_yaml_character, json.dumps(text, ensure_ascii=False)))


def _yaml_character(character: str) -> str:
    """Returns a character of a quoted string; YAML has no escapes for halves of one, as JSON does."""
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def yaml_list(key: str, values: Sequence[str]) -> list[str]:
    """Returns the lines of a list of strings; none for an empty one."""
    return [f"{key}:", *(f"- {yaml_scalar(value)}" for value in values)] if values else []
