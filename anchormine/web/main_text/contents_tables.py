"""Tables of contents: blocks that are nothing but links to places of the page itself, and their titles."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from anchormine.web.main_text.menus import MENU_SHARE
from anchormine.web.main_text.section_numbers import section_number_length
from anchormine.web.page.block_links import length_of
from anchormine.web.page.page_blocks import PageBlock

CONTENTS_BLOCKS: Final = 3

_HIGHEST = 1  # level of a heading


def contents_rows(blocks: Sequence[PageBlock], candidates: Sequence[int]) -> set[int]:
    """Returns the rows of tables of contents, and of the headings that stand above nothing else."""
    tables: list[tuple[int, int]] = []  # of each, the row before it and the heading behind it
    contents: set[int] = set()
    entries = [
        place for place, row in enumerate(candidates) if blocks[row].own and _is_of_contents(blocks[row])
    ]
    for _, group in groupby(enumerate(entries), lambda numbered: numbered[1] - numbered[0]):
        run = [place for _, place in group]
        if len(run) >= CONTENTS_BLOCKS:
            first, behind = run[0], run[-1] + 1
            contents.update(candidates[first:behind])
            before = candidates[first - 1] if first else -1
            following = blocks[candidates[behind]].heading if behind < len(candidates) else _HIGHEST
            tables.append((before, following))
    return contents.union(_titles(blocks, tables)) if tables else contents


def _is_of_contents(block: PageBlock) -> bool:
    """Tells whether a block is nothing but links to places of the page, and the number of a section."""
    return length_of(block.own) >= MENU_SHARE * (len(block.text) - section_number_length(block.text))


def _titles(blocks: Sequence[PageBlock], tables: Sequence[tuple[int, int]]) -> Iterator[int]:
    """Yields the rows of the titles of tables of contents.

    That is a heading below a higher one, which the page's own may be, with nothing under it but the table.

    Args:
        blocks: of the page.
        tables: of each the row before it, -1 if there is none, and the level of the heading behind it, 0 if
            other text is there.
    """
    first: dict[int, int] = {}  # row of each level's first heading
    for row, block in enumerate(blocks):
        first.setdefault(block.heading, row)
    for row, following in tables:
        level = blocks[row].heading if row >= 0 and not blocks[row].links else 0
        if 0 < following <= level and any(first.get(higher, row) < row for higher in range(1, level)):
            yield row
