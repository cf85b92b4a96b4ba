"""The `<page>` elements of a dump, cut out of its bytes: a broken one costs itself, not what follows it.

No `<page>` can stand in the text of a page: there it is written `&lt;page&gt;`.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from anchormine.archives.compression import Damage
from anchormine.wiki.outside_pages import Outside

_OPEN, _CLOSE = b"<page>", b"</page>"
MAX_ELEMENT_BYTES = 1 << 28  # a history of many revisions may stand in one element


class PageElement(NamedTuple):
    """One `<page>` element.

    Attributes:
        offset: of its first byte in the XML that was read.
        xml: its bytes.
        broken: why it is no whole element, or None.
    """

    offset: int
    xml: bytes
    broken: str | None


def page_elements(
    chunks: Iterable[bytes],
    damages: list[Damage],
    has_start: bool = True,
    has_end: bool = True,
    base: int = 0,
    within_page: bool = False,
    until: int | None = None,
) -> Iterator[PageElement]:
    """Cuts a dump into its pages.

    Args:
        chunks: the XML, in order.
        damages: receives what stands where only pages may stand, and where the XML is cut off.
        has_start: whether the XML is to begin with `<mediawiki>`: a part of a file does not.
        has_end: whether it is to end with `</mediawiki>`.
        base: offset of the first byte.
        within_page: whether the XML may start within a page; what stands before its first `<page>` is left to
            whoever reads the part before.
        until: offset before which its first `<page>` is to start, if it may start within a page: where none
            does, the XML behind that is not read. Else each part of what has no pages would be read to the
            end of the file.
    """
    cutter = _Cutter(damages, base, has_start, within_page)
    for chunk in chunks:
        cutter.buffer += chunk
        yield from cutter.cut()
        if until is not None and cutter.is_before_pages and cutter.base >= until:
            return
    yield from cutter.finish(has_end)


class _Cutter:
    def __init__(self, damages: list[Damage], base: int, has_start: bool, within_page: bool) -> None:
        self.damages = damages
        self.buffer = bytearray()
        self.base = base  # offset of the buffer's first byte
        self.inside = False
        self.scanned = 0  # up to here the buffer holds no tag that is looked for
        self.outside = Outside()  # what stood since the last page, and is not judged yet
        self.judge = Outside.judge_head if has_start else None if within_page else Outside.judge_between

    @property
    def is_before_pages(self) -> bool:
        """Whether no `<page>` has started in XML that may start within one."""
        return self.judge is None

    def cut(self) -> Iterator[PageElement]:
        while True:
            if self.inside:
                end = self.buffer.find(_CLOSE, self.scanned)
                if end < 0 and len(self.buffer) <= MAX_ELEMENT_BYTES:
                    self.scanned = max(len(_OPEN), len(self.buffer) - len(_CLOSE) + 1)
                    return
                yield self._element(end)
            else:
                start = self.buffer.find(_OPEN, self.scanned)
                if start < 0:
                    self._set_aside(max(0, len(self.buffer) - len(_OPEN) + 1))
                    return
                self._set_aside(start)
                self._judge_outside()
                self.inside = True
                self.scanned = len(_OPEN)

    def _element(self, end: int) -> PageElement:
        """Takes the element at the buffer's start, which ends at `end`, or is too large if that is -1."""
        reopened = self.buffer.find(_OPEN, len(_OPEN), end if end >= 0 else len(self.buffer))
        if reopened >= 0:
            element = self._broken(reopened, "a page without </page>")
            self.scanned = max(len(_OPEN), end - reopened)  # what stands before the end has been looked at
            return element
        self.inside = False
        if end < 0:
            return self._broken(len(self.buffer), f"a page of more than {MAX_ELEMENT_BYTES} bytes")
        element = PageElement(self.base, bytes(self.buffer[: end + len(_CLOSE)]), None)
        self._drop(len(element.xml))
        return element

    def _broken(self, length: int, reason: str) -> PageElement:
        self.damages.append(Damage(self.base, length, reason, "xml"))
        element = PageElement(self.base, bytes(self.buffer[: min(length, 1 << 16)]), reason)
        self._drop(length)
        return element

    def finish(self, has_end: bool) -> Iterator[PageElement]:
        if self.inside:
            self.inside = False
            yield self._broken(len(self.buffer), "cut off: the file ends within a page")
            return
        self._set_aside(len(self.buffer))
        ended = self.outside.has_end
        self._judge_outside(is_last=True)
        if has_end and not ended:
            self.damages.append(Damage(self.base, 0, "cut off: no </mediawiki> at the end", "xml"))

    def _set_aside(self, length: int) -> None:
        self.outside.add(bytes(self.buffer[:length]))
        self._drop(length)

    def _drop(self, length: int) -> None:
        del self.buffer[:length]
        self.base += length
        self.scanned = 0

    def _judge_outside(self, is_last: bool = False) -> None:
        if self.judge is not None:
            reason, length = self.judge(self.outside, is_last)
            if reason:
                self.damages.append(Damage(self.base - self.outside.size, length, reason, "xml"))
        self.outside = Outside()
        self.judge = Outside.judge_between
