"""How much of a block is links: what tells a paragraph from a menu."""

from collections.abc import Sequence
from typing import Final

from anchormine.web.page.page_blocks import Link, PageBlock

PARAGRAPH_CHARACTERS: Final = 60  # that are in no link, and no fewer than are


def link_places(block: PageBlock) -> Sequence[tuple[int, int]]:
    """Returns the places of all links of a block, in order."""
    places: Sequence[tuple[int, int]] = [(link.start, link.end) for link in block.links]
    return sorted((*places, *block.own, *block.idle)) if block.own or block.idle else places


def linked_length(
    links: Sequence[Link], own: Sequence[tuple[int, int]], idle: Sequence[tuple[int, int]]
) -> int:
    """Returns how many characters stand in links of any kind, which are told apart as in a `PageBlock`."""
    linked = length_of(own) + length_of(idle)
    for link in links:
        linked += link.end - link.start
    return linked


def length_of(places: Sequence[tuple[int, int]]) -> int:
    """Returns how many characters stand in them."""
    length = 0
    for start, end in places:
        length += end - start
    return length


def prose_length(length: int, linked: int) -> int:
    """Returns the length of a paragraph, of which so many characters are in links; 0 for what is none."""
    unlinked = length - linked
    return length if unlinked >= PARAGRAPH_CHARACTERS and unlinked >= linked else 0
