"""How much of a block is links: what tells a paragraph from a menu."""

from collections.abc import Sequence

from anchormine.web.page.page_blocks import PageBlock

PARAGRAPH_CHARACTERS = 60  # that are in no link, and no fewer than are


def link_places(block: PageBlock) -> Sequence[tuple[int, int]]:
    """Returns the places of all links of a block, in order."""
    places: Sequence[tuple[int, int]] = [(start, end) for start, end, *_ in block.links]
    return sorted((*places, *block.own, *block.idle)) if block.own or block.idle else places


def length_of(places: Sequence[tuple[int, int]]) -> int:
    """Returns how many characters stand in them."""
    length = 0
    for start, end in places:
        length += end - start
    return length


def is_paragraph(text: str, linked: int) -> bool:
    """Tells whether a block is a paragraph, of whose characters so many are in links."""
    return len(text) - linked >= max(PARAGRAPH_CHARACTERS, linked)


def paragraph_length(block: PageBlock) -> int:
    """Returns the length of a paragraph; 0 for a block that is none."""
    length = len(block.text)
    if length < PARAGRAPH_CHARACTERS:
        return 0
    return length if is_paragraph(block.text, length_of(link_places(block))) else 0
