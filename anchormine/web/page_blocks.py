"""The text of a page by block, with the exact place of every link: one walk over its tags.

White space is one space, as a browser shows it, and none at the ends of a block; within `<pre>` it is kept, and
every line is a block. One `<br>` is a space, two are the end of a block. What a browser does not show, by the
element, its `hidden`, its own style or `aria-hidden`, and what stands in a form's controls, is left out.

A link over several blocks, as of a card with a heading and a summary, makes one block of them: its anchor is all
its text, up to the first end of a block after `LINK_CHARACTERS`. A link that shows nothing but images has their
`alt` in the text in their place. A link in a link ends the outer one.
"""

from typing import NamedTuple

from anchormine.web.link_targets import LinkTargets, Target
from anchormine.web.tags import RANKS, VOID, Act, Tag, attributes_of, tag_of, unescaped

LINK_CHARACTERS = 300  # Anchor-DR drops anchors of more than 64 words

_VOID_ENDS = frozenset(f"</{name}>" for name in VOID)  # SVG may have them


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
        element: name of the block element that it begins with, "" for text that follows one.
        main: whether it stands in a `<main>` or `<article>`.
        links: in order; they do not overlap.
        alt: how many characters are of texts that stand for images.
    """

    text: str
    region: str
    element: str
    main: bool
    links: list[Link]
    alt: int


class _OpenLink(NamedTuple):
    """A link that is open."""

    href: str
    target: Target
    rel: str | None
    alts: list[str]


_SEEN, _HEAD, _HIDDEN = range(3)  # what stands in the head is not shown, but may say something of the page


class _Scope(NamedTuple):
    """What holds for all that stands in an element."""

    region: str = "body"
    hidden: int = _SEEN
    pre: bool = False
    main: bool = False


class PageWalk:
    """Goes through a page once.

    Attributes:
        blocks: in order.
        dropped: (reason, href) of every link that is in no block.
        title: the text of the first `<title>`, white space collapsed; None without.
        facts: the start tags of `html`, and of the `meta` and `link` that count.
    """

    def __init__(self, targets: LinkTargets) -> None:
        """Starts at the top of a page whose links `targets` resolves."""
        self.blocks: list[PageBlock] = []
        self.dropped: list[tuple[str, str]] = []
        self.title: str | None = None
        self.facts: list[str] = []
        self._targets = targets
        self._scope = _Scope()
        self._open: list[tuple[Act, _Scope] | None] = []  # elements whose end does something, None for others
        self._link: _OpenLink | None = None
        self._link_start = -1  # of the link's text in the block, -1 while it has none
        self._element = ""
        self._new_block()

    def _new_block(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._solid = 0  # up to here; the rest is white space
        self._space = False  # whether white space is due before the next text
        self._breaks = 0
        self._links: list[Link] = []
        self._alt = 0
        self._ended = False  # whether a block has ended within the link

    def run(self, parts: list[str]) -> None:
        """Goes through the parts of `PageTokens`."""
        opened = self._open
        for place in range(0, len(parts) - 1, 2):
            text, tag = parts[place], parts[place + 1]
            if text and not self._scope.hidden:
                self._add_text(text)
            if tag[1] == "/":
                if opened and tag not in _VOID_ENDS:
                    ended = opened.pop()
                    if ended is not None:
                        self._end(*ended)
            elif tag[1] != "!":
                found = tag_of(tag)
                if found.act is Act.INLINE:
                    opened.append(None)
                elif found.act is not Act.VOID:
                    self._start(tag, found, parts[place + 2])
        self._end_link()
        self._flush()

    def _start(self, tag: str, found: Tag, text: str) -> None:
        act = found.act
        if act is Act.BLOCK:
            self._open.append((act, self._scope))
            self._flush()
            self._element = found.name
        elif act is Act.LINK:
            self._open.append((act, self._scope))
            self._start_link(tag, found.hidden)
        elif act is Act.SCOPE:
            self._start_scope(found)
        elif act is Act.FACT:
            self._start_fact(tag, found.name, text)
        elif act is Act.AREA or not self._scope.hidden:
            self._start_void(act, tag)

    def _end(self, act: Act, around: _Scope) -> None:
        if act is Act.LINK:
            self._end_link()
        elif act is Act.BLOCK:
            self._flush()
            self._element = ""
        self._scope = around

    def _start_scope(self, found: Tag) -> None:
        scope = self._scope
        self._open.append((Act.BLOCK if found.block else Act.SCOPE, scope))
        if found.block:
            self._flush()
            self._element = found.name
        self._scope = _Scope(
            found.region if RANKS[found.region] > RANKS[scope.region] else scope.region,
            max(scope.hidden, _hidden(found)),
            scope.pre or found.name in ("pre", "listing"),
            scope.main or found.name in ("main", "article"),
        )

    def _start_fact(self, tag: str, name: str, text: str) -> None:
        if name == "title":
            self._open.append((Act.SCOPE, self._scope))
            self._scope = self._scope._replace(hidden=_HIDDEN)
            if self.title is None:
                self.title = " ".join(unescaped(text).split())
        elif name == "html":
            self._open.append(None)
            self.facts.append(tag)
        elif self._scope.hidden < _HIDDEN:
            self.facts.append(tag)

    def _start_link(self, tag: str, hidden: bool) -> None:
        self._end_link()
        attributes = attributes_of(tag)
        href = attributes.get("href", attributes.get("xlink:href", ""))
        if hidden:
            self._scope = self._scope._replace(hidden=_HIDDEN)
        target = "hidden" if self._scope.hidden else self._targets.find(href)
        if isinstance(target, str):
            self.dropped.append((target, href))
            return
        rel = " ".join(attributes["rel"].lower().split()) or None if "rel" in attributes else None
        self._link = _OpenLink(href, target, rel, [])
        self._link_start = -1

    def _end_link(self) -> None:
        link = self._link
        if link is None:
            return
        if self._link_start < 0:
            for alt in link.alts:
                self._add_words(alt.split())
            if self._link_start < 0:
                self.dropped.append(("no_text", link.href))
            else:
                self._alt += self._solid - self._link_start
                self._keep_link(link, image_alt=True)
        else:
            self._keep_link(link, image_alt=False)
        self._link = None
        if self._ended:
            self._flush()

    def _keep_link(self, link: "_OpenLink", image_alt: bool) -> None:
        self._links.append(Link(self._link_start, self._solid, link.target, link.rel, image_alt))

    def _start_void(self, act: Act, tag: str) -> None:
        if act is Act.BREAK:
            self._breaks += 1
            self._space = True
            if self._breaks > 1 or self._scope.pre:
                self._flush()
        elif act is Act.RULE:
            self._flush()
        elif act is Act.IMAGE:
            if self._link is not None:
                self._link.alts.append(attributes_of(tag).get("alt", ""))
        else:
            self._area(tag)

    def _area(self, tag: str) -> None:
        """An area of an image map is a link that shows an image: its text makes a block."""
        attributes = attributes_of(tag)
        if "href" in attributes:
            self._flush()
            self._start_link(tag, "hidden" in attributes)
            if self._link is not None:
                self._link.alts.append(attributes.get("alt", ""))
            self._end_link()
            self._flush()

    def _add_text(self, text: str) -> None:
        if "&" in text:
            text = unescaped(text)
        if self._scope.pre:
            self._add_lines(text)
            return
        words = text.split()
        if not words:
            self._space = True
            return
        if text[0].isspace():
            self._space = True
        self._add_words(words)
        self._space = text[-1].isspace()

    def _add_words(self, words: list[str]) -> None:
        if not words:
            return
        piece = " ".join(words)
        if self._space and self._length:
            self._pieces.append(" ")
            self._length += 1
        self._space = False
        self._breaks = 0
        if self._link is not None and self._link_start < 0:
            self._link_start = self._length
        self._pieces.append(piece)
        self._length += len(piece)
        self._solid = self._length

    def _add_lines(self, text: str) -> None:
        lines = text.splitlines()
        if text[-1] in "\n\r":
            lines.append("")
        for number, line in enumerate(lines):
            if number:
                self._flush()
            if not self._length and self._space and line:
                self._space = False
            self._add_line(line.replace("\xa0", " "))

    def _add_line(self, line: str) -> None:
        """Adds text of a line of `<pre>` with its white space."""
        words = line.strip()
        if not line:
            return
        if words and self._link is not None and self._link_start < 0:
            self._link_start = self._length + line.index(words[0])
        self._pieces.append(line)
        self._length += len(line)
        if words:
            self._solid = self._length - len(line) + len(line.rstrip())
            self._breaks = 0

    def _flush(self) -> None:
        """Ends the block, or, within a link that has text but not much, only notes that one ended."""
        if self._link is not None and self._link_start >= 0:
            if self._solid - self._link_start < LINK_CHARACTERS:
                self._space = self._ended = True
                return
            self._ended = False
            self._end_link()
        if self._solid:
            text = "".join(self._pieces)[: self._solid]
            scope = self._scope
            self.blocks.append(
                PageBlock(text, scope.region, self._element, scope.main, self._links, self._alt)
            )
        if self._length or self._links:
            self._new_block()
        self._space = False
        self._breaks = 0
        self._ended = False


def _hidden(found: Tag) -> int:
    if not found.hidden:
        return _SEEN
    return _HEAD if found.name == "head" else _HIDDEN
