"""The text of a page, from its bytes: by what it declares where that is true, else by what it looks like."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import charset_normalizer
from resiliparse.parse.encoding import detect_encoding

from anchormine.web.encodings.decoders import WRONG, Decoded, decode
from anchormine.web.encodings.head_charsets import encoding_in_head, encoding_in_long_head
from anchormine.web.encodings.labels import CODECS, SINGLE_BYTE, encoding_in, encoding_of

_SNIFFED_BYTES = 4096
_DETECTED_BYTES = 8192
_SLOWLY_DETECTED_BYTES = 4096
# Characters beyond ASCII that may be wrong in a page in the encoding that it declares: a letter cut in two, a
# comment in another encoding.
_MAX_WRONG = 0.05
# The same where the page declares UTF-8, and nothing else is whole: browsers take any of it.
_MAX_WRONG_OF_UTF_8 = 1 / 3
# The same where the other reading is one full of escapes.
_MAX_WRONG_OF_ESCAPED = 0.5
# Where fewer bytes than this are beyond ASCII, each by itself, it is English with a few signs or names:
# detectors guess wildly there. In text that is English for its words, names may be more.
_FEW, _FEW_IN_ENGLISH = 0.005, 0.03
_ENGLISH = re.compile(rb"\b(?:the|and|of|for|with)\b", re.IGNORECASE)
_ENGLISH_WORDS = 0.06  # of all words are these, at least; in running text about one in six
_FALLBACK = "windows-1252"  # which the standard assumes for most languages

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))
# Of pages without such a mark.
_STARTS_IN_UTF_16 = (
    (re.compile(rb"(?:[\t\n\f\r ]\0)*<\0[!?A-Za-z]\0"), "utf-16le"),
    (re.compile(rb"(?:\0[\t\n\f\r ])*\0<\0[!?A-Za-z]"), "utf-16be"),
)
_CONTINUING, _BEGINNING = bytes(range(0x80, 0xC0)), bytes(range(0xC0, 0x100))  # in UTF-8
_TAG = re.compile(rb"<[^<>]{0,1000}>")
_RUN = re.compile(rb"[\x80-\xff]+")
_ESCAPE, _DOUBLE_BYTE_ESCAPE = b"\x1b", b"\x1b$"  # of ISO-2022-JP, which is ASCII to look at
# Detectors tell an encoding from a smaller one only where a letter beyond that occurs.
_LARGER = {"koi8-r": "koi8-u", "iso-8859-13": "windows-1257", "gbk": "gb18030"}
# Windows' own have signs, such as dashes and quotes, where these have control characters, which no page has.
_WITH_SIGNS = {
    "iso-8859-2": "windows-1250",
    "iso-8859-7": "windows-1253",
    "iso-8859-8": "windows-1255",
    "iso-8859-15": "windows-1252",
}
_CONTROLS = bytes(range(0x80, 0xA0))
# Korean that no detector finds: so many syllables, so much of the letters beyond ASCII, and no byte wrong.
_SYLLABLES, _MOSTLY = 10, 0.9


class DecodedText(NamedTuple):
    """The text of a page, and the encoding it was decoded from, by its name in the WHATWG's standard."""

    text: str
    encoding: str


def decode_text(body: bytes, content_type: str) -> DecodedText:
    """Decodes a page.

    A byte order mark decides; then whether it begins as a tag does in UTF-16; then the charset of the HTTP
    header, then that of the page's head, each if the whole page can be read so, but for a last character that
    is cut off; then UTF-8, and then a charset far behind in the head where there was none before, on the same
    condition; then an encoding among these in which few characters beyond
    ASCII are wrong, one in twenty at most or, of UTF-8 that is declared, one in three; then a detector. Bytes
    that are wrong even so become U+FFFD.

    Text that is valid UTF-8 is not believed to be in an encoding of one byte for each character: any bytes
    would be valid there. Nor is text of which little is wrong in UTF-8, or in another encoding of several
    bytes that goes before. For the same reason no text with the escapes of ISO-2022-JP is believed to be
    ASCII, whatever it declares, if it can be read by them.

    Args:
        body: the page, its transfer and content codings undone.
        content_type: HTTP's Content-Type, "" if there is none.
    """
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return DecodedText(decode(body[len(mark) :], encoding).text, encoding)
    tried: dict[str, Decoded] = {}
    declares_utf_8 = False
    for encoding, is_declared in _candidates(body, content_type):
        declares_utf_8 = declares_utf_8 or (is_declared and encoding == "utf-8")
        if encoding in tried:
            continue
        decoded = decode(body, encoding)
        if not decoded.wrong or _is_cut_off(decoded, is_declared):
            text = DecodedText(decoded.text, encoding)
            return (_rather(body, tried, encoding) if tried else None) or text
        tried[encoding] = decoded
    if declares_utf_8:
        return _nearly({"utf-8": tried["utf-8"]}, _MAX_WRONG_OF_UTF_8) or _nearly(tried) or _detected(body)
    return _nearly(tried) or _detected(body)


def _candidates(body: bytes, content_type: str) -> Iterator[tuple[str, bool]]:
    """Yields the encodings in which a page may be whole, and whether it declares each."""
    for start, encoding in _STARTS_IN_UTF_16:
        if start.match(body):
            yield encoding, False
    is_escaped = _ESCAPE in body and _DOUBLE_BYTE_ESCAPE in body  # one byte is found ten times as fast as two
    if is_escaped and body.isascii():
        yield "iso-2022-jp", False
    is_declared = False
    for encoding in _declared(body, content_type):
        is_declared = True
        if encoding in SINGLE_BYTE and not body.isascii() and _may_be_utf_8(body):
            yield "utf-8", False
        yield encoding, True
    if is_escaped and not is_declared:
        yield "iso-2022-jp", False
    yield "utf-8", False
    late = None if is_declared else encoding_in_long_head(body)
    if late:
        yield late, True


def _may_be_utf_8(body: bytes) -> bool:
    """Whether nearly each byte that begins a character has one that continues it; the last may be cut off."""
    continuing = len(body) - len(body.translate(None, _CONTINUING))
    beginning = len(body) - len(body.translate(None, _BEGINNING))
    return beginning - 1 <= (1 + 2 * _MAX_WRONG) * continuing


def _declared(body: bytes, content_type: str) -> Iterator[str]:
    encoding = encoding_in(content_type)
    if encoding and (not encoding.startswith("utf-16") or b"\0" in body[:_SNIFFED_BYTES]):
        yield encoding
    encoding = encoding_in_head(body)
    if encoding:
        yield encoding


def _is_cut_off(decoded: Decoded, is_declared: bool) -> bool:
    """Whether only the last character is wrong, and others, or what the page declares, speak for the rest."""
    text, wrong = decoded
    return wrong == 1 and text.endswith(WRONG) and (is_declared or not text[:-1].isascii())


def _rather(body: bytes, tried: dict[str, Decoded], encoding: str) -> DecodedText | None:
    """Decodes a page by an encoding tried before the one in which it is whole, if that is so by chance.

    Any bytes are whole in an encoding of one byte for each character. But bytes beyond ASCII that stand by
    themselves are letters in one, even if each makes a character with the letter of ASCII behind it.
    """
    if body.isascii():
        return _nearly(tried, _MAX_WRONG_OF_ESCAPED)
    if encoding not in SINGLE_BYTE or _stand_alone(_RUN.findall(body)):
        return None
    return _nearly({other: decoded for other, decoded in tried.items() if other not in SINGLE_BYTE})


def _nearly(tried: dict[str, Decoded], max_wrong: float = _MAX_WRONG) -> DecodedText | None:
    """Returns the text of a page in the first of these encodings in which little beyond ASCII is wrong."""
    for encoding, (text, wrong) in tried.items():
        if wrong <= max_wrong * _beyond_ascii(text):
            return DecodedText(text, encoding)
    return None


def _beyond_ascii(text: str) -> int:
    return len(text) - len(text.encode("ascii", "ignore"))


def _detected(body: bytes) -> DecodedText:
    """Decodes a page that declares nothing true, and is no UTF-8.

    Of 667 samples of 200 letters of Wikipedia, in two dozen languages, uchardet, which is resiliparse's
    detector, got 85 % right and charset-normalizer 74 %, in 20 times the time; both as here 95 %.
    """
    encoding = _FALLBACK if _is_nearly_ascii(body) else _quickly_detected(body)
    if encoding in (None, "utf-8"):  # it found nothing
        sample = _sample(body, _SLOWLY_DETECTED_BYTES)
        best = charset_normalizer.from_bytes(sample, steps=5, chunk_size=512).best()
        encoding = encoding_of(best.encoding) if best else None
    if encoding in (None, "utf-8"):
        encoding = _FALLBACK
    if encoding in SINGLE_BYTE and (korean := _korean(body)):
        return korean
    encoding = _LARGER.get(encoding, encoding)
    text = decode(body, encoding).text
    if encoding in _WITH_SIGNS and body.translate(None, _CONTROLS) != body:
        with_signs = decode(body, _WITH_SIGNS[encoding]).text
        if _letters(with_signs) > _letters(text) or _differ_in_signs_alone(body, encoding):
            return DecodedText(with_signs, _WITH_SIGNS[encoding])
    return DecodedText(text, encoding)


def _korean(body: bytes) -> DecodedText | None:
    """Decodes a page that is whole in EUC-KR, and Korean: letters of one byte do not stand in pairs.

    Nor do they make rare syllables with letters of ASCII behind them, each by itself.
    """
    if _stand_alone(_RUN.findall(body)):
        return None
    try:
        text = body.decode(CODECS["euc-kr"])
    except UnicodeDecodeError:
        return None
    letters = [character for character in text if character >= "\x80" and character.isalpha()]
    syllables = sum("가" <= character <= "힣" for character in letters)
    is_korean = syllables >= max(_SYLLABLES, _MOSTLY * len(letters))
    return DecodedText(decode(body, "euc-kr").text, "euc-kr") if is_korean else None


def _differ_in_signs_alone(body: bytes, encoding: str) -> bool:
    """Whether a page's letters are the same with and without signs: a stray control character tells nothing
    where they are not.
    """
    letters = body.translate(None, _CONTROLS)
    return decode(letters, encoding).text == decode(letters, _WITH_SIGNS[encoding]).text


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def _is_nearly_ascii(body: bytes) -> bool:
    text = _TAG.sub(b"", body)
    runs = _RUN.findall(text)
    share = sum(map(len, runs)) / max(1, len(text))
    return _stand_alone(runs) and (share < _FEW or (share < _FEW_IN_ENGLISH and _is_english(text)))


def _is_english(text: bytes) -> bool:
    return len(_ENGLISH.findall(text)) >= _ENGLISH_WORDS * len(text.split())


def _stand_alone(runs: list[bytes]) -> bool:
    """Whether bytes beyond ASCII, given in runs, mostly stand each by itself."""
    return 2 * sum(map(len, runs)) <= 3 * len(runs)


def _quickly_detected(body: bytes) -> str | None:
    """Asks uchardet, which sees the ends of a long page: scripts may stand there, and text in between."""
    half = _DETECTED_BYTES // 2
    if (body[:half] + body[-half:]).isascii():
        body = _sample(body, _DETECTED_BYTES)
    return encoding_of(detect_encoding(body, max_len=_DETECTED_BYTES) or "")


def _sample(body: bytes, size: int) -> bytes:
    """Returns bytes from about the first one beyond ASCII on, which tell more than the head of a page."""
    first = _RUN.search(body)
    start = max(0, first.start() - size // 4) if first else 0
    return body[start : start + size]
