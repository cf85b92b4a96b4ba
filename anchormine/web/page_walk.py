"""A walk over the tags of a page, for its blocks, its links and what it says about itself.

What a browser does not show, by the element, its `hidden`, its own style or `aria-hidden`, and what stands
in a form's controls, is left out.
"""

from functools import lru_cache
from typing import NamedTuple

from anchormine.web.link_tags import link_tag, rel_of
from anchormine.web.link_targets import LinkTargets
from anchormine.web.page_blocks import BlockWriter
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
    attributes_of,
    tag_of,
)

_ACTS = Acts()
# Parts with no text but white space, whose tags need little: (act, text). Two in three parts are such.
_SILENT: dict[str, tuple[int, str]] = {}
_BLOCK_LINK = -1  # what the end of a link means that a style makes a block
_SEEN, _HEAD, _HIDDEN = range(3)  # what stands in the head is not shown, but may say something of the page


class Scope(NamedTuple):
    """What holds for all that stands in an element."""

    region: str = "body"
    hidden: int = _SEEN
    pre: bool = False


class Around(NamedTuple):
    """What the end of an element means that changes what holds in it."""

    act: int
    scope: Scope


End = int | Around


class PageWalk:
    """Goes through a page once.

    Attributes:
        blocks: in order.
        dropped: (reason, href) of every link that is in no block.
        facts: the start tags of `html`, of each `meta` and of each `link` in the head.
        scope: what holds where the walk is.
        opened: for each open element, the outermost first, what its end means: INLINE, BLOCK, LINK, or how it
            was around it.
        writer: of the blocks.
    """

    def __init__(self, targets: LinkTargets) -> None:
        """Starts at the top of a page whose links `targets` resolves."""
        self.facts: list[str] = []
        self.writer = BlockWriter()
        self.blocks, self.dropped = self.writer.blocks, self.writer.dropped
        self.opened: list[End] = []
        self._targets = targets
        self._new: list[End] = []  # of `opened`, those of the stretch that is read
        self.enter(Scope())

    def read(self, stretch: str) -> list[End]:
        """Goes through a stretch of `PageTokens`; its end ends the block, unless a link to a page is open.

        Most time that a crawl takes is spent here: what nearly all tags need is done in place.

        Returns:
            of `opened`, those that this stretch has opened.
        """
        writer = self.writer
        self._new = opened = list[End]()
        for part in stretch.split("<"):
            silent = _SILENT.get(part)
            if silent is not None:
                act, text = silent
                is_blank = True
            else:
                tag, _, text = part.partition(">")
                act = _ACTS[tag]
                is_blank = not text or text.isspace()
                if is_blank and act <= BLOCK and len(part) <= SHORT:
                    _remember(part, act, text)
            if act == END:
                ended = opened.pop() if opened else self.opened.pop()
                if ended == BLOCK:
                    if writer.length:
                        writer.end_block()
                elif ended != INLINE:
                    self._end(ended)
            elif act == BLOCK:
                opened.append(BLOCK)
                if writer.length:
                    writer.end_block()
            elif act == ANCHOR:
                self._start_anchor(tag)
            elif act == INLINE:
                opened.append(INLINE)
            elif act != VOID:
                self._start(tag, act)
            if text:
                if self._is_pre:
                    writer.add_preformatted(text)
                elif not is_blank:
                    if self._is_seen:
                        writer.add_text(text)
                elif not self.scope.pre:
                    writer.has_space = True
        if writer.length and not writer.has_link:
            writer.end_block()
        self.opened += opened
        return opened

    def end(self) -> None:
        """Ends the page."""
        if self.writer.has_link:
            self.writer.end_link()
        self.writer.end_block()

    def enter(self, scope: Scope) -> None:
        """Starts a scope."""
        self.scope = scope
        self.writer.region = scope.region
        self._is_seen = not scope.hidden
        self._is_pre = scope.pre and not scope.hidden

    def _start(self, tag: str, act: int) -> None:
        if act == SCOPE:
            self._start_scope(tag)
        elif act == FACT:
            self._start_fact(tag)
        elif act == AREA:
            self._area(tag)
        elif self.scope.hidden:
            return
        elif act == BREAK:
            self.writer.break_line(self.scope.pre)
        elif act == RULE:
            self.writer.end_block()
        elif act == IMAGE and self.writer.has_link:
            self.writer.add_image(attributes_of(tag).get("alt", ""))

    def _end(self, ended: End) -> None:
        """Ends an element that is more than a block: a link, or one that changed what holds."""
        if not isinstance(ended, Around):
            self._end_link()
            return
        if ended.act in (LINK, _BLOCK_LINK):
            self._end_link()
        if ended.act in (BLOCK, _BLOCK_LINK):
            self.writer.end_block()
        self.enter(ended.scope)

    def _end_link(self) -> None:
        if self.writer.has_link:
            self.writer.end_link()
        elif self.writer.has_own_link:
            self.writer.end_own_link()

    def _start_scope(self, tag: str) -> None:
        inner = _inner if len(tag) <= SHORT else _inner.__wrapped__
        around, scope = inner(self.scope, tag)
        self._new.append(around)
        if around.act == BLOCK:
            self.writer.end_block()
        self.enter(scope)

    def _start_fact(self, tag: str) -> None:
        if tag.startswith("html"):
            self._new.append(INLINE)
            self.facts.append(tag)
        elif self.scope.hidden == _HEAD or (tag.startswith("meta") and not self.scope.hidden):
            self.facts.append(tag)

    def _start_anchor(self, tag: str) -> None:
        act, is_hidden, href, rel, is_block = link_tag(tag)
        if act == LINK:
            if is_hidden or not self._is_seen:
                self._new.append(Around(LINK, self.scope))
                self.enter(self.scope._replace(hidden=_HIDDEN))
                self.writer.start_link(href, rel, "hidden")
            else:
                if is_block:
                    self.writer.end_block()
                self._new.append(Around(_BLOCK_LINK, self.scope) if is_block else LINK)
                self.writer.start_link(href, rel, self._targets.find(href))
        elif act == INLINE:
            self._new.append(INLINE)
        elif act == BLOCK:
            self._new.append(BLOCK)
            self.writer.end_block()
        else:
            self._start_scope(tag)

    def _area(self, tag: str) -> None:
        """An area of an image map is a link that shows an image: its text makes a block."""
        attributes = attributes_of(tag)
        if "href" in attributes:
            self.writer.end_block()
            href = attributes["href"]
            is_seen = self._is_seen and not tag_of(tag).hidden
            rel = rel_of(attributes.get("rel", ""))
            self.writer.start_link(href, rel, self._targets.find(href) if is_seen else "hidden")
            if self.writer.has_link:
                self.writer.add_image(attributes.get("alt", ""))
                self.writer.end_link()
            elif self.writer.has_own_link:
                self.writer.end_own_link()
            self.writer.end_block()


def _remember(part: str, act: int, text: str) -> None:
    if len(_SILENT) == MOST_REMEMBERED:
        _SILENT.clear()
    _SILENT[part] = (act, text)


@lru_cache(MOST_REMEMBERED)
def _inner(scope: Scope, tag: str) -> tuple[Around, Scope]:
    """Returns what the end of an element that starts with a tag will mean, and what holds in it."""
    found = tag_of(tag)
    hidden = _SEEN
    if found.hidden:
        hidden = _HEAD if found.name == "head" else _HIDDEN
    region = found.region if RANKS[found.region] > RANKS[scope.region] else scope.region
    is_pre = scope.pre or found.name in ("pre", "listing")
    return Around(BLOCK if found.block else SCOPE, scope), Scope(region, max(scope.hidden, hidden), is_pre)
