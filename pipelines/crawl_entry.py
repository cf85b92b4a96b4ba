"""What the manifest says of a crawl as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_LANGUAGES = "languages."


def crawl_entry(
    name: str, counts: Mapping[str, int], licence: str | None, newest: str | None
) -> dict[str, Any]:
    """What the manifest says of a crawl, in the place of a wiki.

    Args:
        name: of the crawl.
        counts: what was counted; those of "languages." are of pages.
        licence: of the text.
        newest: date of its latest page.

    Returns:
        with "language", that of most pages: of two with as many, the first by its code.
    """
    languages = {
        key.removeprefix(_LANGUAGES): count for key, count in counts.items() if key.startswith(_LANGUAGES)
    }
    return {
        "wiki": name,
        "name": name,
        "base": None,
        "language": min(languages, key=lambda code: (-languages[code], code), default=None),
        "languages": sorted(languages),
        "licence": licence,
        "newest": newest,
    }
