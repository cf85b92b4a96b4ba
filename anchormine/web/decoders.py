"""Bytes to text by the WHATWG's Encoding standard, which knows characters that Python's codecs do not."""

import codecs
import re
from itertools import product
from typing import NamedTuple

from anchormine.web.encodings import CODECS

WRONG = "\ufffd"

_HANDLER = "anchormine.web.decoders"
# Rows of the standard's index of JIS X 0208 that the euc_jp codec lacks: NEC's, and IBM's as NEC placed them.
_NEC_ROWS = (13, 89, 90, 91, 92)
# What that index has for the signs that Python maps otherwise; Shift_JIS has these in Python, too.
_SIGNS = {"〜": "～", "‖": "∥", "−": "－", "¢": "￠", "£": "￡", "¬": "￢"}
# A character of EUC-JP that is none; a byte of ASCII behind it is not of it (standard, 12.1.1).
_NO_EUC = re.compile(rb"\x8f[\xa1-\xfe][\x80-\xff]?|[\x8e\x8f\xa1-\xfe][\x80-\xff]?|.", re.DOTALL)
# ISO-2022-JP, 12.2.1: what shifts to ASCII, to its Roman form, to katakana and to two bytes a character.
_SHIFT = re.compile(rb"\x1b(\([BJI]|\$[@B])")
_CUT_SHIFT = re.compile(rb"\x1b[($]\Z")
_KATAKANA = re.compile(rb"[\xa1-\xfe]")
_NO_BYTE = 0xFF  # which is wrong in ASCII and in EUC-JP
_ROMAN = str.maketrans("\\~", "¥‾")


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
    if encoding == "iso-2022-jp":
        text = _iso_2022_jp(body)
        return Decoded(text, text.count(WRONG))
    codec = CODECS[encoding]
    try:
        text, wrong = body.decode(codec), 0
    except UnicodeDecodeError:
        text = body.decode(codec, _HANDLER if codec in _MORE else "replace")
        wrong = text.count(WRONG)
    return Decoded(_with_signs(text) if encoding == "euc-jp" else text, wrong)


def _with_signs(text: str) -> str:
    for sign, of_the_index in _SIGNS.items():
        text = text.replace(sign, of_the_index)
    return text


def _iso_2022_jp(body: bytes) -> str:
    before, *shifted = _SHIFT.split(_CUT_SHIFT.sub(b"\x1b", body))
    stretches = zip(shifted[::2], shifted[1::2], strict=True)
    return "".join([_stretch(b"(B", before), *(_stretch(shift, stretch) for shift, stretch in stretches)])


def _stretch(shift: bytes, stretch: bytes) -> str:
    """Decodes what stands behind a shift; line ends stay what they are, and shift nothing back."""
    if shift in (b"(B", b"(J"):
        text = stretch.replace(b"\x1b", bytes([_NO_BYTE])).decode("ascii", "replace")
        return text.translate(_ROMAN) if shift == b"(J" else text
    stretch = stretch.translate(_TO_EUC)
    if shift == b"(I":
        stretch = _KATAKANA.sub(b"\x8e\\g<0>", stretch)
    return decode(stretch, "euc-jp").text


def _nec_characters() -> dict[bytes, str]:
    """Returns the characters of the rows that euc_jp lacks, by their bytes there: cp932 has all rows."""
    characters = {}
    for row, cell in product(_NEC_ROWS, range(1, 95)):
        character = _shift_jis(row, cell).decode("cp932", "replace")
        if WRONG not in character:
            characters[bytes((0xA0 + row, 0xA0 + cell))] = character
    return characters


def _shift_jis(row: int, cell: int) -> bytes:
    lead = (row - 1) // 2 + (0x81 if row < 63 else 0xC1)
    return bytes((lead, cell + 0x9E if row % 2 == 0 else cell + (0x3F if cell < 64 else 0x40)))


def _read_more(error: UnicodeError) -> tuple[str, int]:
    """Handles an error of Python's codec: a character that only the standard knows, else U+FFFD."""
    assert isinstance(error, UnicodeDecodeError)
    body, start = error.object, error.start
    for size in (1, 2):
        character = _MORE[error.encoding].get(body[start : start + size])
        if character:
            return character, start + size
    no_character = _NO_EUC.match(body, start) if error.encoding == "euc_jp" else None
    return WRONG, no_character.end() if no_character else error.end


_TO_EUC = bytes(
    byte | 0x80 if 0x21 <= byte <= 0x7E else _NO_BYTE if byte in (0x1B, 0x7F) or byte > 0x7F else byte
    for byte in range(256)
)
# Characters by their bytes, for each codec that lacks some. 0x80 is the euro of Windows' GBK (10.2.1).
_MORE = {"euc_jp": _nec_characters(), "gb18030": {b"\x80": "€"}}
codecs.register_error(_HANDLER, _read_more)
