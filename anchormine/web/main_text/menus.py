"""The menus of a page, among the blocks of its main text.

* Menus at its top, before the first paragraph: runs of blocks that are nothing but links, or links that signs
  part, `MENU_ENTRIES` or more of them, be they to places of the page itself or to scripts; but for a list
  that a sentence and a colon introduce ("The following modules are part of it:"). A page without a paragraph
  may be a list of links.
* The numbers in cells before their entries belong to them if they are those of sections ("1", "1.1", "1.2",
  "2"), and that of this page among the numbers of others. Others, as of ranks or prices, are of no menu.
* The menu that it begins with, before any heading or other text, from `TOP_ENTRIES` on, or of links to the
  page itself alone ("Skip to content"); without a paragraph, lines of `MENU_ENTRIES` links that signs part.
  Fewer entries make no menu further down: there, two links are a cell's terms or whom a text is by.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from anchormine.web.main_text.block_traits import entries_of
from anchormine.web.main_text.section_numbers import are_of_sections, is_section_number
from anchormine.web.page.block_links import link_places
from anchormine.web.page.characters import COLONS
from anchormine.web.page.page_blocks import PageBlock

MENU_ENTRIES: Final = 6
TOP_ENTRIES: Final = 2
MENU_SHARE: Final = 0.9  # of a block's text that is in links, at least
INTRODUCTION_CHARACTERS: Final = 30  # or it is the title of a menu ("Share this page:")
_LONGEST_PAGE: Final = 5  # digits of its number

# Of menus, between their entries.
_SIGNS: Final = frozenset("|¦│┃︱｜/／\\•·●○■□◆◇▪・*+-–—―~:：»«›‹<>→←↑↓▶►▸[](){}【】「」［］（） ")


def menu_rows(blocks: Sequence[PageBlock], candidates: Sequence[int]) -> set[int]:
    """Returns the rows of menus above the first paragraph."""
    menus: set[int] = set()
    run, counts = list[int](), list[int]()
    is_introduced = False
    for place, row in enumerate(candidates):
        block = blocks[row]
        here: int | None = entries_of(block)
        if not here:  # to ask the function of all blocks takes as long as all else here
            here = _entries_of_number(blocks, candidates, place) if block.text[0].isdecimal() else None
        if here is not None:
            run.append(row)
            counts.append(here)
            continue
        if run:
            if not is_introduced:
                menus.update(_menus_in(blocks, run, counts))
            run, counts = [], []
        is_introduced = len(block.text) >= INTRODUCTION_CHARACTERS and block.text.endswith(COLONS)
        if block.prose:
            return menus.union(_top_rows(blocks, candidates, has_paragraph=True))
    return set(_top_rows(blocks, candidates, has_paragraph=False))


def _menus_in(blocks: Sequence[PageBlock], run: Sequence[int], counts: Sequence[int]) -> Iterator[int]:
    """Yields the rows of the menus in a run of blocks, each with so many entries; numbers may have none."""
    if sum(counts) < MENU_ENTRIES:
        return
    if 0 not in counts or _are_numbered(blocks, run, counts):
        yield from run
        return
    first = 0
    for are_entries, group in groupby(zip(run, counts, strict=True), lambda counted: counted[1] > 0):
        part = list(group)[first:]
        if are_entries and sum(count for _, count in part) >= MENU_ENTRIES:
            yield from (row for row, _ in part)
        # The entry behind one of several numbers is that number's, whatever follows.
        first = 1 if not are_entries and counts.count(0) > 1 else 0


def _top_rows(blocks: Sequence[PageBlock], candidates: Sequence[int], has_paragraph: bool) -> Sequence[int]:
    """Returns the rows of the menu that a page begins with, which a heading or other text ends.

    Of a page without a paragraph these are lines of links that signs part, and what is between them: what
    follows may be a list of links.
    """
    rows, counts = list[int](), list[int]()
    for place, row in enumerate(candidates):
        block = blocks[row]
        here = entries_of(block) or _entries_of_number(blocks, candidates, place)
        if here is None or block.heading:
            break
        rows.append(row)
        counts.append(here)
    if 0 in counts and not _are_numbered(blocks, rows, counts):
        rows = rows[: counts.index(0)]
    if has_paragraph:
        is_own = not any(blocks[row].links for row in rows)
        return rows if is_own or sum(counts[: len(rows)]) >= TOP_ENTRIES else ()
    lines = [place for place in range(len(rows)) if counts[place] > 1]
    return rows[: lines[-1] + 1] if sum(counts[place] for place in lines) >= MENU_ENTRIES else ()


def _entries_of_number(blocks: Sequence[PageBlock], candidates: Sequence[int], place: int) -> int | None:
    """Returns how many entries a block without any is where it is a number; None for what is of no menu.

    One where it is the number of this page, beside that of another; none where an entry is behind it.
    """
    block = blocks[candidates[place]]
    if block.linked or block.heading or not is_section_number(block.text):
        return None
    before = blocks[candidates[place - 1]] if place else None
    behind = blocks[candidates[place + 1]] if place + 1 < len(candidates) else None
    if (before and _is_page(before, block, -1)) or (behind and _is_page(behind, block, 1)):
        return 1
    return 0 if behind and entries_of(behind) else None


def _is_page(other: PageBlock, block: PageBlock, step: int) -> bool:
    """Tells whether another block is a link, and its number so much more than that of the block."""
    text = other.text
    is_number = (
        other.linked > 0 and len(text) <= _LONGEST_PAGE and text.isdecimal() and block.text.isdecimal()
    )
    return is_number and int(text) == int(block.text) + step


def _are_numbered(blocks: Sequence[PageBlock], run: Sequence[int], counts: Sequence[int]) -> bool:
    """Tells whether the numbers of a run, which have no entries, are those of sections.

    Whole ones alone may be ranks, unless all entries lead to places of the page itself.
    """
    texts = [blocks[row].text for row, count in zip(run, counts, strict=True) if not count]
    return are_of_sections(texts, may_be_whole=not any(blocks[row].links for row in run))


def count_entries(block: PageBlock) -> int:
    """Counts how many entries of a menu a block is: one if most of it is in links, more if signs part these,
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
