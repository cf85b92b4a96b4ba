"""All characters of each encoding, read and written: as Chromium does, but for four of Big5."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import product

import pytest

from anchormine.web.encodings.decoders import decode
from anchormine.web.encodings.labels import SINGLE_BYTE
from anchormine.web.encodings.query_codings import with_encoded_query

# Of the texts of all bytes, each with a full stop behind where an encoding has more than one a character.
# Chromium has the four of Big5 that are two code points otherwise: the standard's 11.1.1.
READ = {
    "ibm866": "e4d6ff5ca5ada13a",
    "iso-8859-10": "4f9e6ea68a80234a",
    "iso-8859-13": "e0dc2e83c4600e7f",
    "iso-8859-14": "cc0467a122c68308",
    "iso-8859-15": "02da73e6cb687359",
    "iso-8859-16": "1695e6848a2fa540",
    "iso-8859-2": "f06000761c8bcf26",
    "iso-8859-3": "202a1b363622d2ae",
    "iso-8859-4": "f7076eceae60e496",
    "iso-8859-5": "93b826201406f5c1",
    "iso-8859-6": "7bd8ab9b93da30d5",
    "iso-8859-7": "6990b4f2c0f41585",
    "iso-8859-8": "3fece254a648dccd",
    "koi8-r": "4864274e118185ef",
    "koi8-u": "0fdfdda8e9261a58",
    "macintosh": "07da6af6067c9558",
    "windows-1250": "01dd09bae2d209f4",
    "windows-1251": "64bc96a197c74f59",
    "windows-1252": "d486335e5257b059",
    "windows-1253": "9e4c70ccbbd0778f",
    "windows-1254": "390edd6fb0372487",
    "windows-1255": "eb0725777360879e",
    "windows-1256": "5526d72d1fce45fa",
    "windows-1257": "6df262bb978fac4d",
    "windows-1258": "4744ca2fc1f4eb72",
    "windows-874": "17408160a539642a",
    "x-mac-cyrillic": "ce302a812a98d7f3",
    "gbk": "39254746d9d9b52b",
    "gb18030": "97338fb99b6eed2b",
    "big5": "0362621cb09f62a3",
    "euc-kr": "ef059784838df45a",
    "euc-jp": "65ef404215f9e655",
    "shift_jis": "23c3e45e9418c622",
    "iso-2022-jp": "740f3c368feb6fae",
}
# Of the queries of one character each, of the basic multilingual plane beyond ASCII.
WRITTEN = {
    "windows-1252": "ebd6a0bc03ffb85b",
    "koi8-u": "2ae6db46fc183f66",
    "gbk": "586493f7bbaa127b",
    "gb18030": "0fa431934785f6dc",
    "big5": "1419d3d1047989d9",
    "euc-kr": "e37d3baea96104f5",
    "euc-jp": "335f98f2cc0d2a3c",
    "shift_jis": "92ad4e4145fae91c",
    "iso-2022-jp": "ec0ef05943a54f46",
}


def digest(texts: Iterable[str]) -> str:
    return sha256("\n".join(texts).encode()).hexdigest()[:16]


def all_bytes(encoding: str) -> Iterator[bytes]:
    if encoding in SINGLE_BYTE:
        yield from (bytes((byte,)) for byte in range(0x100))
    elif encoding == "iso-2022-jp":
        yield from (b"\x1b$B%c%c\x1b(B" % pair for pair in product(range(0x21, 0x7F), repeat=2))
    else:
        yield from (b"%c%c." % pair for pair in product(range(0x80, 0x100), range(0x100)))
    if encoding == "euc-jp":
        yield from (b"\x8f%c%c." % pair for pair in product(range(0xA1, 0xFF), repeat=2))
    if encoding == "gb18030":
        digits, leads = range(0x30, 0x3A), range(0x81, 0xFF)
        yield from map(bytes, product(range(0x81, 0x8A), digits, leads, digits))


@pytest.mark.parametrize("encoding", READ)
def test_read(encoding: str) -> None:
    assert digest(decode(data, encoding).text for data in all_bytes(encoding)) == READ[encoding]


def characters() -> Iterator[str]:
    yield from map(chr, (*range(0x80, 0xD800), *range(0xE000, 0x10000)))


@pytest.mark.parametrize("encoding", WRITTEN)
def test_written(encoding: str) -> None:
    assert digest(with_encoded_query(f"?{c}", encoding) for c in characters()) == WRITTEN[encoding]


@pytest.mark.parametrize("encoding", sorted(SINGLE_BYTE))
def test_characters_of_one_byte_are_written_as_it(encoding: str) -> None:
    for byte in range(0x80, 0x100):
        character, wrong = decode(bytes((byte,)), encoding)
        expected = "?%26%2365533%3B" if wrong else f"?%{byte:02X}"
        assert with_encoded_query(f"?{character}", encoding) == expected
