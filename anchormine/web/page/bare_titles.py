"""Headings of which all that stood under them was left out of the main text ("Related articles")."""

from collections.abc import Collection, Sequence

from anchormine.web.page.menus import entries_of
from anchormine.web.page.page_blocks import PageBlock


def bare_titles(blocks: Sequence[PageBlock], rows: Sequence[int]) -> set[int]:
    """Returns the rows of headings under which nothing is left, though text was there.

    What is under a heading goes on to the next of its level or a higher one. A heading with no higher one
    before it stays, for it may be the page's own; so does one that is a link.

    Args:
        blocks: of the page.
        rows: of its main text so far.
    """
    headings = [row for row in rows if blocks[row].heading]
    if not headings:
        return set()
    left = set(rows)
    highest = blocks[headings[0]].heading
    sections = []
    for row in headings:
        if blocks[row].heading > highest:
            sections.append(row)
        else:
            highest = blocks[row].heading
    for row in reversed(sections):
        if _is_bare(blocks, row, left) and not entries_of(blocks[row]):
            left.remove(row)
    return left.symmetric_difference(rows)


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
        was_there = was_there or (block.region != "caption" and block.alt < len(block.text))
    return was_there
