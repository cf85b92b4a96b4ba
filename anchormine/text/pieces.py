"""Cuts what is too long to be a sentence.

Each link has its sentence in a row of its own: of a list of a whole page, with a thousand links and no stop,
the rows would be a thousand times the page.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from anchormine.text.spans import Span, stripped

PIECE_CHARACTERS: Final = 500
SENTENCE_CHARACTERS: Final = 2000  # of text that people read, one sentence in a hundred thousand is longer

_NOT_SPACE: Final = re.compile(r"\S")


def cut(text: str, span: Span, keep: list[Span]) -> Iterator[Span]:
    """Cuts a span into pieces of `PIECE_CHARACTERS` at most, or one link; what holds no words goes.

    Args:
        text: of a block.
        span: of it, without white space at its ends.
        keep: spans of links, in order, that are not cut.
    """
    start, last = span
    kept = bisect_right(keep, start, key=lambda link: link[1])  # the first not before it
    while last - start > PIECE_CHARACTERS:
        limit = start + PIECE_CHARACTERS
        end = text.rfind(" ", start + 1, limit + 1)
        end = end if end > start else limit
        while kept < len(keep) and keep[kept][1] <= end:
            kept += 1
        if kept < len(keep) and keep[kept][0] < end:
            first, past = keep[kept]
            end = first if first > start else past
        piece = stripped(text, start, end)
        if piece[0] < piece[1]:
            yield piece
        following = _NOT_SPACE.search(text, end, last)  # found in place: the rest may be all of a page
        start = last if following is None else following.start()
    if start < last:
        yield start, last
