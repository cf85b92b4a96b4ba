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
_SEPARATOR: Final = re.compile(r"\s+[-–―|·•:«»<>/\\~]+\s+|[|:]\s+|\s*[—：｜]\s*")


def own_title_row(blocks: Sequence[PageBlock], kept: Sequence[int], title: str) -> int | None:
    """Returns the row of the title above the main text, None if the text says it.

    That is above its first paragraph the last `h1` that says the first part of the `title`, or half of it or
    more, or the last text without a link that says all of it. Shorter ones are names of sites.

    Args:
        blocks: of the page.
        kept: rows of the main text, in order.
        title: of the page, as its `title` has it.
    """
    said = _folded(title)
    if not said or not kept:
        return None
    first = _folded(_SEPARATOR.split(title, maxsplit=1)[0])
    end = next((row for row in kept if blocks[row].prose), kept[0])
    for row in kept:
        text = _folded(blocks[row].text) if blocks[row].heading or row <= end else ""
        if text == first or _is_most(text, said):
            return None
    for row in reversed(range(end)):
        block = blocks[row]
        text = _folded(block.text)
        if block.heading == _HIGHEST:
            is_title = text == first or _is_most(text, said)
        else:
            is_title = text == said and not block.linked
        if is_title and block.alt < len(block.text):
            return row
    return None


def _is_most(text: str, title: str) -> bool:
    """Tells whether a text says half of a title or more, or all of it and more."""
    return title in text or (2 * len(text) >= len(title) and text in title)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
