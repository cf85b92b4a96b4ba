"""A record of ClueWeb22's files, from its line of JSON.

Texts have `ClueWeb22-ID`, `URL`, `Language` and `Clean-Text`; in-links have `ClueWeb22-ID`, `url`, `language`
and `anchors`, out-links the same with `outlinks`; records of links may lack the id or the URL. URLs end in a
line feed in some files.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from anchormine.json_lines import parse_json
from anchormine.web.page.page_facts import declared_language

KINDS = ("txt", "inlink", "outlink")  # and the names of the folders that they stand in
LIST_KEYS = {"inlink": "anchors", "outlink": "outlinks"}

_KIND_OF_KEY = {b"Clean-Text": "txt", b"anchors": "inlink", b"outlinks": "outlink"}
_KEY = re.compile(rb'"(Clean-Text|anchors|outlinks)"\s*:')
_PAGE_ID = re.compile(r"clueweb22-([a-z_]+[0-9]+-[0-9]+)-[0-9]+")


class RecordError(ValueError):
    """A line that is none of ClueWeb22's records, in words."""


class TextRecord(NamedTuple):
    """A page.

    Attributes:
        page_id: its ClueWeb22-ID.
        url: of the page.
        language: primary code, such as "en"; None if it is not known.
        text: as the file has it.
    """

    page_id: str
    url: str
    language: str | None
    text: str


class LinkRecord(NamedTuple):
    """The links to a page, or those on it.

    Attributes:
        page_id: its ClueWeb22-ID; "" if the record has none.
        url: of the page; "" if the record has none, and an id.
        language: of the page, see `TextRecord`.
        links: as the file has them.
    """

    page_id: str
    url: str
    language: str | None
    links: list[Any]


def kind_of(text: bytes) -> str | None:
    """Tells by the keys of a record, or of its first part, which of `KINDS` it is; None for anything else."""
    match = _KEY.search(text)
    return _KIND_OF_KEY[match[1]] if match and text.lstrip().startswith(b"{") else None


def stem_of(page_id: str) -> str | None:
    """Returns the file that a page is in, such as "en0000-00"; None for what is no ClueWeb22-ID."""
    match = _PAGE_ID.fullmatch(page_id)
    return match[1] if match else None


def primary_code(language: object) -> str | None:
    """Returns the primary code of a language: "zh" of "zh_chs"; None for anything that is no code."""
    return declared_language(language) if isinstance(language, str) else None


def read_text(line: bytes) -> TextRecord:
    """Reads a line of a file of texts.

    Raises:
        RecordError: it is no JSON, or lacks a key.
    """
    record = _object(line)
    url, text = _string(record, "URL"), _string(record, "Clean-Text", null="")
    return TextRecord(_page_id(record), url.strip(), primary_code(record.get("Language")), text)


def read_links(line: bytes, kind: str) -> LinkRecord:
    """Reads a line of a file of links.

    Args:
        line: of the file.
        kind: "inlink" or "outlink".

    Raises:
        RecordError: it is no JSON, or lacks a key.
    """
    record = _object(line)
    key = LIST_KEYS[kind]
    links = record.get(key)
    if links is None and key in record:
        links = []
    if not isinstance(links, list):
        raise RecordError(f"{key}: expected a list, got {_found(links)}")
    page_id = _page_id(record) if record.get("ClueWeb22-ID") is not None else ""
    url = _string(record, "url", null="").strip() if "url" in record else ""
    if not page_id and not url:
        raise RecordError("expected a ClueWeb22-ID or a url, got neither")
    return LinkRecord(page_id, url, primary_code(record.get("language")), links)


def _object(line: bytes) -> dict[str, Any]:
    try:
        record = parse_json(line)
    except ValueError as error:  # JSONDecodeError and UnicodeDecodeError
        raise RecordError(f"not JSON: {error}") from None
    except RecursionError:
        raise RecordError("not JSON that can be read: nested too deep") from None
    if not isinstance(record, dict):
        raise RecordError(f"expected an object, got {_found(record)}")
    return record


def _page_id(record: dict[str, Any]) -> str:
    page_id = record.get("ClueWeb22-ID")
    if not isinstance(page_id, str) or stem_of(page_id) is None:
        raise RecordError(
            f"ClueWeb22-ID: expected one such as clueweb22-en0000-00-00004, got {page_id!r:.60}"
        )
    return page_id


def _string(record: dict[str, Any], key: str, null: str | None = None) -> str:
    """Returns what a key has; `null`, if that is not None, where it has null."""
    value = record.get(key)
    if value is None and null is not None and key in record:
        return null
    if not isinstance(value, str):
        raise RecordError(f"{key}: expected a string, got {_found(value)}")
    return value


def _found(value: object) -> str:
    return "nothing" if value is None else type(value).__name__
