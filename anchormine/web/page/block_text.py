"""The text of one block of a page, of the texts that it is written with.

White space is one space, as a browser shows it, and none where a line of Chinese or Japanese ends (CSS Text,
4.1.3); within `<pre>` it is kept.
"""

from typing import Final

from anchormine.web.page.characters import is_of_spaced_word, without_line_ends
from anchormine.web.page.tags import unescaped

# What is due before the next text: `LINE_END` is white space behind a text that one may be left out of.
NO_SPACE: Final = 0
SPACE: Final = 1
LINE_END: Final = 2


class BlockText:
    """Writes the text of a block, and where that of the open link starts.

    Attributes:
        region: that what is added stands in.
        heading: the level of that which it stands in; 0 for none.
        parts: of the page that it stands in, one number, as in `page_parts`.
        length: of the block so far, in characters.
        space: what white space is due before the next text, `NO_SPACE`, `SPACE` or `LINE_END`.
        has_link: whether a link is open.
        has_dropped_link: whether one is open that is dropped, whose text is text of the page.
    """

    def __init__(self) -> None:
        self.region = "body"
        self.heading = 0
        self.parts = 0
        self.has_link = False
        self.has_dropped_link = False
        self._link_start = -1  # of the text of the open link in the block, -1 while it has none
        self._start_text()

    def _start_text(self) -> None:
        self.length = 0
        self.space = NO_SPACE
        self._solid = 0  # up to here; the rest is white space
        self._pieces: list[str] = []
        self._region, self._heading, self._parts = "body", 0, 0  # where its first text stands
        self._breaks = 0  # line breaks since the last text
        self._last_end = -1  # of the text of the last link
        self._parted_end = -1  # of what parts words beside it: a link that shows an image, what is not read
        self._ended = False  # whether a block has ended within the link

    def add_text(self, text: str) -> None:
        """Adds text, as the serialisation has it."""
        if "&" in text:
            text = unescaped(text)
        if not text.isascii() and ("\n" in text or self.space == LINE_END):
            self._add_lines(text)
            return
        words = " ".join(text.split())
        if len(words) == len(text):  # no white space at its ends
            self._add_words(words)
            return
        if text[0].isspace():
            self.space = SPACE
        if words:
            self._add_words(words)
        if text[-1].isspace():
            self.space = SPACE

    def part_words(self) -> None:
        """Parts words that are right beside here, on both sides, by a space."""
        self._parted_end = self.length

    def _add_lines(self, text: str) -> None:
        """Adds text in which line ends may show nothing, those at its ends included.

        But two links on two lines, such as those of a menu, stay apart.
        """
        is_beside_link = self._last_end == self.length and (self.has_link or self.has_dropped_link)
        if self.length and self.space != SPACE and not is_beside_link:
            before = self._pieces[-1][-1] + ("\n" if self.space else "")
            text = without_line_ends(before + text)[1:]
            self.space = NO_SPACE
        else:
            text = without_line_ends(text)
        if text[0].isspace():
            self.space = SPACE
        words = " ".join(text.split())
        if words:
            self._add_words(words)
        solid = len(text.rstrip())
        if solid < len(text):
            self.space = LINE_END if "\n" in text[solid:] else SPACE

    def _add_words(self, words: str) -> None:
        length = self.length
        if not length:
            self._region, self._heading, self._parts = self.region, self.heading, self.parts
        elif self.space or (length == self._parted_end and self._is_beside_word(words)):
            words = " " + words
        if self.has_link and self._link_start < 0:
            self._link_start = length + (words[0] == " ")  # the anchor has no space at its ends
        self.space = NO_SPACE
        self._breaks = 0
        self._pieces.append(words)
        self.length = self._solid = length + len(words)

    def _is_beside_word(self, text: str) -> bool:
        """Tells whether a text begins with a word, and stands right behind one."""
        return self.length > 0 and is_of_spaced_word(text[0]) and is_of_spaced_word(self._pieces[-1][-1])

    def _add_line(self, line: str) -> None:
        solid = len(line.rstrip())
        if not solid and (self._ended or not line):
            self.space = self.space or bool(line)
            return
        length = self.length
        # Where a line ended within the link, there is one even before white space.
        is_due = self.space and 0 < length == self._solid and (self._ended or not line[0].isspace())
        if is_due or (length == self._parted_end and self._is_beside_word(line)):
            line = " " + line
            solid += 1
        self.space = NO_SPACE
        if not self._solid:
            self._region, self._heading, self._parts = self.region, self.heading, self.parts
        if solid:
            if self.has_link and self._link_start < 0:
                self._link_start = length + len(line) - len(line.lstrip())
            self._solid = length + solid
            self._breaks = 0
        self._pieces.append(line)
        self.length = length + len(line)
