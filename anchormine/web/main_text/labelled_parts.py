"""What sites put around a text under labels of their own (`site_labels`), where no class or element says so.

Below the paragraphs of a text that is all up to the end of the page: teasers, comments, tags. Elsewhere it is
the label alone, and links in the same line ("Read also: ...").
"""

from collections.abc import Sequence
from typing import Final

from anchormine.web.main_text.block_traits import LABEL, LABELLED, LABELS, entries_of
from anchormine.web.main_text.menus import MENU_SHARE
from anchormine.web.main_text.site_labels import (
    BELOW,
    LINE,
    NO_LABEL,
    WORD,
    label_length,
    label_of,
)
from anchormine.web.page.page_blocks import PageBlock

# Of what is in no link on a page, how much may be behind a label that ends its text.
LABELLED_SHARE: Final = 0.25
WORD_SHARE: Final = 0.1  # the same for one that may be in the text
LINKED_SHARE: Final = 0.6  # of what is behind a label, for that to be links

_OF_LISTS: Final = frozenset(("list", "table"))


def labelled_rows(blocks: Sequence[PageBlock], rows: Sequence[int]) -> set[int]:
    """Returns the rows of labels, and of all that is behind the first that ends the text of the page.

    Args:
        blocks: of the page.
        rows: of its main text so far.
    """
    kinds = _kinds(blocks, rows)
    if not kinds:
        return set()
    first = next((place for place, row in enumerate(rows) if blocks[row].prose), len(rows))
    below = _Below(sum([len(blocks[row].text) - blocks[row].linked for row in rows]))
    labels: set[int] = set()
    end = len(rows)
    highest = min(kinds)
    for place in range(len(rows) - 1, -1, -1):
        row = rows[place]
        if row < highest:
            break
        block = blocks[row]
        kind = kinds.get(row, NO_LABEL)
        if kind:
            is_above_end = place + 1 == end < len(rows)
            if is_above_end or (place > first and below.may_end(block, kind)):
                end = place
            elif _is_line(block, kind, below.is_bare):
                labels.add(row)
        below.take(block, kind)
    labels.update(rows[end:])
    return labels


class _Below:
    """What stands below a block, taken from the end of the page on.

    Attributes:
        is_bare: whether that is nothing but labels and links.
    """

    def __init__(self, whole: int) -> None:
        """Takes how many characters of the text are in no link."""
        self.is_bare = True
        self._goes_on = self._has_prose = self._has_heading = False
        self._whole = whole
        self._length = self._linked = 0
        self._labels: set[str] = set()

    def may_end(self, block: PageBlock, kind: int) -> bool:
        """Tells whether a text may end at a label.

        * Not where it goes on right below: with a paragraph, or one below links.
        * Not above more than `LABELLED_SHARE` of it, or `WORD_SHARE` where the label may be in a text.
        * Where it may be in a text not above a paragraph, nor but where it stands for the last time: it may
          stand below each of several things.
        * Only above what is links for the most part, where it may be a line of a text, or stands in a list
          or a table, or is the title of a section above others, or may be one.
        """
        if self._goes_on or label_length(block.text) < len(block.text) - 1:
            return False
        share = LABELLED_SHARE if kind == BELOW else WORD_SHARE
        if self._length - self._linked + len(block.text) - block.linked > share * self._whole:
            return False
        if kind != BELOW and (self._has_prose or block.text in self._labels):
            return False
        are_sections = self._has_heading and (kind == WORD or block.heading > 0)
        is_in_text = kind == LINE or block.region in _OF_LISTS or are_sections
        return not is_in_text or self._linked >= LINKED_SHARE * self._length > 0

    def take(self, block: PageBlock, kind: int) -> None:
        """Takes the next block upwards, and which kind of label it is."""
        self._length += len(block.text)
        self._linked += block.linked
        if kind:
            self._labels.add(block.text)
        elif block.prose:
            self.is_bare = False
            self._goes_on = self._has_prose = True
        elif not entries_of(block):
            self.is_bare = self._goes_on = False
            self._has_heading = self._has_heading or block.heading > 0


def _kinds(blocks: Sequence[PageBlock], rows: Sequence[int]) -> dict[int, int]:
    """Returns the rows of labels, each with its kind."""
    kinds = {}
    for row in rows:
        block = blocks[row]
        if not block.traits & LABELLED:
            block.traits |= LABELLED | label_of(block) << LABEL
        kind = block.traits >> LABEL & LABELS
        if kind:
            kinds[row] = kind
    return kinds


def _is_line(block: PageBlock, kind: int, is_last: bool) -> bool:
    """Tells whether a block is a label and no more, but for links behind its colon; headings have more.

    What may be a title of the text is one where it is the last of the page, whatever is behind its colon.
    """
    if block.heading or block.region != "body":
        return False
    if kind == WORD:
        return is_last
    rest = len(block.text) - label_length(block.text)
    return block.linked >= MENU_SHARE * (rest - 1)
