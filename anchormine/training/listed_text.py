"""A text that a person gives, one query or anchor a line, unpacked; and what it is instead."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from anchormine.archives.compression import Damage, compression_of, decompress
from anchormine.errors import UsageError
from anchormine.text_file import utf8_text
from anchormine.web.records.crawl_formats import crawl_format

# What compresses otherwise than by gzip, bzip2 or Zstandard, by what its files start with.
_PACKED = {b"PK\x03\x04": "a ZIP archive", b"\xfd7zXZ\x00": "compressed by xz"}
_TABLE = b"PAR1"
_DUMP = b"<mediawiki"
_HEAD_BYTES = 1 << 18


class Asked(NamedTuple):
    """What a person was asked for, in the words of errors.

    Attributes:
        place: the option, with what it was given.
        file: what it is to be, such as "file of queries".
        remedy: what to give instead of something else.
    """

    place: str
    file: str
    remedy: str


def read_listed_text(path: str, asked: Asked, update: Callable[[bytes], None] | None = None) -> str:
    """Reads a text, which may be compressed by gzip, bzip2 or Zstandard, whatever its name.

    It is read once: it may be a pipe.

    Args:
        path: of the file.
        asked: for errors.
        update: receives its bytes, as of a digest.

    Raises:
        UsageError: it cannot be read, is damaged, or is no such text: UTF-8, and no file of a crawl or dump.
    """
    content = _read(path, asked)
    if update is not None:
        update(content)
    unpacked = _unpacked(content, asked)
    _refuse_corpus(unpacked[:_HEAD_BYTES], asked)
    return utf8_text(unpacked, asked.place)


def numbered_lines(text: str) -> list[tuple[int, str]]:
    """Returns the lines with anything in them, and their numbers."""
    split = io.StringIO(text, newline=None)  # at the ends of lines alone: a line may have U+2028 in it
    return [(number, line) for number, line in enumerate(split, start=1) if line.strip()]


def _read(path: str, asked: Asked) -> bytes:
    try:
        return Path(path).read_bytes()
    except IsADirectoryError:
        raise UsageError(f"{asked.place}: is a folder; {asked.remedy}") from None
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(f"{asked.place}: cannot be read ({reason}); give an existing {asked.file}") from None


def _unpacked(content: bytes, asked: Asked) -> bytes:
    if packed := next((name for start, name in _PACKED.items() if content.startswith(start)), None):
        raise UsageError(f"{asked.place}: is {packed}; unpack it, and give a {asked.file}")
    damages: list[Damage] = []
    unpacked = b"".join(decompress(io.BytesIO(content), compression_of(content), damages))
    if damages:
        first = damages[0]
        raise UsageError(f"{asked.place}: broken at byte {first.offset} ({first.reason}); give a whole copy")
    return unpacked


def _refuse_corpus(head: bytes, asked: Asked) -> None:
    """Refuses what pages are mined from, and tables: lines of the first would do."""
    if crawl_format(head):
        raise UsageError(f"{asked.place}: is a file of a crawl; {asked.remedy}")
    if _DUMP in head:
        raise UsageError(f"{asked.place}: is a MediaWiki dump; {asked.remedy}")
    if head.startswith(_TABLE):
        raise UsageError(f"{asked.place}: is a Parquet file; {asked.remedy}")
