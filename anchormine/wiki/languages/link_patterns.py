"""Turns MediaWiki's patterns for the letters around a link into Python's.

In ``[[bus]]es`` the letters after the brackets belong to the link's text, in Arabic also those before them.
MediaWiki states the first as a PCRE such as ``'/^([a-z]+)(.*)$/sD'``, the second as the inside of a class.
"""

from __future__ import annotations

import re

_PHP_PATTERN = re.compile(
    r"(?P<mark>[/!#])\^\((?P<trail>.*)\)\(\.\*\)\$(?P=mark)(?P<flags>[sDSui]*)",
    re.DOTALL,
)


def link_trail(php_pattern: str) -> str:
    """Returns the source of a Python regex for the trail, ``""`` where the language has none.

    Args:
        php_pattern: MediaWiki's ``$linkTrail``: anchored, the trail as first group, the rest as second.

    Raises:
        ValueError: The pattern has another form.
    """
    match = _PHP_PATTERN.fullmatch(php_pattern)
    if match is None:
        raise ValueError(f"$linkTrail {php_pattern!r} is not of the form '/^(trail)(.*)$/flags'")
    trail = python_escapes(match["trail"])
    if trail and "i" in match["flags"]:
        trail = f"(?i:{trail})"
    re.compile(trail)
    return trail


def link_prefix(characters: str) -> str:
    """Returns the source of a Python regex for the letters of a word that a link directly follows.

    Args:
        characters: MediaWiki's ``$linkPrefixCharset``, the inside of a character class.
    """
    prefix = f"[{python_escapes(characters)}]+"
    re.compile(prefix)
    return prefix


def python_escapes(pattern: str) -> str:
    r"""Returns the pattern with PCRE's ``\x{…}`` in Python's notation and needless backslashes removed."""

    def escape(match: re.Match[str]) -> str:
        code_point = int(match[1], 16)
        return f"\\u{code_point:04x}" if code_point <= 0xFFFF else f"\\U{code_point:08x}"

    return re.sub(r"\\x\{([0-9A-Fa-f]+)\}", escape, pattern).replace("\\'", "'")
