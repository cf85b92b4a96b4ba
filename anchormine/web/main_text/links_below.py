"""Links below the last paragraph of a page, to what else one may read.

These are blocks that are nothing but links, of lists and tables only where each block of them is; teasers,
which are a few lines each under headings that lead to other pages; and the headings of sections that hold
nothing else. They are left out of a page of which `PROSE_SHARE` are other paragraphs: else they may be what
the page is there for.
"""

from collections.abc import Sequence
from itertools import groupby

from anchormine.web.main_text.block_traits import entries_of
from anchormine.web.main_text.menus import MENU_SHARE
from anchormine.web.page.page_blocks import PageBlock

PROSE_SHARE = 0.6  # of a page's main text
MIN_TEASERS, TEASER_CHARACTERS = 2, 400  # of a page, and of all under one's heading

_WHOLE = frozenset(("list", "table"))  # regions of which all goes or nothing


class _Section:
    """A heading and what stands under it.

    Attributes:
        row: of the heading.
        level: of it.
        holds: whether it is a link, or anything stands under it.
        of_links: whether that is nothing but links.
    """

    def __init__(self, row: int, level: int, holds: bool) -> None:
        self.row = row
        self.level = level
        self.holds = holds
        self.of_links = True

    def take(self, is_link: bool) -> None:
        """Takes a block under the heading, or a section in this one."""
        self.holds = True
        self.of_links = self.of_links and is_link


def rows_below(blocks: Sequence[PageBlock], rows: Sequence[int]) -> set[int]:
    """Returns the rows of links below the last paragraph, and of headings that have nothing else.

    Args:
        blocks: of the page.
        rows: of its main text so far.
    """
    teasers = _teaser_rows(blocks, rows)
    prose = behind = 0
    for place, row in enumerate(rows):
        paragraph = blocks[row].prose
        if paragraph and row not in teasers:
            prose += paragraph
            behind = place + 1
    if not prose or prose < PROSE_SHARE * sum([len(blocks[row].text) for row in rows]):
        return set()
    below = rows[behind:]
    links = _link_rows(blocks, below) | teasers.intersection(below)
    return links | _titles(blocks, below, links)


def _teaser_rows(blocks: Sequence[PageBlock], rows: Sequence[int]) -> set[int]:
    """Returns the rows under headings that lead to other pages, where these have few lines under them.

    A level of headings has none where more stands under one of them, but for the last, which goes on to the
    end of the page: these are entries of what the page is there for, of different lengths.
    """
    titles = [place for place, row in enumerate(rows) if blocks[row].heading]
    leading = [
        (place, end)
        for place, end in zip(titles, (*titles[1:], len(rows)), strict=False)
        if _leads_elsewhere(blocks[rows[place]])
    ]
    if len(leading) < MIN_TEASERS:
        return set()
    levels = [blocks[rows[place]].heading for place, _ in leading]
    sections = [rows[place + 1 : end] for place, end in leading]
    lengths = [sum([len(blocks[row].text) for row in section]) for section in sections]
    long = {level for level, length in zip(levels[:-1], lengths, strict=False) if length > TEASER_CHARACTERS}
    teasers = [
        section
        for section, level, length in zip(sections, levels, lengths, strict=True)
        if 0 < length <= TEASER_CHARACTERS and level not in long
    ]
    return {row for section in teasers for row in section} if len(teasers) >= MIN_TEASERS else set()


def _leads_elsewhere(block: PageBlock) -> bool:
    """Tells whether a block is nothing but links to other pages."""
    return sum([link.end - link.start for link in block.links]) >= MENU_SHARE * len(block.text)


def _link_rows(blocks: Sequence[PageBlock], rows: Sequence[int]) -> set[int]:
    """Returns the rows of blocks that are nothing but links, but for headings and mixed lists and tables."""
    links: set[int] = set()
    for (is_title, region), group in groupby(rows, lambda row: (blocks[row].heading > 0, blocks[row].region)):
        run = list(group)
        found = [row for row in run if entries_of(blocks[row])]
        if not is_title and (len(found) == len(run) or region not in _WHOLE):
            links.update(found)
    return links


def _titles(blocks: Sequence[PageBlock], rows: Sequence[int], links: set[int]) -> set[int]:
    """Returns the rows of headings with nothing but links under them; links themselves may have nothing."""
    titles: set[int] = set()
    around: list[_Section] = []  # the sections that are open, the outermost first
    for row in rows:
        level = blocks[row].heading
        if level:
            _end(around, level, titles)
            around.append(_Section(row, level, entries_of(blocks[row]) > 0))
        elif around:
            around[-1].take(row in links)
    _end(around, 1, titles)
    return titles


def _end(around: list[_Section], level: int, titles: set[int]) -> None:
    """Ends the sections of a level and of those below it."""
    while around and around[-1].level >= level:
        section = around.pop()
        is_title = section.holds and section.of_links
        if is_title:
            titles.add(section.row)
        if around:
            around[-1].take(is_title)
