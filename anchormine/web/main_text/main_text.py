"""The main text of a page, picked from its blocks.

It is what the parts of the page hold that `main_parts` picks, without

* the menus at its top (`menus`), and notices of rights (`rights_notices`), links and teasers (`links_below`)
  below its last paragraph; lines that lead from page to page (`navigation_lines`);
* labels that sites put around texts, and what stands below the text under them (`labelled_parts`);
* tables of contents: runs of blocks that are nothing but links to places of the page, and the numbers of
  sections; and their titles: headings that have nothing but the table under them (`contents_tables`);
* headings and labels of which all that stood under them is left out (`bare_titles`);

and has the page's title, wherever above its first paragraph that stands (`own_title`).

How near that comes to what a page's content is, and how near libraries come, is in ARCHITECTURE.md ("Our own
beside a library"), with the command that measures it and what the rules were chosen by. The blocks are there
anyway: to pick some costs next to nothing, and a sentence's place in the text is known and not looked for.
"""

from collections.abc import Sequence
from typing import NamedTuple

from anchormine.web.main_text.bare_titles import bare_titles
from anchormine.web.main_text.block_traits import ENTRIES, FOUND, NAVIGATION
from anchormine.web.main_text.contents_tables import contents_rows
from anchormine.web.main_text.labelled_parts import labelled_rows
from anchormine.web.main_text.links_below import rows_below
from anchormine.web.main_text.main_parts import main_rows
from anchormine.web.main_text.menus import count_entries, menu_rows
from anchormine.web.main_text.navigation_lines import is_navigation, navigation_rows
from anchormine.web.main_text.own_title import own_title_row
from anchormine.web.main_text.rights_notices import notice_rows
from anchormine.web.page.block_links import PARAGRAPH_CHARACTERS
from anchormine.web.page.page_blocks import PageBlock

LEAD_CHARACTERS = 600


class MainText(NamedTuple):
    """The main text of a page.

    Attributes:
        text: its paragraphs, separated by a line feed.
        lead: the first of them, see `lead_of`.
        places: for each block of the page where it starts in `text`; None if it is not in there.
    """

    text: str
    lead: str
    places: list[int | None]


def main_text(blocks: Sequence[PageBlock], title: str = "") -> MainText:
    """Picks the blocks of the main text; text that only stands for images is in none.

    Args:
        blocks: of the page.
        title: as its `title` says.
    """
    for block in blocks:
        if not block.traits:
            block.traits = _traits_of(block) if block.linked else FOUND
    candidates = main_rows(blocks)
    left_out = menu_rows(blocks, candidates) | navigation_rows(blocks, candidates)
    if any(blocks[row].own for row in candidates):
        left_out |= contents_rows(blocks, candidates)
    kept = [row for row in candidates if row not in left_out] or candidates
    for rows_to_leave in (notice_rows, labelled_rows, rows_below):
        leaving = rows_to_leave(blocks, kept)
        if leaving:
            kept = [row for row in kept if row not in leaving] or kept
    if len(kept) < len(blocks):
        titles = bare_titles(blocks, kept)
        kept = [row for row in kept if row not in titles] or kept
        own_title = own_title_row(blocks, kept, title)
        if own_title is not None:
            kept = sorted([own_title, *kept])
    places: list[int | None] = [None] * len(blocks)
    texts = []
    length = 0
    for row in kept:
        text = blocks[row].text
        places[row] = length
        length += len(text) + 1
        texts.append(text)
    whole = "\n".join(texts)
    return MainText(whole, lead_of(whole), places)


def _traits_of(block: PageBlock) -> int:
    """Finds what a block with links says by itself."""
    traits = FOUND | count_entries(block) << ENTRIES
    return traits | NAVIGATION if is_navigation(block) else traits


def lead_of(text: str) -> str:
    """Returns the first lines of a text: as many as `LEAD_CHARACTERS` hold, and one at least.

    If these are headings and the like and a paragraph follows, it is among them, however long.
    """
    first = text.find("\n")
    if first < 0 or len(text) <= LEAD_CHARACTERS:
        return text
    lead = text[: max(first, text.rfind("\n", 0, LEAD_CHARACTERS + 1))]
    if any(len(line) >= PARAGRAPH_CHARACTERS for line in lead.split("\n")):
        return lead
    following = text[len(lead) + 1 :].partition("\n")[0]
    return f"{lead}\n{following}" if len(following) >= PARAGRAPH_CHARACTERS else lead
