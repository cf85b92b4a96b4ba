"""The blocks of a page's text, with the places of the links in them.

They are no tuples, as it takes three times as long to read a field of a NamedTuple, or to take one apart.
Their `__init__` is written out: mypyc does not compile one that a dataclass makes, which takes ten times as
long.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from anchormine.web.page.link_targets import Target


@dataclass(slots=True, init=False)
class Link:
    """A link in a block.

    Attributes:
        start: first character of its text in the block.
        end: character after its last.
        target: where it leads.
        rel: as written, in lower case, separated by spaces; None if it has none.
        image_alt: whether its text stands for an image.
    """

    start: int
    end: int
    target: Target
    rel: str | None
    image_alt: bool

    def __init__(self, start: int, end: int, target: Target, rel: str | None, image_alt: bool) -> None:
        self.start = start
        self.end = end
        self.target = target
        self.rel = rel
        self.image_alt = image_alt


@dataclass(slots=True, init=False)
class PageBlock:
    """A paragraph, heading, item, cell, line of a menu or the like.

    Attributes:
        text: of one line, never empty.
        region: one of `REGIONS`.
        links: in order; they do not overlap.
        alt: how many characters are of texts that stand for images, and of spaces between images alone.
        own: (start, end) of the text of each link to a place of the page itself, in order.
        own_rels: the `rel` of each of these, as in `Link`.
        idle: the same of links that lead nowhere: to a script, or empty.
        heading: its level, 1 to 6; 0 if it is none.
        parts: of the page that it stands in, one number, as in `page_parts`.
        linked: how many characters are in links of any kind.
        prose: the length of a paragraph; 0 for a block that is none.
        traits: room for what is found of the block by itself, as in `block_traits`; 0 before.
    """

    text: str
    region: str
    links: Sequence[Link]
    alt: int
    own: Sequence[tuple[int, int]]
    own_rels: Sequence[str | None]
    idle: Sequence[tuple[int, int]]
    heading: int
    parts: int
    linked: int
    prose: int
    traits: int

    def __init__(
        self,
        text: str,
        region: str,
        links: Sequence[Link],
        alt: int,
        own: Sequence[tuple[int, int]],
        own_rels: Sequence[str | None],
        idle: Sequence[tuple[int, int]],
        heading: int,
        parts: int,
        linked: int,
        prose: int,
    ) -> None:
        self.text = text
        self.region = region
        self.links = links
        self.alt = alt
        self.own = own
        self.own_rels = own_rels
        self.idle = idle
        self.heading = heading
        self.parts = parts
        self.linked = linked
        self.prose = prose
        self.traits = 0
