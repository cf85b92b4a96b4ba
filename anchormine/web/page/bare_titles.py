"""Titles of what was left out of the main text, and stands for nothing else ("Related articles").

These are headings under which nothing is left; labels of links below the last paragraph: text that ends with
a colon right above them ("See also:"); and the titles of tables of contents, where a class or id says that.
"""

from collections.abc import Collection, Sequence
from typing import Final

from anchormine.web.page.characters import COLONS
from anchormine.web.page.menus import entries_of
from anchormine.web.page.page_blocks import PageBlock
from anchormine.web.page.page_parts import TOC

_BELOW_ALL = 7  # of the six levels
_FOOTER: Final = "footer"  # stands under no title, but perhaps under an image
_BESIDE: Final = frozenset(("caption", _FOOTER))


def bare_titles(blocks: Sequence[PageBlock], rows: Sequence[int]) -> set[int]:
    """Returns the rows of headings and labels of which nothing is left, though something was there.

    What is under a heading goes on to the next of its level or a higher one. One with no higher one before it
    stays where it may be the page's own: above the first paragraph, or anywhere at the highest level. So does
    one that is a link.

    Args:
        blocks: of the page.
        rows: of its main text so far.
    """
    left = set(rows)
    paragraphs = [row for row in rows if blocks[row].prose] or [len(blocks)]
    left -= _labels(blocks, rows, left, paragraphs[-1])
    headings = [row for row in rows if blocks[row].heading and row in left]
    for row in reversed(_of_sections(blocks, headings, paragraphs[0])):
        if _is_bare(blocks, row, left) and not entries_of(blocks[row]):
            left.remove(row)
    return left.symmetric_difference(rows)


def _labels(
    blocks: Sequence[PageBlock], rows: Sequence[int], left: Collection[int], last_paragraph: int
) -> set[int]:
    """Returns the rows of labels: what stands right below each on the page is links, and left out."""
    above = [row for row in rows if row + 1 not in left and row + 1 < len(blocks)]
    return {
        row
        for row in above
        if _may_be_label(blocks[row], row > last_paragraph) and _is_of_links(blocks[row + 1])
    }


def _may_be_label(block: PageBlock, is_below: bool) -> bool:
    if block.linked or block.prose:
        return False
    return block.parts & TOC > 0 or (is_below and not block.heading and block.text.endswith(COLONS))


def _is_of_links(block: PageBlock) -> bool:
    """Tells whether a block is nothing but links, of words: what is said of an image stays without it."""
    return block.alt < len(block.text) and block.region != _FOOTER and entries_of(block) > 0


def _of_sections(blocks: Sequence[PageBlock], headings: Sequence[int], first_paragraph: int) -> list[int]:
    """Returns the headings that cannot be the page's own."""
    sections = []
    highest = _BELOW_ALL
    for row in headings:
        level = blocks[row].heading
        if level > highest or (level > 1 and row > first_paragraph):
            sections.append(row)
        else:
            highest = level
    return sections


def _is_bare(blocks: Sequence[PageBlock], row: int, left: Collection[int]) -> bool:
    level = blocks[row].heading
    was_there = False
    for below in range(row + 1, len(blocks)):
        block = blocks[below]
        if 0 < block.heading <= level:
            break
        if below in left:
            return False
        # A heading may stand for images and their captions.
        was_there = was_there or (block.region not in _BESIDE and block.alt < len(block.text))
    return was_there
