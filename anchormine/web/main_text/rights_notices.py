"""Notices of rights below the last paragraph of a page ("© 2014 The Pier. All rights reserved.").

They are of the site, not of what the page says, and as long as a paragraph they would make one of the links
and menus above them.
"""

import re
from collections.abc import Sequence
from typing import Final

from anchormine.web.page.page_blocks import PageBlock

NOTICE_CHARACTERS = 300

# The sign or the word with a year, or what such notices say in full.
_YEAR = r"(?:19|20)\d\d"
_NOTICE: Final = re.compile(
    rf"(?:©|\([cC]\))\D{{0,60}}{_YEAR}|{_YEAR} ?(?:©|\([cC]\))|\b[cC](?:opyright|OPYRIGHT)\W{{1,4}}{_YEAR}|"
    r"\b(?:[aA]ll [rR]ights [rR]eserved|ALL RIGHTS RESERVED)\b|(?:版[权權]|著作権)所有"
)


def notice_rows(blocks: Sequence[PageBlock], rows: Sequence[int]) -> set[int]:
    """Returns the rows of notices below the last paragraph that is none; without such a one there are none.

    Args:
        blocks: of the page.
        rows: of its main text so far.
    """
    if not any(blocks[row].prose for row in rows):
        return set()
    notices: set[int] = set()
    for row in reversed(rows):
        block = blocks[row]
        if not block.heading and len(block.text) <= NOTICE_CHARACTERS and _is_notice(block.text):
            notices.add(row)
        elif block.prose:
            return notices
    return set()


def _is_notice(text: str) -> bool:
    """Tells whether a text has what makes a notice; most have no part of that, which is soon seen."""
    may_be = "20" in text or "19" in text or "eserved" in text or "ESERVED" in text or "所有" in text
    return may_be and _NOTICE.search(text) is not None
