"""Titles of what was left out of the main text, and stands for nothing else ("Related articles").

These are headings under which nothing is left; labels of links below the last paragraph: text that ends with
a colon right above them ("See also:"); and the titles of tables of contents, where a class or id says that.
"""

from collections.abc import Collection, Sequence
from typing import Final

from anchormine.web.main_text.block_traits import entries_of
from anchormine.web.page.characters import COLONS
from anchormine.web.page.page_blocks import PageBlock
from anchormine.web.page.page_parts import APART, TOC

_HIGHEST, _BELOW_ALL = 1, 7  # levels of headings
_FOOTER: Final = "footer"
_UNDER_NONE: Final = frozenset(("caption", _FOOTER))  # regions of what may follow an image that is left out


def bare_titles(blocks: Sequence[PageBlock], rows: Sequence[int]) -> set[int]:
    """Returns the rows of headings, labels and titles of which nothing is left, though something was there.

    What is under a heading goes on to the next of its level or a higher one. One with no higher one before it
    stays where it may be the page's own: up to the last paragraph, or anywhere at the highest level. So does
    one that is a link.

    Args:
        blocks: of the page.
        rows: of its main text so far.
    """
    left = set(rows)
    last_paragraph = next((row for row in reversed(rows) if blocks[row].prose), len(blocks))
    left -= _labels(blocks, rows, left, last_paragraph)
    left -= _titles_of_contents(blocks, rows, left)
    headings = [row for row in rows if blocks[row].heading and row in left]
    for row in reversed(_of_sections(blocks, headings, last_paragraph)):
        if _is_bare(blocks, row, left) and not entries_of(blocks[row]):
            left.remove(row)
    return left.symmetric_difference(rows)


def _labels(
    blocks: Sequence[PageBlock], rows: Sequence[int], left: Collection[int], last_paragraph: int
) -> set[int]:
    """Returns the rows of labels below the last paragraph: of each nothing is left up to the next heading."""
    labels: set[int] = set()
    is_all = True  # whether nothing is, behind the row
    for row in reversed(rows):
        if row <= last_paragraph:
            break
        block = blocks[row]
        is_text = not (block.heading or block.linked)
        if is_text and is_all and block.text.endswith(COLONS) and _was_of_links(blocks, row + 1, left):
            labels.add(row)
        else:
            is_all = block.heading > 0
    return labels


def _titles_of_contents(blocks: Sequence[PageBlock], rows: Sequence[int], left: Collection[int]) -> set[int]:
    """Returns the rows of titles right above the first entry of a table of contents, which was left out.

    None where a paragraph stands in such a table: then it is something else, as a page that has one.
    """
    inside = [row for row in rows if blocks[row].parts & TOC]
    if any(blocks[row].prose for row in inside):
        return set()
    return {
        row
        for row in inside
        if not blocks[row].linked and blocks[row].heading != _HIGHEST and _was_of_links(blocks, row + 1, left)
        if row == 0 or not blocks[row - 1].parts & TOC or _was_of_links(blocks, row - 1, left)
    }


def _was_of_links(blocks: Sequence[PageBlock], row: int, left: Collection[int]) -> bool:
    """Tells whether a block that was left out is nothing but links, of words.

    What is said of an image stays without it, and what stands above a footer.
    """
    if row in left or row >= len(blocks):
        return False
    block = blocks[row]
    return block.alt < len(block.text) and block.region != _FOOTER and entries_of(block) > 0


def _of_sections(blocks: Sequence[PageBlock], headings: Sequence[int], last_paragraph: int) -> list[int]:
    """Returns the headings that cannot be the page's own."""
    sections = []
    highest = _BELOW_ALL
    for row in headings:
        level = blocks[row].heading
        if level > highest or (level > _HIGHEST and row > last_paragraph):
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
        is_text = block.region not in _UNDER_NONE and not block.parts & APART
        was_there = was_there or (is_text and block.alt < len(block.text))
    return was_there
