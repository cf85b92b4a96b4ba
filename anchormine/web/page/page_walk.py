"""A walk over the tags of a page, for its blocks, its links and what it says about itself."""

from typing import Final

from anchormine.web.page.block_text import LINE_END, SPACE
from anchormine.web.page.element_walk import ElementWalk, End, Silent
from anchormine.web.page.tags import ANCHOR, BLOCK, END, INLINE, MAX_REMEMBERED, SHORT, VOID, unescaped

_SPAN_END: Final = "/span>"
_ENDS: Final = frozenset((_SPAN_END, "/b>", "/em>", "/i>", "/small>", "/strong>"))
_SPAN: Final = 'span class="'


class PageWalk(ElementWalk):
    """Goes through a page once, stretch by stretch."""

    def read(self, stretch: str) -> list[End]:
        """Goes through a stretch of `PageTokens`, and returns those of `opened` that it has opened.

        Its end ends the block, unless a link to a page is open, or an element that takes no room. Most time
        that a crawl takes is spent here: what nearly all tags need is done in place.
        """
        writer, before = self.writer, ""
        self._new = opened = list[End]()
        for part in stretch.split("<"):
            silent = self._silent.get(part)
            if silent is not None:
                act, text = silent
                is_blank = True
            else:
                tag, _, text = part.partition(">")
                act = self._acts[tag]
                is_blank = not text or text.isspace()
                if is_blank and act <= BLOCK and len(part) <= SHORT:
                    _remember(self._silent, part, act, text)
            if act == END:
                ended = opened.pop() if opened else self.opened.pop()
                if ended == BLOCK:
                    if writer.length or self._is_held:
                        self._end_block()
                elif ended != INLINE:
                    self._end(ended)
            elif act == BLOCK:
                opened.append(BLOCK)
                if writer.length or self._is_held:
                    self._end_block()
            elif act == ANCHOR:
                self._start_anchor(tag)
            elif act == INLINE:
                opened.append(INLINE)
                if writer.has_link and before in _ENDS and self._is_seen and not self._is_odd:
                    writer.part_phrases(text, before == _SPAN_END and part.startswith(_SPAN))
            elif act != VOID:
                self._start(tag, act)
            if text:
                if self._is_odd:
                    self._add_odd_text(text)
                elif self._is_seen and not is_blank:
                    writer.add_text(text)
                elif self._is_seen and not writer.space:
                    writer.space = LINE_END if "\n" in text else SPACE
            before = part
        if writer.length and not writer.has_link and self._has_room:
            writer.end_block()
        self.opened += opened
        return opened

    def end(self) -> None:
        """Ends the page."""
        if self.writer.has_link:
            self.writer.end_link()
        self.writer.end_block()

    def _add_odd_text(self, text: str) -> None:
        """Takes text in `<pre>`, or that is not read but takes room; a link's label may repeat it."""
        if self._is_seen:
            self.writer.add_preformatted(text)
            return
        if self._is_held:
            self._held.add(text)
        shown = unescaped(text)
        if shown[0].isspace() or shown[-1].isspace():
            self.writer.part_words()


def _remember(silent: Silent, part: str, act: int, text: str) -> None:
    if len(silent) >= MAX_REMEMBERED:
        silent.clear()
    silent[part] = (act, text)
