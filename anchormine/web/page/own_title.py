"""The title that stands above the main text of a page, where the rules for its parts have left it out.

It may be in the page's header, above the article or in what is named after boilerplate, and says best what
the text is of.
"""

import re
from collections.abc import Sequence
from typing import Final

from anchormine.web.page.page_blocks import PageBlock

_HIGHEST: Final = 1  # level of a heading
# What parts the title of a page from the name of its site, in the `title`.
_SEPARATOR: Final = re.compile(r" [-–―|·•:«»<>/\\~]+ |[|:] | ?[—：｜] ?")


def own_title_row(blocks: Sequence[PageBlock], kept: Sequence[int], title: str) -> int | None:
    """Returns the row of the title above the main text, None if the text says it.

    That is above its first paragraph the last `h1` that says the first part of the `title`, or half of it or
    more, or the last text without a link that says all of it. Shorter ones are names of sites. An `h1` may
    say more than the `title` does, but not twice as much.

    Args:
        blocks: of the page.
        kept: rows of the main text, in order.
        title: of the page, as its `title` has it.
    """
    said = _folded(title)
    if not said or not kept:
        return None
    first = _SEPARATOR.split(said, maxsplit=1)[0]
    end = next((row for row in kept if blocks[row].prose), kept[0])
    found = next((row for row in reversed(range(end)) if _is_title(blocks[row], said, first)), None)
    if found is None or found in kept:
        return None
    for row in kept:
        if row <= end or blocks[row].heading:
            text = _folded(blocks[row].text)
            if text == first or _is_most(text, said):
                return None
    return found


def _is_title(block: PageBlock, said: str, first: str) -> bool:
    """Tells whether a block says a title, or the first part of it."""
    if block.heading == _HIGHEST:
        text = _folded(block.text)
        return (text == first or _is_most(text, said)) and block.alt < len(block.text)
    return len(block.text) == len(said) and not block.linked and _folded(block.text) == said


def _is_most(text: str, title: str) -> bool:
    """Tells whether the one is part of the other, and half as long or more."""
    short, long = sorted((text, title), key=len)
    return 2 * len(short) >= len(long) and short in long


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
