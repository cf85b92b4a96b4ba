"""What the manifest says of a crawl as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_LANGUAGES = "languages."
_UNTOLD_SHARE = 0.1  # of the pages, from which on it is said that they name no language


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
        with "language", that of half of the pages or more: of two with as many, the first by its code. None
        if none is of so many, for pages that name no language may be of any.
    """
    languages = _languages(counts)
    most = min(languages, key=lambda code: (-languages[code], code), default=None)
    is_half = most is not None and 2 * languages[most] >= counts["pages.written"]
    return {
        "wiki": name,
        "name": name,
        "base": None,
        "language": most if is_half else None,
        "languages": sorted(languages),
        "licence": licence,
        "newest": newest,
    }


def language_lines(counts: Mapping[str, int]) -> Iterator[str]:
    """Tells how many pages name no language, where they are many."""
    pages = counts["pages.written"]
    untold = pages - sum(_languages(counts).values())
    if untold > _UNTOLD_SHARE * pages:
        advice = "if all pages are of one, name it by --language"
        yield f"{untold:,} of {pages:,} pages name no language; {advice}"


def _languages(counts: Mapping[str, int]) -> dict[str, int]:
    """The pages of each language."""
    return {
        key.removeprefix(_LANGUAGES): count for key, count in counts.items() if key.startswith(_LANGUAGES)
    }
