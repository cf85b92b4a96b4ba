"""Queries of links on pages that are not in UTF-8: they are sent in the encoding of the page (URL, 4.1).

Paths and fragments are in UTF-8 wherever they stand.
"""

import re

from anchormine.web.encodings import CODECS

_IN_UTF8 = frozenset(("utf-8", "utf-16le", "utf-16be"))  # Encoding, 4.3: what is sent in UTF-8
_JIS_X_0212 = b"\x8f"  # begins its characters in EUC-JP
_NARROWER = {"gbk": "gbk"}  # which is decoded by a larger one
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
# What of a query stays as it is: URL, 1.3, the special-query percent-encode set.
_PLAIN = frozenset(range(0x21, 0x7F)) - frozenset(b"\"#<>'")


def query_codec(encoding: str) -> str | None:
    """Returns the codec of the queries on a page in an encoding of the standard; None for UTF-8."""
    return None if encoding in _IN_UTF8 else _NARROWER.get(encoding, CODECS[encoding])


def with_encoded_query(href: str, codec: str) -> str:
    """Returns a link with what its query has beyond ASCII as bytes of the page's encoding."""
    link, mark, fragment = href.partition("#")
    path, question, query = link.partition("?")
    encoded = _BEYOND_ASCII.sub(lambda match: _encoded(match[0], codec), query)
    return f"{path}{question}{encoded}{mark}{fragment}"


def _encoded(text: str, codec: str) -> str:
    data = _bytes_of(text, codec)
    if data is not None:
        return "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in data)
    if len(text) > 1:
        return "".join(_encoded(character, codec) for character in text)
    return f"%26%23{ord(text)}%3B"  # as a reference, which servers know


def _bytes_of(text: str, codec: str) -> bytes | None:
    """Encodes text as the standard does; None where it has no bytes for it."""
    if codec == "gbk" and text == "\u20ac":
        return b"\x80"
    try:
        data = text.encode(codec)
    except UnicodeEncodeError:
        return None
    return None if codec == "euc_jp" and _JIS_X_0212 in data else data  # which is read, but not written
