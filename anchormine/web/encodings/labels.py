"""Names of character encodings, as pages write them, by the WHATWG's Encoding standard."""

import codecs
import re
from functools import lru_cache

# The standard's name of each encoding that pages may use, and Python's codec for it. Those that can hide
# markup (utf-7, hz) are none, nor are Python's codecs for other things (rot13, base64).
CODECS = {
    "utf-8": "utf-8",
    "windows-1252": "cp1252",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
    "gbk": "gb18030",  # which holds it, and is what the standard decodes it as
    "gb18030": "gb18030",
    "big5": "big5hkscs",
    "euc-jp": "euc_jp",
    "shift_jis": "cp932",
    "iso-2022-jp": "iso2022_jp",
    "euc-kr": "cp949",
    "ibm866": "cp866",
    "koi8-r": "koi8_r",
    "koi8-u": "koi8_u",
    "macintosh": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
    "windows-874": "cp874",
    **{f"windows-{page}": f"cp{page}" for page in (1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258)},
    **{f"iso-8859-{part}": f"iso8859_{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
}
UNICODE = frozenset(("utf-8", "utf-16le", "utf-16be"))
SINGLE_BYTE = (
    frozenset(CODECS) - UNICODE - set("gbk gb18030 big5 euc-jp shift_jis iso-2022-jp euc-kr".split())
)

# What Python's names for labels are, where that is not the name of an encoding above: the standard reads
# several as the larger encoding that people meant.
_MEANT = {
    "ascii": "windows-1252",
    "iso8859-1": "windows-1252",
    "iso8859-9": "windows-1254",
    "iso8859-11": "windows-874",
    "tis-620": "windows-874",
    "gb2312": "gbk",
    "shift_jis": "shift_jis",
    "euc_kr": "euc-kr",
    "johab": "euc-kr",
    "big5": "big5",
    "utf-16": "utf-16le",
    "mac-roman": "macintosh",
}
_BY_CODEC = {codecs.lookup(codec).name: name for name, codec in reversed(CODECS.items())} | {
    codecs.lookup(label).name: name for label, name in _MEANT.items()
}
# Labels that Python does not know.
_LABELS = {
    "unicode-1-1-utf-8": "utf-8",
    "unicode11utf8": "utf-8",
    "unicode20utf8": "utf-8",
    "x-unicode20utf8": "utf-8",
    "unicode": "utf-16le",
    "ucs-2": "utf-16le",
    "iso-10646-ucs-2": "utf-16le",
    "csunicode": "utf-16le",
    "unicodefeff": "utf-16le",
    "unicodefffe": "utf-16be",
    "x-gbk": "gbk",
    "gb_2312": "gbk",
    "gb_2312-80": "gbk",
    "csgb2312": "gbk",
    "big5-hkscs": "big5",
    "cn-big5": "big5",
    "x-x-big5": "big5",
    "x-euc-jp": "euc-jp",
    "cseucpkdfmtjapanese": "euc-jp",
    "x-sjis": "shift_jis",
    "ms_kanji": "shift_jis",
    "windows-31j": "shift_jis",
    "csshiftjis": "shift_jis",
    "csiso2022jp": "iso-2022-jp",
    "cseuckr": "euc-kr",
    "windows-949": "euc-kr",
    "ks_c_5601-1989": "euc-kr",
    "ksc_5601": "euc-kr",
    "csksc56011987": "euc-kr",
    "iso-ir-149": "euc-kr",
    "koi": "koi8-r",
    "koi8": "koi8-r",
    "koi8-ru": "koi8-u",
    "dos-874": "windows-874",
    **{f"iso8859{part}": f"iso-8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15)},
    "iso88591": "windows-1252",
    "iso88599": "windows-1254",
    "iso885911": "windows-874",
    **{f"iso-8859-{part}-{kind}": f"iso-8859-{part}" for part in (6, 8) for kind in "ei"},
    **{f"csiso8859{part}{kind}": f"iso-8859-{part}" for part in (6, 8) for kind in "ei"},
    "csisolatin9": "iso-8859-15",
    "logical": "iso-8859-8",
    "visual": "iso-8859-8",
    "sun_eu_greek": "iso-8859-7",
    "x-mac-roman": "macintosh",
    "mac": "macintosh",
    "csmacintosh": "macintosh",
    "x-mac-ukrainian": "x-mac-cyrillic",
    **{f"x-cp{page}": f"windows-{page}" for page in range(1250, 1259)},
}

_LONGEST_LABEL = 100  # a head may have one of megabytes
_PARAMETER = re.compile(r"(?<![\w-])charset\s*=\s*(?:[\"']\s*)?([^\s\"';,]+)", re.IGNORECASE)


def encoding_in(content_type: str) -> str | None:
    """Returns the standard's name of the encoding that a Content-Type names, or None for none."""
    match = _PARAMETER.search(content_type)
    return encoding_of(match[1]) if match else None


def encoding_of(label: str) -> str | None:
    """Returns the standard's name of the encoding that a label stands for, or None for none."""
    label = label.strip(" \t\r\n\f\"'").lower()
    return _encoding_of(label) if len(label) <= _LONGEST_LABEL else None


@lru_cache(1 << 10)
def _encoding_of(label: str) -> str | None:
    if label in CODECS:
        return label
    if label in _LABELS:
        return _LABELS[label]
    try:
        return _BY_CODEC.get(codecs.lookup(label).name)
    except (LookupError, ValueError):  # ValueError: a null character in it
        return None
