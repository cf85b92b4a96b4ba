"""What sites put around a text under labels of their own (`site_labels`), where no class or element says so.

Below the paragraphs of a text that is all up to the end of the page: teasers, comments, tags, buttons to
share. Elsewhere it is the label alone, and links in the same line ("Read also: ...").
"""

from collections.abc import Sequence
from typing import Final

from anchormine.web.main_text.menus import MENU_SHARE, entries_of
from anchormine.web.main_text.site_labels import (
    BELOW,
    LABEL_CHARACTERS,
    LETTERS,
    NO_LABEL,
    START,
    WORD,
    label_kind,
    label_length,
    label_starts,
)
from anchormine.web.page.page_blocks import PageBlock

# Of what is in no link on a page, how much may be behind a label that ends its text.
LABELLED_SHARE: Final = 0.25
WORD_SHARE: Final = 0.1  # the same for one that may be a title of the text


def labelled_rows(blocks: Sequence[PageBlock], rows: Sequence[int]) -> set[int]:
    """Returns the rows of labels, and of all that is behind the first that ends the text of the page.

    A paragraph stands above that, little text behind it, and no paragraph right below it or below the links
    under it: there the text goes on.

    Args:
        blocks: of the page.
        rows: of its main text so far.
    """
    kinds = _kinds(blocks, rows)
    if not kinds:
        return set()
    first = next((place for place, row in enumerate(rows) if blocks[row].prose), len(rows))
    whole = sum([len(blocks[row].text) - blocks[row].linked for row in rows])
    labels: set[int] = set()
    behind, end = 0, len(rows)
    goes_on = has_prose = False  # whether a paragraph is right behind the row, or anywhere
    for place in range(len(rows) - 1, -1, -1):
        row = rows[place]
        block = blocks[row]
        behind += len(block.text) - block.linked
        kind = kinds.get(row, NO_LABEL)
        if kind:
            may_end = place > first and not goes_on and _may_end(block, kind, has_prose)
            most = WORD_SHARE * whole if kind == WORD else LABELLED_SHARE * whole
            if (may_end and behind <= most) or place + 1 == end < len(rows):  # or one that does is below
                end = place
            elif _is_line(block, kind):
                labels.add(row)
        elif block.prose:
            goes_on = has_prose = True
        elif not entries_of(block):
            goes_on = False
    labels.update(rows[end:])
    return labels


def _kinds(blocks: Sequence[PageBlock], rows: Sequence[int]) -> dict[int, int]:
    """Returns the rows of labels, each with its kind."""
    starts = label_starts()
    kinds = {}
    for row in rows:
        block = blocks[row]
        text = block.text
        if text[:START].lower() not in starts and text[0] in LETTERS:  # as nearly always
            continue
        if not block.prose and len(text) <= LABEL_CHARACTERS:
            kind = label_kind(text)
            if kind:
                kinds[row] = kind
    return kinds


def _may_end(block: PageBlock, kind: int, has_prose: bool) -> bool:
    """Tells whether a text may end at a label: but for titles of what stands below it, above no paragraph.

    What may be a title of the text may be one of its tables' columns, too.
    """
    return kind == BELOW or not (has_prose or (kind == WORD and block.region == "table"))


def _is_line(block: PageBlock, kind: int) -> bool:
    """Tells whether a block is a label and no more, but for links behind its colon; headings have more."""
    if kind == WORD or block.heading or block.region != "body":
        return False
    rest = len(block.text) - label_length(block.text)
    return block.linked >= MENU_SHARE * (rest - 1)
