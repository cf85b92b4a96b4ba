"""The main text of a page, picked from its blocks."""

from collections.abc import Sequence
from typing import NamedTuple

from anchormine.web.page_blocks import PageBlock

LEAD_CHARACTERS = 600


class MainText(NamedTuple):
    """The main text of a page.

    Attributes:
        text: its paragraphs, separated by a line feed.
        lead: the first of them, at least one, as long as they have `LEAD_CHARACTERS` at most.
        places: for each block of the page where it starts in `text`; None if it is not in there.
    """

    text: str
    lead: str
    places: list[int | None]


def main_text(blocks: Sequence[PageBlock]) -> MainText:
    """Picks the blocks of the main text."""
    kept = [block.region in ("body", "list", "table") for block in blocks]
    places: list[int | None] = []
    length = 0
    for block, keep in zip(blocks, kept, strict=True):
        places.append(length if keep else None)
        length += len(block.text) + 1 if keep else 0
    text = "\n".join(block.text for block, keep in zip(blocks, kept, strict=True) if keep)
    return MainText(text, _lead(text), places)


def _lead(text: str) -> str:
    end = text.find("\n")
    while 0 <= end < LEAD_CHARACTERS:
        following = text.find("\n", end + 1)
        following = len(text) if following < 0 else following
        if following > LEAD_CHARACTERS:
            break
        end = following if following < len(text) else -1
    return text if end < 0 else text[:end]
