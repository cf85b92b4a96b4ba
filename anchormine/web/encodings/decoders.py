"""Bytes to text by the WHATWG's Encoding standard."""

import io
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from anchormine.web.encodings.indexes import index_of, otherwise_in_python, read_by_python
from anchormine.web.encodings.labels import CODECS, UNICODE

WRONG = "\ufffd"

# Bytes that may be a character, and are wrong together where they are none, but for ASCII in the end; and
# runs of ASCII. No byte below "@" ends a character, but for the digits of those of four bytes.
_SINGLE = rb"[\x00-\x7f]+|."
_TWO_BYTES = rb"[\x81-\xfe][\x40-\xff]?|" + _SINGLE
_GB_18030 = rb"[\x81-\xfe][0-9][\x81-\xfe][0-9]|[\x81-\xfe][0-9][\x81-\xfe]?\Z|" + _TWO_BYTES  # 10.2.1
_CHARACTERS = {
    "gbk": _GB_18030,
    "gb18030": _GB_18030,
    "big5": _TWO_BYTES,
    "euc-kr": _TWO_BYTES,
    "euc-jp": rb"\x8f[\xa1-\xfe]?[\x40-\xff]?|[\x8e\xa1-\xfe][\x40-\xff]?|" + _SINGLE,  # 12.1.1
    "shift_jis": rb"[\x81-\x9f\xe0-\xfc][\x40-\xff]?|" + _SINGLE,  # 12.3.1
}

# ISO-2022-JP, 12.2.1: what shifts to ASCII, to its Roman form, to katakana and to two bytes a character.
_SHIFT_BYTES = rb"\x1b(\([BJI]|\$[@B])"
_SHIFT = re.compile(_SHIFT_BYTES)
_SHIFT_OF_NOTHING = re.compile(_SHIFT_BYTES + b"(?=" + _SHIFT_BYTES + b")")  # is wrong
_WRONG_IN_ASCII = re.compile(r"[\x0e\x0f\x1b\x80-\xff]")
_ROMAN = str.maketrans("\\~", "¥‾")
# Line ends stay line ends in every state, where the standard takes them for errors: they part words.
_LINE_ENDS = {b"\r": "\r", b"\n": "\n"}
_KATAKANA = {
    byte: chr(0xFF40 + byte) if 0x21 <= byte <= 0x5F else _LINE_ENDS.get(bytes([byte]), WRONG)
    for byte in range(0x100)
}
_PAIR = re.compile(rb"[\x21-\x7e][^\x1b\r\n]|.", re.DOTALL)
# From the bytes of a pair to those of EUC-JP; what is wrong in one is in the other.
_TO_EUC = bytes(byte | 0x80 if 0x21 <= byte <= 0x7E else 0xFF for byte in range(0x100))
_NOTHING = "(?!)"  # is found nowhere
_MAX_BYTES = 4  # of a character, and only in GB 18030


class Decoded(NamedTuple):
    """The text of bytes, and how many characters of it are U+FFFD as they were wrong."""

    text: str
    wrong: int


def decode(body: bytes, encoding: str) -> Decoded:
    """Decodes bytes; what is wrong becomes U+FFFD.

    Args:
        body: of any content.
        encoding: a name in `CODECS`.
    """
    text = _whole(body, encoding)
    if text is not None:
        return Decoded(text, 0)
    if encoding in UNICODE:
        text = body.decode(CODECS[encoding], "replace")
    elif encoding == "iso-2022-jp":
        text = _iso_2022_jp(body)
    else:
        text = _by_characters(body, encoding)
    return Decoded(text, text.count(WRONG))


class _Signs(NamedTuple):
    """What Python reads otherwise than the standard.

    Attributes:
        characters: of the standard, by what Python reads only in their place.
        clear: finds what Python reads so.
        wrong: finds what it reads where the standard has nothing.
        unclear: finds bytes that it reads as a character that the standard has for other bytes; it may find
            more, which only costs time.
    """

    characters: dict[str, str]
    clear: re.Pattern[str]
    wrong: re.Pattern[str]
    unclear: re.Pattern[bytes]


def _whole(body: bytes, encoding: str) -> str | None:
    """Decodes bytes of which Python's codec reads nothing wrong; None for others."""
    if encoding == "iso-2022-jp":
        return None
    try:
        text = body.decode(CODECS[encoding])
    except UnicodeDecodeError:
        return None
    signs = _signs(encoding)
    if signs is None:
        return text
    if signs.wrong.search(text) or signs.unclear.search(body):
        return None
    return signs.clear.sub(lambda match: signs.characters[match[0]], text)


@lru_cache
def _signs(encoding: str) -> _Signs | None:
    in_python = otherwise_in_python(encoding)
    if not in_python:
        return None
    index = index_of(encoding)
    unclear = {character for character in in_python if character.isascii()}.union(index.values())
    characters = {
        character: index.get(data, WRONG) for character, data in in_python.items() if character not in unclear
    }
    unclear_bytes = [re.escape(data) for character, data in in_python.items() if character in unclear]
    return _Signs(
        characters,
        _any_of(character for character, meant in characters.items() if meant != WRONG),
        _any_of(character for character, meant in characters.items() if meant == WRONG),
        re.compile(b"|".join(unclear_bytes) or _NOTHING.encode()),
    )


def _any_of(characters: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(characters) or _NOTHING)


def _by_characters(body: bytes, encoding: str) -> str:
    index = index_of(encoding)
    found = (
        match[0] for match in _pattern(encoding).finditer(body)
    )  # a list of them takes eight times the memory
    return "".join(index.get(data) or _not_of_index(data) for data in found)


@lru_cache
def _pattern(encoding: str) -> re.Pattern[bytes]:
    return re.compile(_CHARACTERS.get(encoding, _SINGLE), re.DOTALL)


def _not_of_index(data: bytes) -> str:
    """Decodes ASCII, characters of four bytes and what is wrong, with the byte of ASCII that it ends with.

    Digits that it ends with are those of a character of four bytes that is none or cut off.
    """
    if data.isascii():
        return data.decode("ascii")
    if len(data) == _MAX_BYTES:
        return read_by_python(data, "gb18030") or WRONG
    return WRONG + chr(data[-1]) if 0x40 <= data[-1] < 0x80 else WRONG


def _iso_2022_jp(body: bytes) -> str:
    body = _SHIFT_OF_NOTHING.sub(b"\\g<0>\x1b", body)
    text, shift, start = io.StringIO(), b"(B", 0  # a list of the stretches takes many times the memory
    for found in _SHIFT.finditer(body):
        text.write(_stretch(shift, body[start : found.start()]))
        shift, start = found[1], found.end()
    text.write(_stretch(shift, body[start:]))
    return text.getvalue()


def _stretch(shift: bytes, stretch: bytes) -> str:
    """Decodes what stands behind a shift."""
    if shift.startswith(b"$"):
        index = index_of("euc-jp")
        pairs = (match[0] for match in _PAIR.finditer(stretch))
        return "".join(index.get(pair.translate(_TO_EUC)) or _LINE_ENDS.get(pair, WRONG) for pair in pairs)
    text = stretch.decode("latin-1")
    if shift == b"(I":
        return text.translate(_KATAKANA)
    text = _WRONG_IN_ASCII.sub(WRONG, text)
    return text.translate(_ROMAN) if shift == b"(J" else text
