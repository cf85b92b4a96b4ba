"""Characters of a page's text of which something is to be known."""

import re
import unicodedata

from anchormine.text.scripts import UNSPACED

# Characters that take no room: spaces, joiners, marks of direction, fillers, variation selectors.
UNSEEN = " \xad\u034f\u061c\u115f\u1160\u180e\u3164\ufeff\uffa0" + "".join(
    chr(code)
    for first, last in ((0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x2069), (0xFE00, 0xFE0F))
    for code in range(first, last + 1)
)
# The texts of links that offer the address of a heading; those in letters of an icon font are private.
_MARKS = re.compile("[¶#§🔗]|[\ue000-\uf8ff]*")

_UNSPACED = re.compile(f"[{UNSPACED}]")


def is_heading_mark(text: str) -> bool:
    """Tells whether the text of a link only offers the address where it stands: a sign, or nothing to see."""
    return _MARKS.fullmatch(text.strip(UNSEEN)) is not None


def is_of_spaced_word(character: str) -> bool:
    """Tells whether a letter, digit or accent is of a script in which spaces part words."""
    is_of_word = character.isalnum() or unicodedata.category(character).startswith("M")
    return is_of_word and not _UNSPACED.match(character)
