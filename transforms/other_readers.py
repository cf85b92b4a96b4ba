"""Which command reads a file that was given to another one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from anchormine.transforms.dump_range import is_dump, read_head
from anchormine.web.records.crawl_formats import crawl_format, is_zip

_HEAD_BYTES = 1 << 18
_ZIPPED_CRAWL = "a zip archive, as .wacz files are; unzip it, and give its folder archive/"
_PLAIN, _GZIP = "", "gz"
_CLUEWEB22_KEY = re.compile(rb'"ClueWeb22-ID"\s*:')
_HARP_KEY = re.compile(rb'"tokenized_sentence"\s*:')
_DUMP_INDEX = re.compile(rb"(?:\d+:\d+:[^\n]+\n){2}")  # a place, a page's number, its title
_COLLECTION_KEYS = (re.compile(rb'"_id"\s*:'), re.compile(rb'"text"\s*:'))


class _Reader(NamedTuple):
    """A command, its kind of input, how the first bytes of that look, and how it may be compressed."""

    command: str
    words: str
    matches: Callable[[bytes], object]
    packed: tuple[str, ...]


def _is_clueweb22(head: bytes) -> bool:
    return _has_keys(head, _CLUEWEB22_KEY)


def _is_harp(head: bytes) -> bool:
    return _has_keys(head, _HARP_KEY)


def _is_collection(head: bytes) -> bool:
    return _has_keys(head, *_COLLECTION_KEYS)


def _has_keys(head: bytes, *keys: re.Pattern[bytes]) -> bool:
    """Tells whether the first line is a JSON object, or the beginning of one, with some keys."""
    line = head.lstrip().partition(b"\n")[0]
    return line.startswith(b"{") and all(key.search(line) for key in keys)


_ANY = (_PLAIN, _GZIP, "bz2", "zst")
_READERS = (
    _Reader("web", "a file of a crawl; `anchormine web` reads it", crawl_format, (_PLAIN, _GZIP, "zst")),
    _Reader("wiki", "a MediaWiki dump; `anchormine wiki` reads it", is_dump, _ANY),
    _Reader(
        "wiki",
        "the index of a MediaWiki dump; `anchormine wiki` reads the dump beside it",
        _DUMP_INDEX.match,
        (_PLAIN, "bz2"),
    ),
    _Reader("clueweb22", "a file of ClueWeb22; `anchormine clueweb22` reads it", _is_clueweb22, (_GZIP,)),
    _Reader("harp", "HARP's JSON lines; `anchormine harp` reads them", _is_harp, (_PLAIN,)),
    _Reader(
        "evaluate",
        "a file of a test collection; `anchormine evaluate --collection` reads its folder",
        _is_collection,
        (_PLAIN,),
    ),
)


def other_reader(path: str, asking: str) -> str | None:
    """Says what a file is and which command reads it, by its first bytes; None for what no other does.

    Of a zip archive that was given to `web`, it says what to do with it.

    Args:
        path: of the file.
        asking: the command that it was given to.
    """
    head = read_head(path, _HEAD_BYTES)
    if asking == "web" and is_zip(head.xml):
        return _ZIPPED_CRAWL
    for command, words, matches, packed in _READERS:
        if command != asking and head.compression in packed and matches(head.xml):
            return words
    return None
