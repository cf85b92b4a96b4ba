"""Titles of pages: how a link's target is brought to the form in which a page's title is written."""

import html
import re
from html.entities import html5
from urllib.parse import unquote

from anchormine.text.normal_forms import normal_form

# MediaWikiTitleCodec: these are spaces in a title, and these are thrown away.
_SPACES = re.compile("[ _\xa0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\t\n]+")
_DIRECTION_MARKS = re.compile("[\u200e\u200f\u202a-\u202e]")
_ENTITY = re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);")
_MOST_DIGITS = len(str(0x10FFFF))  # of a character's number
# Characters that no title has: $wgLegalTitleChars and MediaWikiTitleCodec::getTitleInvalidRegex
_ILLEGAL = re.compile(r"[<>\[\]{}|\x00-\x1f\x7f\ufffd]|%[0-9A-Fa-f]{2}|&[A-Za-z0-9\x80-\uffff]+;|~~~")
_MAX_BYTES = 255
_GEORGIAN_CAPITALS = range(0x1C90, 0x1CC0)  # Mtavruli: not used at the start of a sentence or title


def decode_entities(text: str) -> str:
    """Returns the text with its character references replaced; only those that end with ";" count."""
    return _ENTITY.sub(_decode, text) if "&" in text else text


def _decode(match: re.Match[str]) -> str:
    reference = match[0]
    decoded = _numbered(reference[2:-1]) if reference[1] == "#" else html5.get(reference[1:], reference)
    # Control characters would collide with the marks of the reader; all white space is a space here.
    return " " if decoded < " " or decoded.isspace() or "\x7f" <= decoded < "\xa0" else decoded


def _numbered(number: str) -> str:
    """The character of a number such as "233" or "xE9"; Python converts none of thousands of digits."""
    base, digits = (number[0], number[1:]) if number[0] in "xX" else ("", number)
    digits = digits.lstrip("0")
    return html.unescape(f"&#{base}{digits or 0};") if len(digits) <= _MOST_DIGITS else "\ufffd"


def split_fragment(target: str) -> tuple[str, str | None]:
    """Splits a link's target as written into title and fragment, both in normal form.

    Returns:
        (title, fragment): the title is "" for a link within the page; the fragment is None where there is
        none.
    """
    target = decode_percents(decode_entities(target))
    title, _, fragment = target.partition("#")
    return normalise_title(title), fragment.replace("_", " ").strip() or None


def decode_percents(target: str) -> str:
    """Returns a link's target with "%C3%A9" as "é"; as it is where that gives no text."""
    try:
        return unquote(target, errors="strict") if "%" in target else target
    except UnicodeDecodeError:
        return target


def normalise_title(title: str) -> str:
    """Returns a title with single spaces, without underscores and direction marks, in Unicode's form C."""
    if not title.isascii():
        title = normal_form("NFC", _DIRECTION_MARKS.sub("", title))
    return _SPACES.sub(" ", title).strip(" ")


def is_legal(title: str) -> bool:
    """Tells whether a page can have the title."""
    return not _ILLEGAL.search(title) and len(title.encode()) <= _MAX_BYTES


def fold_first(title: str, language: str = "en") -> str:
    """Returns the title with its first letter as a capital, as wikis of the case "first-letter" do."""
    first = title[:1]
    if first.isupper():  # as nearly always
        return title
    if first == "i" and language in ("tr", "az", "kk", "kaa", "crh", "gag", "tt"):
        capital = "İ"
    else:
        capital = first.upper()
    if len(capital) != 1 or ord(capital) in _GEORGIAN_CAPITALS:
        return title
    return capital + title[1:]
