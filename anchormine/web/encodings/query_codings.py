"""Queries of links on pages that are not in UTF-8: they are sent in the encoding of the page (URL, 4.1).

Paths and fragments are in UTF-8 wherever they stand.
"""

import re
from functools import lru_cache

from anchormine.web.encodings.encoders import encode
from anchormine.web.encodings.labels import UNICODE

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
# What of a query stays as it is: URL, 1.3, the special-query percent-encode set.
_PLAIN = frozenset(range(0x21, 0x7F)) - frozenset(b"\"#<>'")

# ISO-2022-JP, 12.2.2
_ASCII, _ROMAN, _TWO_BYTES = "%1B(B", "%1B(J", "%1B$B"
_OF_ROMAN = {"¥": "\\", "‾": "~"}
_NOT_OF_ROMAN = frozenset(_OF_ROMAN.values())
_IGNORED = str.maketrans("", "", "\t\n\r")  # URL, 4.4, step 3
# The katakana of half the width, from U+FF61 on, in full.
_KATAKANA = dict(
    zip(
        map(chr, range(0xFF61, 0xFFA0)),
        "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜",
        strict=True,
    )
)


def query_codec(encoding: str) -> str | None:
    """Returns the encoding of the queries on a page in an encoding of the standard; None for UTF-8."""
    return None if encoding in UNICODE else encoding  # Encoding, 4.3


def with_encoded_query(href: str, codec: str | None) -> str:
    """Returns a link with what its query has beyond ASCII as bytes of the encoding `codec`, or as it is."""
    if codec is None or href.isascii():
        return href
    link, mark, fragment = href.partition("#")
    path, question, query = link.partition("?")
    if codec == "iso-2022-jp":
        query = _in_iso_2022_jp(query.translate(_IGNORED))
    else:
        query = _BEYOND_ASCII.sub(lambda match: _encoded(match[0], codec), query)
    return f"{path}{question}{query}{mark}{fragment}"


@lru_cache(1 << 12)
def _encoded(character: str, encoding: str) -> str:
    data = encode(character, encoding)
    return _reference(character) if data is None else _percent_encoded(data)


def _reference(character: str) -> str:
    return f"%26%23{ord(character)}%3B"  # which servers know


def _percent_encoded(data: bytes) -> str:
    return "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in data)


def _in_iso_2022_jp(query: str) -> str:
    parts, shifted = [], _ASCII
    for character in query:
        shift, part = _shift_and_part(character, shifted)
        if shift != shifted:
            parts.append(shift)
            shifted = shift
        parts.append(part)
    return "".join(parts) + (_ASCII if shifted != _ASCII else "")


def _shift_and_part(character: str, shifted: str) -> tuple[str, str]:
    """Returns what a character of a query must stand behind, and what it is there."""
    if character in _OF_ROMAN:
        return _ROMAN, _OF_ROMAN[character]
    of_one_byte = _ROMAN if shifted == _ROMAN else _ASCII
    if character.isascii():
        return _ASCII if character in _NOT_OF_ROMAN else of_one_byte, character
    data = encode(_KATAKANA.get(character, character), "euc-jp")
    if data is None:
        return of_one_byte, _reference(character)
    return _TWO_BYTES, _percent_encoded(bytes(byte & 0x7F for byte in data))
