"""Language codes as Wikipedias, their dumps and MediaWiki write them."""

from __future__ import annotations

from collections.abc import Mapping


def canonical_code(code: str, aliases: Mapping[str, str]) -> str:
    """Returns MediaWiki's code for a language: ``zh_min_nan`` is ``nan``, ``als`` ``gsw``, ``NO`` ``nb``.

    Args:
        code: A code in any case, with ``-`` or, as in the names of dumps, ``_``.
        aliases: Other codes of languages, by other code.
    """
    code = code.strip().lower().replace("_", "-")
    return aliases.get(code, code)
