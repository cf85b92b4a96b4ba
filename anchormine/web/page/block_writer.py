"""The text of a page by block, with the exact place of every link.

The text is that of `block_text`, and white space at the ends of a block is none; within `<pre>` every line is
a block. A `<br>` is a space, two are the end of a block. A block in which nothing is to be seen is none.

A link over several blocks, as of a card with a heading and a summary, makes one block of them: its anchor
is all its text, up to the first end of a block after `LINK_CHARACTERS`. A link that shows nothing but
images, and characters that take no room, has their `alt` in the text in their place. A link in a link ends
the outer one.

An image that is a link is parted by a space from words right beside it. So are two links side by side with
nothing between them, which sites set apart by their style sheets, where words are; and two spans in a link,
or other elements of several words, where the second seems to begin a phrase. A mark that only offers a
heading's own address, such as "¶", is no text.
"""

import re
from typing import Final

from anchormine.web.page.block_links import linked_length, prose_length
from anchormine.web.page.block_text import SPACE, BlockText
from anchormine.web.page.characters import UNSEEN, is_heading_mark, is_of_spaced_word
from anchormine.web.page.link_targets import Target, is_idle
from anchormine.web.page.page_blocks import Link, PageBlock
from anchormine.web.page.tags import unescaped

LINK_CHARACTERS: Final = 300  # Anchor-DR drops anchors of more than 64 words

_BEFORE_NAMES: Final = frozenset("ie")  # of devices and of sites

# What is a space, but not the tab, and no end of a line in Python's eyes.
_ODD_SPACE: Final = re.compile(r"[^\S\t \n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


class BlockWriter(BlockText):
    """Writes the blocks of a page, from its texts, links and ends of blocks in order.

    Attributes:
        blocks: those that have ended.
        dropped: (reason, href) of every link that is in no block.
    """

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[PageBlock] = []
        self.dropped: list[tuple[str, str]] = []
        self._is_own = False  # whether the open link that is dropped leads to a place of the page itself
        self._is_idle = False  # or nowhere
        self._dropped_rel: str | None = None
        self._link: tuple[str, str | None, Target]  # href, rel and target of the open one
        self._alts: list[str] = []  # of its images
        self._links: list[Link] = []
        self._own: list[tuple[int, int]] = []  # places of links to the page itself
        self._own_rels: list[str | None] = []
        self._idle: list[tuple[int, int]] = []  # and of links that lead nowhere
        self._start_block()

    def _start_block(self) -> None:
        self._start_text()
        self._alt = 0
        if self._own:
            self._own, self._own_rels = [], []
        if self._idle:
            self._idle = []
        self._link_piece = 0  # the first of the open link
        self._dropped = (0, 0, 0)  # length, `_solid` and pieces where the open dropped link begins
        self._last_target: Target | None = None
        if self._links:
            self._links = []

    @property
    def is_open(self) -> bool:
        """Whether a block, or a link, has begun and not ended."""
        return self.length > 0 or self.has_link or self.has_dropped_link

    def add_preformatted(self, text: str) -> None:
        """Adds text in `<pre>`: every line end is the end of a block."""
        if "&" in text:
            text = unescaped(text)
        if text.isprintable():  # one line, with no white space but spaces
            self._add_line(text)
            return
        if not text.isascii() or "\x1f" in text:  # else there is none but tabs and line ends
            text = _ODD_SPACE.sub(" ", text)
        lines = f"{text}|".splitlines()  # the sign keeps the line behind the last line end, be it empty
        lines[-1] = lines[-1][:-1]
        self._add_line(lines[0])
        for line in lines[1:]:
            self.end_block()
            self._add_line(line)

    def link_text(self) -> str | None:
        """Returns the text of the open link so far, None if none is open, or it has much text."""
        if self.has_link:
            start, piece = self._link_start, self._link_piece
        elif self.has_dropped_link:
            start, _, piece = self._dropped
        else:
            return None
        if start < 0:
            return ""
        return "".join(self._pieces[piece:]) if self.length - start <= LINK_CHARACTERS else None

    def break_line(self, is_pre: bool) -> None:
        """Takes a `<br>`."""
        self._breaks += 1
        self.space = SPACE
        if self._breaks > 1 or is_pre:
            self.end_block()

    def add_image(self, alt: str) -> None:
        """Takes an image, by the text that stands for it."""
        if self.has_link:
            self._alts.append(alt)

    def start_link(self, href: str, rel: str | None, target: Target | str) -> None:
        """Starts a link, or drops it if its target is a reason to."""
        if self.has_link:
            self.end_link()
        if isinstance(target, str):
            self.dropped.append((target, href))
            self.has_dropped_link, self._is_own = True, target == "self"
            self._is_idle = is_idle(href, target)
            self._dropped_rel = rel
            self._dropped = (self.length, self._solid, len(self._pieces))
        else:
            self.has_link = True
            self._link_piece = len(self._pieces)
            self._link = (href, rel, target)
            self._link_start = -1

    def end_link(self) -> None:
        """Ends the open link."""
        href, rel, target = self._link
        if self._link_start >= 0 and not self._pieces[-1].strip(UNSEEN) and not self._shows_text():
            self._link_start = -1
        start = self._link_start
        is_image = start < 0
        is_of_images = False  # whether the block is nothing but images so far
        if is_image:
            # Sites show the same image twice, for wide and for narrow screens.
            alt = " ".join(filter(None, dict.fromkeys(" ".join(alt.split()) for alt in self._alts)))
            if alt:
                self._link_piece = len(self._pieces)
                is_of_images = self._alt == self._solid
                if self._solid > self._last_end and self._is_beside_word(alt):
                    self.space = SPACE
                self._add_words(alt)
                start = self._link_start
                self._alt += self._solid - start
        if start < 0:
            self.dropped.append(("no_text", href))
        else:
            if start == self._last_end and (is_image or target != self._last_target):
                start += self._part(self._link_piece)
            if is_image:
                self._parted_end = self._solid
            self._last_end = self._solid
            self._last_target = None if is_image else target
            if is_of_images:
                self._alt = self._solid  # with the spaces between them
            self._links.append(Link(start, self._solid, target, rel, is_image))
        self.has_link = False
        if self._alts:
            self._alts = []
        if self._ended:
            self.end_block()

    def _part(self, piece: int) -> bool:
        """Puts a space between a link that ends, and begins with that piece, and the one right before it, if
        words are beside one another. Two links to one target may be parts of a word, but not images.
        """
        before, after = self._pieces[piece - 1 : piece + 1]
        is_parted = is_of_spaced_word(before[-1]) and is_of_spaced_word(after[0])
        if is_parted:
            self._pieces.insert(piece, " ")
            self.length += 1
            self._solid += 1
        return is_parted

    def part_phrases(self, text: str, are_spans: bool) -> None:
        """Puts a space before a text of the open link that an element begins with, right behind another.

        Sites set the two apart by their style sheets, as a title and whom it is by: there the first ends in a
        small letter, and the second begins with a capital or a digit. So two spans with a class do, unless
        the link begins as "iPad" or "eBay"; of others each has more than one word, for a name may be written
        so.
        """
        begins = text[:1].isupper() or text[:1].isdigit()
        if not begins or self._link_start < 0 or not self._pieces[-1][-1].islower():
            return
        is_name = self._pieces[-1] in _BEFORE_NAMES and self._solid == self._link_start + 1
        if (are_spans and not is_name) or (" " in text.strip() and " " in self._pieces[-1].strip()):
            self.space = SPACE

    def _shows_text(self) -> bool:
        """Tells whether the characters of the open link take room on the screen."""
        count = self.length - self._link_start
        return "".join(self._pieces[-count:])[-count:].strip(UNSEEN) != ""

    def end_dropped_link(self) -> None:
        """Ends the open link that is dropped, or what of it is in this block."""
        self.has_dropped_link = False
        start, solid, piece = self._dropped
        if self._solid > start and not self.has_link and self._last_end <= start:  # no other within it
            if self._is_own and is_heading_mark("".join(self._pieces[piece:]), self._heading > 0):
                self.space = self.space or self._pieces[piece][0] == " "
                del self._pieces[piece:]
                self.length, self._solid = start, solid
                self._parted_end = min(self._parted_end, start)
            else:
                if start == self._last_end:
                    self._part(piece)
                self._last_end, self._last_target = self._solid, None
        if self._solid > start:
            start += self._pieces[piece][0] == " "  # the anchor has none at its ends
            if self._is_own:
                self._own.append((start, self._solid))
                self._own_rels.append(self._dropped_rel)
            elif self._is_idle:
                self._idle.append((start, self._solid))

    def end_block(self) -> None:
        """Ends the block, or, within a link that has text but not much, only notes that one ended."""
        if not self._solid:
            self._start_block()
            return
        if self.has_link and self._link_start >= 0:
            if self._solid - self._link_start < LINK_CHARACTERS:
                self.space, self._ended = SPACE, True
                return
            self._ended = False
            self.end_link()
        if self.has_dropped_link:
            self.end_dropped_link()
            self.has_dropped_link = True  # goes on in the next block
            if not self._solid:
                self._start_block()
                return
        pieces = self._pieces
        text = pieces[0] if len(pieces) == 1 else "".join(pieces)
        text = text[: self._solid]
        if not text.isascii() and not self._links and not text.strip(UNSEEN):
            self._start_block()
            return
        is_linked = self._links or self._own or self._idle
        linked = linked_length(self._links, self._own, self._idle) if is_linked else 0
        block = PageBlock(
            text,
            self._region,
            self._links or (),
            self._alt,
            self._own or (),
            self._own_rels or (),
            self._idle or (),
            self._heading,
            self._parts,
            linked,
            prose_length(self._solid, linked),
        )
        self.blocks.append(block)
        self._start_block()
