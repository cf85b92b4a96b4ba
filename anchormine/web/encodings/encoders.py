"""Characters to bytes by the WHATWG's Encoding standard, which reads more of them than it writes."""

from functools import lru_cache

from anchormine.web.encodings.indexes import index_of, otherwise_in_python

# First bytes of what is only read: JIS X 0212, NEC's copy of IBM's rows and private ones, HKSCS, GBK's euro.
_ONLY_READ = {
    "euc-jp": range(0x8F, 0x90),
    "shift_jis": range(0xED, 0xFA),
    "big5": range(0x81, 0xA1),
    "gb18030": range(0x80, 0x81),
}
_LAST_OF_BIG5 = frozenset("═╞╡╪十卅")  # are there twice; the others such are written as the first: 5
_MINUS_OF_JAPANESE = {"euc-jp": b"\xa1\xdd", "shift_jis": b"\x81\x7c"}
# Characters that Python reads in GB 18030 and the standard does not, but still writes: all such but these.
_NOT_SO_WRITTEN = frozenset("\ue5e5\ue7c7ḿ")


def encode(character: str, encoding: str) -> bytes | None:
    """Returns the bytes of a character beyond ASCII, or None for none.

    Args:
        character: one.
        encoding: of the standard, neither Unicode's nor ISO-2022-JP.
    """
    data = _bytes_by_character(encoding).get(character)
    if data or encoding != "gb18030" or character in _NOT_SO_WRITTEN:
        return data
    return _of_four_bytes(character)


@lru_cache
def _bytes_by_character(encoding: str) -> dict[str, bytes]:
    """Returns the bytes of each character, the first in the index, but for most of those of four bytes."""
    written = _written_as_others(encoding)
    for data, character in index_of(encoding).items():
        is_last = encoding == "big5" and character in _LAST_OF_BIG5
        if _is_written(data, encoding) and (character not in written or is_last):
            written[character] = data
    return written


def _is_written(data: bytes, encoding: str) -> bool:
    return data[0] not in _ONLY_READ.get(encoding, ()) and (encoding != "gbk" or len(data) < 4)


def _written_as_others(encoding: str) -> dict[str, bytes]:
    """Returns the bytes of characters that are read as others: 10.2.2, 12.1.2, 12.3.2."""
    if encoding in _MINUS_OF_JAPANESE:
        return {"¥": b"\\", "‾": b"~", "−": _MINUS_OF_JAPANESE[encoding]}
    if encoding in ("gbk", "gb18030"):
        in_python = otherwise_in_python(encoding).items()
        return {character: data for character, data in in_python if character not in _NOT_SO_WRITTEN}
    return {}


def _of_four_bytes(character: str) -> bytes | None:
    try:
        return character.encode("gb18030")
    except UnicodeEncodeError:  # half of a pair
        return None
