"""The menus of a page, among the blocks of its main text.

* Menus at its top, before the first paragraph: runs of blocks that are nothing but links, or links that signs
  part, `MENU_ENTRIES` or more of them, be they to places of the page itself or to scripts; but for a list
  that a sentence and a colon introduce ("The following modules are part of it:"). The numbers of sections
  may stand in cells before them, some as "2.1"; whole numbers alone are ranks of a chart. A page without a
  paragraph may be a list of links. Of the numbers of pages, that of this one may be no link.
* The menu that it begins with, before any heading or other text, from `TOP_ENTRIES` on, or of links to the
  page itself alone ("Skip to content"); without a paragraph, lines of `MENU_ENTRIES` links that signs part.
  Fewer entries make no menu further down: there, two links are a cell's terms or whom a text is by.
"""

import re
from collections.abc import Sequence
from typing import Final

from anchormine.web.page.block_links import link_places
from anchormine.web.page.characters import COLONS
from anchormine.web.page.page_blocks import PageBlock

MENU_ENTRIES: Final = 6
TOP_ENTRIES: Final = 2
MENU_SHARE: Final = 0.9  # of a block's text that is in links, at least
INTRODUCTION_CHARACTERS: Final = 30  # or it is the title of a menu ("Share this page:")

SECTION_NUMBER: Final = re.compile(r"\d{1,3}(?:\.\d{1,3})*\.?")  # "3.1." or "3.1"

# Of menus, between their entries.
_SIGNS: Final = frozenset("|¦│┃︱｜/／\\•·●○■□◆◇▪・*+-–—―~:：»«›‹<>→←↑↓▶►▸[](){}【】「」［］（） ")


def menu_rows(blocks: Sequence[PageBlock], candidates: Sequence[int]) -> set[int]:
    """Returns the rows of menus above the first paragraph."""
    menus: set[int] = set()
    run: list[int] = []
    entries = 0
    is_introduced = False
    for place, row in enumerate(candidates):
        block = blocks[row]
        here = entries_of(block)
        is_digit = not here and block.text[0].isdigit()  # as is seldom
        if here or (is_digit and _is_of_run(blocks, candidates, place, run)):
            run.append(row)
            entries += here
            continue
        if entries >= MENU_ENTRIES and not is_introduced and not _are_ranks(blocks, run):
            menus.update(run)
        run = [row] if is_digit and _is_of_run(blocks, candidates, place, ()) else []
        entries = 0
        is_introduced = len(block.text) >= INTRODUCTION_CHARACTERS and block.text.endswith(COLONS)
        if block.prose:
            return menus.union(_top_rows(blocks, candidates, has_paragraph=True))
    return set(_top_rows(blocks, candidates, has_paragraph=False))


def _top_rows(blocks: Sequence[PageBlock], candidates: Sequence[int], has_paragraph: bool) -> list[int]:
    """Returns the rows of the menu that a page begins with, which a heading or other text ends.

    Of a page without a paragraph these are lines of links that signs part, and what is between them: what
    follows may be a list of links.
    """
    rows: list[int] = []
    entries = in_lines = last_line = 0
    is_own = True
    for place, row in enumerate(candidates):
        block = blocks[row]
        here = 0 if block.heading else entries_of(block)
        if not here and not _is_of_run(blocks, candidates, place, rows):
            break
        rows.append(row)
        entries += here
        is_own = is_own and not block.links
        if here > 1:
            in_lines += here
            last_line = len(rows)
    if _are_ranks(blocks, rows):
        return []
    if has_paragraph:
        return rows if entries >= TOP_ENTRIES or is_own else []
    return rows[:last_line] if in_lines >= MENU_ENTRIES else []


def _is_of_run(
    blocks: Sequence[PageBlock], candidates: Sequence[int], place: int, run: Sequence[int]
) -> bool:
    """Tells whether a block that is no entry is the number of one, and may be the next of a run.

    It stands before its entry, in a run that began so, or is the number of this page, beside another's.
    """
    if not _is_number(blocks[candidates[place]]):
        return False
    before = blocks[candidates[place - 1]] if place else None
    behind = blocks[candidates[place + 1]] if place + 1 < len(candidates) else None
    if any(block is not None and block.linked and _says_number(block) for block in (before, behind)):
        return True
    return behind is not None and entries_of(behind) > 0 and (not run or _is_number(blocks[run[0]]))


def _are_ranks(blocks: Sequence[PageBlock], run: Sequence[int]) -> bool:
    """Tells whether a run began with the number of an entry, and none is that of a section in a section."""
    if len(run) < 2 or not _is_number(blocks[run[0]]) or _says_number(blocks[run[1]]):
        return False
    return not any("." in blocks[row].text[:-1] for row in run if _is_number(blocks[row]))


def _is_number(block: PageBlock) -> bool:
    """Tells whether a block is a number without a link."""
    return not block.linked and not block.heading and _says_number(block)


def _says_number(block: PageBlock) -> bool:
    return block.text[0].isdigit() and SECTION_NUMBER.fullmatch(block.text) is not None


def entries_of(block: PageBlock) -> int:
    """Returns how many entries of a menu a block is: one if most of it is in links, more if signs part these,
    or none.
    """
    linked, length = block.linked, len(block.text)
    if not linked or linked >= length:  # as nearly always
        return 1 if linked else 0
    return max(int(linked >= MENU_SHARE * length), _entries_among_signs(block.text, link_places(block)))


def _entries_among_signs(text: str, places: Sequence[tuple[int, int]]) -> int:
    """Returns how many links a block has that signs of a menu part or frame, as in "[Up] | [Next]".

    None where other text stands between them, or nothing but spaces and commas: they may be names or terms.

    Args:
        text: of the block.
        places: of its links, in order.
    """
    ends = [0, *(end for _, end in places)]
    starts = [*(start for start, _ in places), len(text)]
    gaps = [text[end:start].strip() for end, start in zip(ends, starts, strict=True)]
    signs = "".join(gaps)
    is_parted = all(gaps[1:-1]) if len(places) > 1 else bool(signs)
    return len(places) if is_parted and _SIGNS.issuperset(signs) else 0
