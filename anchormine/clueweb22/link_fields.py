"""One link of a record: a list of five or six fields.

They are the other page's URL and the hash of it, the anchor text, whether the link stands in a header or
footer ("" or "0": it does not), the other page's language, and its ClueWeb22-ID, which may be null.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from anchormine.clueweb22.records import primary_code, stem_of

_MIN_FIELDS, _MAX_FIELDS = 5, 6
_BODY_FLAGS = ("", "0", "0.0", "False", "None", "false", "null")


class LinkFields(NamedTuple):
    """A link, seen from the page whose record it is in.

    Attributes:
        url: of the other page.
        anchor: the text, white space made single.
        region: "header" for header and footer, else "body".
        language: primary code of the other page's language; None if it is not known.
        page_id: ClueWeb22-ID of the other page; None if it has none.
    """

    url: str
    anchor: str
    region: str
    language: str | None
    page_id: str | None


def link_fields(link: Any) -> LinkFields | None:
    """Reads a link; None for what is none: another number of fields, or a URL or text that is no string."""
    if not isinstance(link, list) or not _MIN_FIELDS <= len(link) <= _MAX_FIELDS:
        return None
    url, _, text, flag, language, page_id = (*link, None)[:_MAX_FIELDS]
    if not isinstance(url, str) or not isinstance(text, str | None):
        return None
    known = isinstance(page_id, str) and stem_of(page_id) is not None
    return LinkFields(
        url.strip(),
        " ".join((text or "").split()),
        "body" if str(flag).strip() in _BODY_FLAGS else "header",
        primary_code(language),
        page_id if known else None,
    )
