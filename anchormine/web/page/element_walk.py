"""What the elements of a page start and end: scopes, blocks and links.

What a browser does not show, by the element, its `hidden`, its own style or `aria-hidden`, and what stands
in a form's controls, is left out; but a control parts the words beside it, and `aria-hidden` does not hide
words that the label of their link repeats. White space and line breaks in what only takes room on the screen
part the words beside it, too.
"""

from typing import Final

from anchormine.web.page.block_text import SPACE
from anchormine.web.page.block_writer import BlockWriter
from anchormine.web.page.link_labels import HeldText
from anchormine.web.page.link_tags import PLAIN_LINK, link_tag, rel_of
from anchormine.web.page.link_targets import LinkTargets
from anchormine.web.page.scopes import GONE, HEAD, HELD, UNREAD, Around, Scope, inner_scope
from anchormine.web.page.tags import (
    AREA,
    BLOCK,
    BLOCK_IMAGE,
    BOX,
    BREAK,
    CHILD,
    FACT,
    IMAGE,
    INLINE,
    LINK,
    RULE,
    SCOPE,
    Acts,
    ChildActs,
    Tag,
    attributes_of,
    tag_of,
)

# Parts with no text but white space, whose tags need little: (act, text). Two in three parts are such.
Silent = dict[str, tuple[int, str]]
# What was met of parts and tags, and the same in elements whose children are blocks.
MET: tuple[Acts, Silent] = Acts(), {}
MET_OF_BLOCKS: tuple[Acts, Silent] = ChildActs(), {}
_LABEL: Final = ' aria-label="'
_BLOCK_LINK: Final = -1  # what the end of a link means that stands in lines of its own

End = int | Around


class ElementWalk:
    """Where a walk over the tags of a page is, and what the less frequent tags do.

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
        self._held = HeldText()
        self._new: list[End] = []  # of `opened`, those of the stretch that is read
        self.enter(Scope())

    def enter(self, scope: Scope) -> None:
        """Starts a scope."""
        self.scope = scope
        writer = self.writer
        writer.region, hidden, is_pre, of_blocks, is_labelled, writer.heading, writer.parts = scope
        self._is_seen = not hidden
        self._has_room = hidden <= UNREAD
        self._has_plain_links = not hidden and not is_labelled
        self._is_held = hidden == HELD
        self._is_odd = hidden in (HELD, UNREAD) or (is_pre and not hidden)
        self._acts, self._silent = MET_OF_BLOCKS if of_blocks else MET

    def _start(self, tag: str, act: int) -> None:
        if act == SCOPE:
            self._start_scope(tag)
        elif act == FACT:
            self._start_fact(tag)
        elif act == CHILD:
            self._start_child(tag)
        elif act == AREA:
            self._area(tag)
        elif self.scope.hidden:
            if self._has_room:
                self._start_unread(act)
        elif act == BREAK:
            self.writer.break_line(self.scope.pre)
        elif act == BOX:
            self.writer.space = SPACE
        else:
            if act in (RULE, BLOCK_IMAGE):
                self.writer.end_block()
            if act in (IMAGE, BLOCK_IMAGE) and self.writer.has_link:
                self.writer.add_image(attributes_of(tag).get("alt", ""))

    def _start_unread(self, act: int) -> None:
        """Takes the room of a void element that is not read."""
        if act in (RULE, BLOCK_IMAGE):
            self._end_block()
        elif act in (BREAK, BOX):
            if self._is_held:
                self._held.add(" ")
            self.writer.part_words()

    def _end(self, ended: End) -> None:
        """Ends an element that is more than a block: a link, or one that changed what holds."""
        if not isinstance(ended, Around):
            self._end_link()
            return
        if ended.act in (LINK, _BLOCK_LINK):
            self._end_link()
        was_held = self._is_held
        self.enter(ended.scope)
        if was_held and not self._is_held:
            self._add_held()
        if ended.act in (BLOCK, _BLOCK_LINK):
            self._end_block()

    def _add_held(self) -> None:
        """Adds text that `aria-hidden` hides to its link, if the label of that repeats it."""
        held = self._held.take(self.writer.link_text())
        if held and self._is_odd:
            self.writer.add_preformatted(held)
        elif held:
            self.writer.add_text(held)

    def _end_block(self) -> None:
        if self._is_held:
            self._held.add(" ")
        if self._has_room:
            self.writer.end_block()

    def _end_link(self) -> None:
        if self.writer.has_link:
            self.writer.end_link()
        elif self.writer.has_dropped_link:
            self.writer.end_dropped_link()

    def _start_scope(self, tag: str) -> None:
        around, scope = inner_scope(self.scope, tag)
        self._new.append(around)
        if around.act == BLOCK:
            self._end_block()
        elif scope.hidden == GONE and self._is_seen and tag_of(tag).box:
            self.writer.space = SPACE
        self.enter(scope)

    def _start_child(self, tag: str) -> None:
        """Starts an element that is a block, as the one around it says so, unless it is not there at all."""
        found = tag_of(tag)
        if found.gone and not found.box:  # texts on both sides are of one block (CSS Flexible Box Layout, 4)
            if tag.startswith("a "):
                self._start_anchor(tag)
            else:
                self._start_scope(tag)
            return
        around = self.scope
        self._end_block()
        self.enter(around._replace(of_blocks=False))
        if tag.startswith("a "):
            self._start_anchor(tag)
        else:
            self._start_scope(tag)
        end = self._new[-1]
        act = end.act if isinstance(end, Around) else end
        self._new[-1] = Around(_BLOCK_LINK if act in (LINK, _BLOCK_LINK) else BLOCK, around)

    def _start_fact(self, tag: str) -> None:
        if tag.startswith("html"):
            self._new.append(INLINE)
            self.facts.append(tag)
        elif self.scope.hidden == HEAD or (tag.startswith("meta") and not self.scope.hidden):
            self.facts.append(tag)

    def _start_anchor(self, tag: str) -> None:
        found, href, rel = link_tag(tag)
        act = found.act
        if act == LINK:
            target = self._targets.find(href) if self._is_seen and not found.hidden else "hidden"
            is_plain = found is PLAIN_LINK and self._has_plain_links
            self._new.append(LINK if is_plain else self._start_link(found, tag))
            self.writer.start_link(href, rel, target)
        elif act == INLINE:
            self._new.append(INLINE)
        elif act == BLOCK:
            self._new.append(BLOCK)
            self._end_block()
        else:
            self._start_scope(tag)

    def _start_link(self, found: Tag, tag: str) -> End:
        """Returns what the end of a link will mean."""
        scope = self.scope
        if found.hidden or scope.hidden:
            self.enter(scope._replace(hidden=max(scope.hidden, GONE if found.gone else UNREAD)))
            return Around(LINK, scope)
        if found.block:
            self.writer.end_block()
        is_labelled = _LABEL in tag
        if is_labelled:
            self._held.start(tag)  # the end of what was held before may stand in a stretch that is known
        has_scope = is_labelled or scope.labelled or found.of_blocks
        if has_scope:  # of its own
            self.enter(scope._replace(of_blocks=found.of_blocks, labelled=is_labelled))
        if has_scope or found.block:
            return Around(_BLOCK_LINK if found.block else LINK, scope)
        return LINK

    def _area(self, tag: str) -> None:
        """An area of an image map is a link that shows an image: its text, if it has one, makes a block."""
        attributes = attributes_of(tag)
        if "href" not in attributes:
            return
        href, alt = attributes["href"], attributes.get("alt", "")
        is_seen = self._is_seen and not tag_of(tag).hidden
        target = self._targets.find(href) if is_seen else "hidden"
        if alt.strip() and not isinstance(target, str):
            self._end_block()
        self.writer.start_link(href, rel_of(attributes.get("rel", "")), target)
        if self.writer.has_link:
            self.writer.add_image(alt)
            self.writer.end_link()
            if alt.strip():
                self._end_block()
        elif self.writer.has_dropped_link:
            self.writer.end_dropped_link()
