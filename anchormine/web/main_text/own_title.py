"""The title that stands above the main text of a page, where the rules for its parts have left it out.

It may be in the page's header, above the article or in what is named after boilerplate, and says best what
the text is of.
"""

import re
from collections.abc import Sequence
from typing import Final

from anchormine.text.case_folding import folded
from anchormine.text.normal_forms import normal_form
from anchormine.web.page.characters import UNSEEN
from anchormine.web.page.page_blocks import PageBlock

_HIGHEST: Final = 1  # level of a heading
# What parts the title of a page from the name of its site, in the `title`; without spaces beside characters
# of Chinese and Japanese.
_SEPARATOR: Final = re.compile(
    r" [-–―|·•:«»<>/\\~]+ |[|:] | ?[—：｜] ?|(?<=[\u3041-\u30fa\u4e00-\u9fff])[-_|]|"
    r"[-_|](?=[\u3041-\u30fa\u4e00-\u9fff])"
)
_TIMES: Final = 3  # as long may a text be for another that says the same: accents may be characters
# What one of them may write and the other not: curly quotation marks, hyphens that are not seen.
_ALIKE: Final = str.maketrans("‘’ʼ“”„", "'" * 3 + '"' * 3, UNSEEN.replace(" ", ""))


def own_title_row(blocks: Sequence[PageBlock], kept: Sequence[int], title: str) -> int | None:
    """Returns the row of the title above the main text, None if the text says it.

    That is above its first paragraph the last `h1` that says what the `title` does up to a sign that parts
    it, or half of it or more, else the last text without a link that says all of it. Shorter ones are names
    of sites, and so is what the `title` begins with where a heading of the text, above its first paragraph,
    says all that is behind that, and is as long, or the `h1` is a link; or what it ends with where text there
    says its first part. An `h1` may say more than the `title` does, but not twice as much.

    Args:
        blocks: of the page.
        kept: rows of the main text, in order.
        title: of the page, as its `title` has it.
    """
    said = _said(title)
    if not said or not kept:
        return None
    end = next((row for row in kept if blocks[row].prose), kept[0])
    found = _title_row(blocks[:end], said)
    if found is None or found in kept:
        return None
    name = _said(blocks[found].text)
    first = None if said.startswith(name) else _SEPARATOR.split(said, maxsplit=1)[0]
    rest = _rest(said, name)
    may_be_site = rest is not None and (blocks[found].linked > 0 or len(rest) >= len(name))
    for row in kept:
        is_above, heading = row <= end, blocks[row].heading
        if is_above or heading:
            text = _said(blocks[row].text)
            is_rest = may_be_site and heading and text == rest
            if text == name or _is_most(text, said) or (is_above and (is_rest or text == first)):
                return None
    return found


def _said(text: str) -> str:
    """Returns a text as titles are compared: what is seen of it, its case folded."""
    return folded(text if text.isascii() else normal_form("NFC", text).translate(_ALIKE))


def _rest(title: str, start: str) -> str | None:
    """Returns what stands in a title behind a start of it and a sign; None where it does not begin so."""
    sign = _SEPARATOR.match(title, len(start)) if start and title.startswith(start) else None
    return title[sign.end() :] if sign else None


def _title_row(blocks: Sequence[PageBlock], said: str) -> int | None:
    """Returns the row of the last `h1` that says a title or its start, else of a text that says all of it."""
    rows = range(len(blocks) - 1, -1, -1)
    for row in rows:
        block = blocks[row]
        if block.heading == _HIGHEST and block.alt < len(block.text):
            text = _said(block.text)
            if _is_most(text, said) or _rest(said, text) is not None:
                return row
    low, high = len(said) // _TIMES, _TIMES * len(said)
    for row in rows:
        text = blocks[row].text
        if low <= len(text) <= high and not blocks[row].linked and _said(text) == said:
            return row
    return None


def _is_most(text: str, title: str) -> bool:
    """Tells whether the one is part of the other, and half as long or more."""
    short, long = (text, title) if len(text) <= len(title) else (title, text)
    return 2 * len(short) >= len(long) and short in long
