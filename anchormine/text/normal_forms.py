"""The normal forms of Unicode, in time that is linear in any text.

Marks behind a letter are put in order one by one, which for many takes time quadratic in them.
"""

import re
import unicodedata
from typing import Literal

# More marks than any language puts on a letter (UAX #15, 12.1, Stream-Safe Text Process). `re` has no class
# of marks; what else is no part of a word is the same by itself. Two letters become marks in NFKC.
_BEHIND_MARKS = re.compile(r"(?<=(?:[^\w\s]|[ﾞﾟ]){30})")


def normal_form(form: Literal["NFC", "NFD", "NFKC"], text: str) -> str:
    """Returns a text in a normal form; of more than 30 marks in a row the rest stay in their order."""
    if unicodedata.is_normalized(form, text):  # most are, and then each piece of it is in that form, too
        return text
    if not _BEHIND_MARKS.search(text):
        return unicodedata.normalize(form, text)
    return "".join(unicodedata.normalize(form, piece) for piece in _BEHIND_MARKS.split(text))
