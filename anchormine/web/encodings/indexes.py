"""The indexes of the WHATWG's Encoding standard: Python's codecs, and where it differs from them."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from anchormine.web.encodings.labels import CODECS, SINGLE_BYTE

_NONE = "\ufffd"
_C1 = range(0x80, 0xA0)
_JIS_X_0212 = 0x8F  # begins its characters in EUC-JP, of three bytes
# Bytes that begin a character of two or more: all that may in any encoding, and fewer in Shift_JIS.
_LEADS = range(0x81, 0xFF)
_LEADS_OF_SHIFT_JIS = (*range(0x81, 0xA0), *range(0xE0, 0xFD))
_TRAILS = range(0x40, 0xFF)
_CELLS = range(1, 95)  # of a row in JIS X 0208
# Rows of the standard's index of JIS X 0208 that the euc_jp codec lacks: NEC's, and IBM's as NEC placed them.
_NEC_ROWS = (13, 89, 90, 91, 92)

# What Python has otherwise, or not at all: the bytes of a character, it, and those that come next in order.
# GB 18030: what has a code point of its own since 2005 or 2022, and was private before.
_GB_18030 = (
    "a3a0\u3000 a6d9︐︒︑︓︔︕︖ a6ec︗︘ a6f3︙ a8bcḿ 8135f437\ue7c7 "
    "fe59龴 fe61龵 fe66龶龷 fe6d龸 fe7e龹 fe90龺 fea0龻"
)
# Big5: signs as Windows has them, and what of the standard's HKSCS Python lacks.
_BIG5 = (
    "a145‧ a14e﹑ a1c2¯ a1e3～ a1f2⊕⊙ a241∕﹨ a244￥ a246￠￡ 877a㡵𡵓𣚞𦀡㻬 87a1𥣞㫵竼龗𤅡𨤍𣇪𠪊𣉞䌊蒄龖鐯"
    "䤰蘓墖靊鈘秐稲晠権袝瑌篅枂稬剏遆㓦珄𥶹瓆鿇垳䤯呌䄱𣚎堘穲𧭥讏䚮𦺈䆁𥶙箮𢒼鿈𢓁𢓉𢓌鿉蔄𣖻䂴鿊䓡𪷿拁灮鿋 "
    "8e69箸 8e6f簆 8e7e糎 8eab緒 8eb4縝 8ecd者 8ed0耨 8f57菁 8f69蒨 8f6e萏 8fcb覦覩 8ffe起 906d都 907a銹 "
    "90dc靜 90f1響 91bf鼖 9244蔃 92af兙兛兝兞 92c8鍮 92d1瑹 9447浧 94ca禛 95d9邗 9644靝 96ed瀞 96fc嬨 "
    "9b76爁 9b78矗 9b7b纇 9bc6駖 9bde釔 9bec惞 9bf6澶 9c42輶 9c53侻 9c62營 9c68鄄 9c6b鷰 9c77菏 9cbc尐秣 "
    "9cd0婧 9d57輋 9d5a筑 9dc4拐 9ea9恢 9eef痹 9efd汊 9f60鬮 9f66鼗 9fcb僭 9fd8弌 a063蠏 a077拎 a0d5瑨 "
    "a0df煢 a0e4牐 a3c0␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞␟␡€ c6cf廴 c6d3无 c6d5癶 c6d7隶 c6de〃仝 fa5f倩 "
    "fa66偽 fabd包 fac5卄 fad5卿 fb48嘅 fbb8婷 fbf3幵 fbf9廐 fc4f彘 fc6c悤 fcb9撐 fce2晴 fcf1杞 fdb7沜渝 "
    "fdbb港 fdf1煮 fe52猪 fe6f瑜 feaa瓩 fedd砉"
)
_OTHERWISE = {
    "gbk": f"80€ {_GB_18030}",
    "gb18030": f"80€ {_GB_18030}",
    "big5": _BIG5,
    "euc-jp": "8fa2b7～ a1c1～∥ a1dd－ a1f1￠￡ a2cc￢",  # as Shift_JIS has them, in Python, too
    "shift_jis": "a0\ufffd fd\ufffd\ufffd\ufffd",  # which cp932 reads as private
    "windows-1255": "ca\u05ba",
    "koi8-u": "aeў beЎ",
}
_RUN = re.compile("([0-9a-f]+)([^ ]+)")


@lru_cache
def index_of(encoding: str) -> dict[bytes, str]:
    """Returns the characters of an encoding beyond ASCII by their bytes, in the order of those.

    Those of four bytes in GB 18030 are left out, but for one that Python has otherwise.

    Args:
        encoding: of the standard, neither Unicode's nor ISO-2022-JP, whose characters are those of EUC-JP.
    """
    codec = CODECS[encoding]
    index = {data: character for data in _candidates(encoding) if (character := read_by_python(data, codec))}
    if encoding in SINGLE_BYTE:
        index |= {bytes((byte,)): chr(byte) for byte in _C1 if bytes((byte,)) not in index}
    index |= _otherwise(encoding)
    return {data: index[data] for data in sorted(index) if index[data] != _NONE}


def otherwise_in_python(encoding: str) -> dict[str, bytes]:
    """Returns the characters that Python reads where the standard has another, or none, by their bytes."""
    in_python = {read_by_python(data, CODECS[encoding]): data for data in _otherwise(encoding)}
    return {character: data for character, data in in_python.items() if character}


def _candidates(encoding: str) -> Iterator[bytes]:
    """Yields all bytes that may be a character, but for those of four bytes."""
    yield from (bytes((byte,)) for byte in range(0x80, 0x100))
    if encoding not in SINGLE_BYTE:
        leads = _LEADS_OF_SHIFT_JIS if encoding == "shift_jis" else _LEADS
        yield from map(bytes, product(leads, _TRAILS))
    if encoding == "euc-jp":
        yield from map(bytes, product((_JIS_X_0212,), _LEADS, _LEADS))


def read_by_python(data: bytes, codec: str) -> str:
    """Returns what some bytes are in one of Python's codecs; "" for nothing."""
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        return ""


def _otherwise(encoding: str) -> dict[bytes, str]:
    characters = _nec_characters() if encoding == "euc-jp" else {}
    for first, run in _RUN.findall(_OTHERWISE.get(encoding, "")):
        size, number = len(first) // 2, int(first, 16)
        characters |= {(number + place).to_bytes(size, "big"): run[place] for place in range(len(run))}
    return characters


def _nec_characters() -> dict[bytes, str]:
    """Returns the characters of the rows that euc_jp lacks, by their bytes there: cp932 has all rows."""
    cells = product(_NEC_ROWS, _CELLS)
    characters = {
        bytes((0xA0 + row, 0xA0 + cell)): read_by_python(_shift_jis(row, cell), "cp932")
        for row, cell in cells
    }
    return {data: character for data, character in characters.items() if character}


def _shift_jis(row: int, cell: int) -> bytes:
    lead = (row - 1) // 2 + (0x81 if row < 63 else 0xC1)
    return bytes((lead, cell + 0x9E if row % 2 == 0 else cell + (0x3F if cell < 64 else 0x40)))
