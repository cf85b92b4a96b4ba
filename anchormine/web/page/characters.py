"""Characters of a page's text of which something is to be known."""

import re
import unicodedata
from typing import Final

from anchormine.text.scripts import UNSPACED

# Characters that take no room: spaces, joiners, marks of direction, fillers, variation selectors.
UNSEEN: Final = " \xad\u034f\u061c\u115f\u1160\u180e\u3164\ufeff\uffa0" + "".join(
    chr(code)
    for first, last in ((0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x2069), (0xFE00, 0xFE0F))
    for code in range(first, last + 1)
)
COLONS: Final = (":", "：")
# The texts of links that offer the address of a heading; those in letters of an icon font are private.
_MARKS: Final = re.compile("[¶#§🔗]|[\ue000-\uf8ff]*")
_MARK_IN_HEADINGS: Final = "◆"  # elsewhere it may be an entry of a table

_UNSPACED: Final = re.compile(f"[{UNSPACED}]")
# Wide characters (UAX #11) but for Hangul, in which spaces part words, and for emoji.
_WIDE = (
    "\u2e80-\u2fff\u3001-\u303e\u3041-\u312f\u3190-\u31ff\u3220-\u3247\u3250-\u325f\u3280-\ua4cf\uf900-\ufaff"
    "\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff9f\uffe0-\uffee"
    "\U00016fe0-\U00018dff\U0001aff0-\U0001b2ff\U0001f200-\U0001f265\U00020000-\U0003fffd"
)
_LINE_END: Final = re.compile(f"([{_WIDE}])[ \t\f\r]*\n[ \t\f\r\n]*(?=[{_WIDE}])")


def is_heading_mark(text: str, is_in_heading: bool) -> bool:
    """Tells whether the text of a link only offers the address where it stands: a sign, or nothing to see."""
    shown = text.strip(UNSEEN)
    return _MARKS.fullmatch(shown) is not None or (is_in_heading and shown == _MARK_IN_HEADINGS)


def is_of_spaced_word(character: str) -> bool:
    """Tells whether a letter, digit or accent is of a script in which spaces part words."""
    is_of_word = character.isalnum() or unicodedata.category(character).startswith("M")
    return is_of_word and not _UNSPACED.match(character)


def without_line_ends(text: str) -> str:
    """Returns a text without the line ends in Chinese and Japanese, which are no spaces.

    They are those between two wide characters (CSS Text, 4.1.3; some browsers do show a space).
    """
    return _LINE_END.sub(r"\1", text)
