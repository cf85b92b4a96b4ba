"""The text of a page by block, with the exact place of every link: one walk over its tags.

White space is one space, as a browser shows it, and none at the ends of a block; within `<pre>` it is
kept, and every line is a block. A `<br>` is a space, two are the end of a block. What a browser does not
show, by the element, its `hidden`, its own style or `aria-hidden`, and what stands in a form's controls,
is left out.

A link over several blocks, as of a card with a heading and a summary, makes one block of them: its anchor
is all its text, up to the first end of a block after `LINK_CHARACTERS`. A link that shows nothing but
images has their `alt` in the text in their place. A link in a link ends the outer one.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from anchormine.web.link_tags import link_tag
from anchormine.web.link_targets import LinkTargets, Target
from anchormine.web.tags import (
    ANCHOR,
    AREA,
    BLOCK,
    BREAK,
    END,
    FACT,
    IMAGE,
    INLINE,
    LINK,
    MOST_REMEMBERED,
    RANKS,
    RULE,
    SCOPE,
    SHORT,
    VOID,
    Acts,
    Tag,
    attributes_of,
    tag_of,
    unescaped,
)

LINK_CHARACTERS = 300  # Anchor-DR drops anchors of more than 64 words

_new = tuple.__new__  # takes half the time of a NamedTuple's own constructor
_ACTS = Acts()
# Parts without text, other than white space, whose tags need little: (act, text). Two in three are such.
_SILENT: dict[str, tuple[int, str]] = {}
# What ends a line in Python's eyes; and what is a space but not the tab.
_LINE_END = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_ODD_SPACE = re.compile(r"[^\S\t ]")
_SEEN, _HEAD, _HIDDEN = range(3)  # what stands in the head is not shown, but may say something of the page


class Link(NamedTuple):
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


class PageBlock(NamedTuple):
    """A paragraph, heading, item, cell, line of a menu or the like.

    Attributes:
        text: of one line, never empty.
        region: one of `REGIONS`.
        links: in order; they do not overlap.
        alt: how many characters are of texts that stand for images.
    """

    text: str
    region: str
    links: Sequence[Link]
    alt: int


class _Scope(NamedTuple):
    """What holds for all that stands in an element."""

    region: str = "body"
    hidden: int = _SEEN
    pre: bool = False


class _Around(NamedTuple):
    """What the end of an element means that changes what holds in it."""

    act: int
    scope: _Scope


class PageWalk:
    """Goes through a page once.

    Attributes:
        blocks: in order.
        dropped: (reason, href) of every link that is in no block.
        facts: the start tags of `html`, of each `meta` and of each `link` in the head.
    """

    def __init__(self, targets: LinkTargets) -> None:
        """Starts at the top of a page whose links `targets` resolves."""
        self.blocks: list[PageBlock] = []
        self.dropped: list[tuple[str, str]] = []
        self.facts: list[str] = []
        self._targets = targets
        self._enter(_Scope())
        # For each open element what its end means: INLINE, BLOCK, LINK, or how it was around it.
        self._open: list[int | _Around] = []
        self._link: tuple[str, str | None, Target] | None = None  # that is open: href, rel, target
        self._link_start = -1  # of its text in the block, -1 while it has none
        self._alts: list[str] = []  # of its images
        self._pieces: list[str] = []
        self._links: list[Link] = []
        self._new_block()

    def _enter(self, scope: _Scope) -> None:
        self._scope = scope
        self._is_plain = not (scope.hidden or scope.pre)

    def _new_block(self) -> None:
        self._pieces = []
        if self._links:
            self._links = []
        self._region = "body"  # where its first text stands
        self._length = 0
        self._solid = 0  # up to here; the rest is white space
        self._space = False  # whether white space is due before the next text
        self._breaks = 0
        self._alt = 0
        self._ended = False  # whether a block has ended within the link

    def run(self, parts: list[str]) -> None:
        """Goes through the parts of `PageTokens`.

        Nearly all time that a crawl takes is spent here: what most tags need is done in place.
        """
        opened = self._open
        for part in parts:
            silent = _SILENT.get(part)
            if silent is not None:
                act, text = silent
            else:
                tag, _, text = part.partition(">")
                act = _ACTS[tag]
                if act <= BLOCK and len(part) <= SHORT and (not text or text.isspace()):
                    _remember(part, act, text)
            if act == END:
                ended = opened.pop()
                if ended == BLOCK:
                    if self._length:
                        self._flush()
                elif ended == LINK:
                    if self._link is not None:
                        self._end_link()
                elif isinstance(ended, _Around):
                    self._leave(ended)
            elif act == BLOCK:
                opened.append(BLOCK)
                if self._length:
                    self._flush()
            elif act == ANCHOR:
                self._start_anchor(tag)
            elif act == INLINE:
                opened.append(INLINE)
            elif act != VOID:
                self._start(tag, act)
            if text:
                if not self._is_plain:
                    self._add_unusual(text)
                elif silent is not None or text.isspace():
                    self._space = True
                else:
                    self._add_text(text)
        self._end_link()
        self._flush()

    def _start(self, tag: str, act: int) -> None:
        if act == SCOPE:
            self._start_scope(tag_of(tag))
        elif act == FACT:
            self._start_fact(tag)
        elif act == AREA:
            self._area(tag)
        elif not self._scope.hidden:
            self._start_void(act, tag)

    def _leave(self, around: _Around) -> None:
        if around.act == LINK:
            self._end_link()
        elif around.act == BLOCK:
            self._flush()
        self._enter(around.scope)

    def _start_scope(self, found: Tag) -> None:
        scope = self._scope
        self._open.append(_Around(BLOCK if found.block else SCOPE, scope))
        if found.block:
            self._flush()
        self._enter(
            _Scope(
                found.region if RANKS[found.region] > RANKS[scope.region] else scope.region,
                max(scope.hidden, _hidden(found)),
                scope.pre or found.name in ("pre", "listing"),
            )
        )

    def _start_fact(self, tag: str) -> None:
        if tag.startswith("html"):
            self._open.append(INLINE)
            self.facts.append(tag)
        elif self._scope.hidden == _HEAD or (tag.startswith("meta") and not self._scope.hidden):
            self.facts.append(tag)

    def _start_anchor(self, tag: str) -> None:
        link = self._targets.read(tag)
        if link is not None and not self._scope.hidden:
            self._open.append(LINK)
            self._start_link(*link)
            return
        act, hidden, href, rel = link_tag(tag)
        if act == INLINE:
            self._open.append(INLINE)
        elif act == SCOPE:
            self._start_scope(tag_of(tag))
        else:
            self._open.append(_Around(LINK, self._scope))
            if hidden:
                self._enter(self._scope._replace(hidden=_HIDDEN))
            self._start_link(href, rel, "hidden" if self._scope.hidden else self._targets.find(href))

    def _start_link(self, href: str, rel: str | None, target: Target | str) -> None:
        if self._link is not None:
            self._end_link()
        if isinstance(target, str):
            self.dropped.append((target, href))
        else:
            self._link = (href, rel, target)
            self._link_start = -1

    def _end_link(self) -> None:
        link = self._link
        if link is None:
            return
        href, rel, target = link
        start = self._link_start
        if start >= 0:
            self._links.append(_new(Link, (start, self._solid, target, rel, False)))
        else:
            self._end_link_without_text(href, rel, target)
        self._link = None
        if self._alts:
            self._alts = []
        if self._ended:
            self._flush()

    def _end_link_without_text(self, href: str, rel: str | None, target: Target) -> None:
        alt = " ".join(" ".join(self._alts).split())
        if alt:
            self._add_words(alt)
            start = self._link_start
            self._links.append(Link(start, self._solid, target, rel, True))
            self._alt += self._solid - start
        else:
            self.dropped.append(("no_text", href))

    def _start_void(self, act: int, tag: str) -> None:
        if act == BREAK:
            self._breaks += 1
            self._space = True
            if self._breaks > 1 or self._scope.pre:
                self._flush()
        elif act == RULE:
            self._flush()
        elif act == IMAGE and self._link is not None:
            self._alts.append(attributes_of(tag).get("alt", ""))

    def _area(self, tag: str) -> None:
        """An area of an image map is a link that shows an image: its text makes a block."""
        attributes = attributes_of(tag)
        if "href" in attributes:
            self._flush()
            href = attributes["href"]
            self._start_link(href, None, "hidden" if self._scope.hidden else self._targets.find(href))
            if self._link is not None:
                self._alts.append(attributes.get("alt", ""))
            self._end_link()
            self._flush()

    def _add_text(self, text: str) -> None:
        if "&" in text:
            text = unescaped(text)
        piece = " ".join(text.split())
        if len(piece) == len(text):  # no white space at its ends
            self._add_words(piece)
            return
        if text[0].isspace():
            self._space = True
        if piece:
            self._add_words(piece)
        if text[-1].isspace():
            self._space = True

    def _add_words(self, words: str) -> None:
        length = self._length
        if not length:
            self._region = self._scope[0]
        elif self._space:
            words = " " + words
        if self._link_start < 0 and self._link is not None:
            self._link_start = length + (words[0] == " ")  # the anchor has no space at its ends
        self._space = False
        self._breaks = 0
        self._pieces.append(words)
        self._length = self._solid = length + len(words)

    def _add_unusual(self, text: str) -> None:
        """Adds text that is hidden, or in `<pre>`."""
        scope = self._scope
        if scope.pre:
            if scope.hidden:
                return
            text = unescaped(text)
            if text.isprintable():  # one line, with no white space but spaces
                self._add_line(text)
            else:
                self._add_lines(text)
        elif text.isspace():
            self._space = True

    def _add_lines(self, text: str) -> None:
        """Adds text in `<pre>`: every line end is the end of a block."""
        first, *others = _LINE_END.split(text)
        self._add_line(_ODD_SPACE.sub(" ", first))
        for line in others:
            self._flush()
            self._add_line(_ODD_SPACE.sub(" ", line))

    def _add_line(self, line: str) -> None:
        solid = len(line.rstrip())
        if not line or (self._ended and not solid):
            return
        length = self._length
        if self._ended and self._space and length == self._solid:
            line = " " + line  # where a line ended within the link
            solid += 1
        self._space = False
        if not self._solid:
            self._region = self._scope.region
        if solid:
            if self._link_start < 0 and self._link is not None:
                self._link_start = length + len(line) - len(line.lstrip())
            self._solid = length + solid
            self._breaks = 0
        self._pieces.append(line)
        self._length = length + len(line)

    def _flush(self) -> None:
        """Ends the block, or, within a link that has text but not much, only notes that one ended."""
        if not self._solid:
            self._new_block()
            return
        if self._link is not None and self._link_start >= 0:
            if self._solid - self._link_start < LINK_CHARACTERS:
                self._space = self._ended = True
                return
            self._ended = False
            self._end_link()
        pieces = self._pieces
        text = pieces[0] if len(pieces) == 1 else "".join(pieces)
        block = (text[: self._solid], self._region, self._links or (), self._alt)
        self.blocks.append(_new(PageBlock, block))
        self._new_block()


def _remember(part: str, act: int, text: str) -> None:
    if len(_SILENT) == MOST_REMEMBERED:
        _SILENT.clear()
    _SILENT[part] = (act, text)


def _hidden(found: Tag) -> int:
    if not found.hidden:
        return _SEEN
    return _HEAD if found.name == "head" else _HIDDEN
