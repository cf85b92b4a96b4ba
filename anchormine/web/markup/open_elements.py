"""What the tags of a page would leave open, as a parser sees it, and what that would cost."""

from collections.abc import Iterable

from anchormine.hypertext.page_rejected import PageRejected
from anchormine.web.markup.element_rules import (
    BETWEEN_CELLS,
    CELLS,
    FORMATTING,
    HOLDING_HTML,
    IMPLIED_ENDS,
    IMPLIED_PARTS,
    MARKING,
    MAX_REOPENED,
    P_SCOPE,
    PARTS,
    PLACES,
    ROOT,
    SCOPE,
    Tag,
    Tags,
    end_rule,
)
from anchormine.web.markup.element_stack import MAX_DEPTH, ElementStack
from anchormine.web.markup.elements import HEADINGS
from anchormine.web.markup.formatting_list import FormattingList
from anchormine.web.markup.markup_tags import SPACE, TEXT, UnclearMarkup, tags_and_texts, written_tags
from anchormine.web.markup.tag_pairs import count_left

_MAX_SEARCHED = 20_000_000  # tags that no other ends, times all tags: the parser takes .3 s for the worst


def check_open_elements(html: str) -> None:
    """Raises where a page cannot be parsed in time that is linear in its length, or where that is unclear.

    Raises:
        PageRejected: "too_deep".
        UnclearMarkup: only the parser can tell; or it seems to be cheap, but too many tags have no partner
            to trust that.
    """
    tags = written_tags(html)
    left = count_left(tags)
    is_unclear = left is None or left * len(tags) > _MAX_SEARCHED
    if left is None or is_unclear or left > MAX_DEPTH:
        _TreeConstruction().run(tags_and_texts(html))
    if is_unclear:
        raise UnclearMarkup("elements do not end where they should")


class _TreeConstruction:
    """What HTML's tree construction (13.2.6) does with tags, as far as it decides what is open.

    There is no "quirks mode". Framesets are counted apart from all else: a page has one or the other.
    """

    def __init__(self) -> None:
        self._stack = ElementStack()
        self._framesets = ElementStack()
        self._formatting = FormattingList()
        self._in_form = False
        self._reopened = 0

    def run(self, tags: Iterable[str]) -> None:
        """Takes the tags of a page, and where it has texts, as `tags_and_texts` gives them."""
        known, nodes, counts = Tags(), self._stack.nodes, self._stack.counts
        for written in tags:
            tag = known[written]
            name, top = tag.name, nodes[-1]
            if not name:
                continue
            is_foreign = isinstance(top, str) and top[0] == " "
            if tag.is_plain_end and not is_foreign:
                if name == top:  # as it mostly is
                    nodes.pop()
                    counts[name] -= 1
                    continue
                if not counts[name]:
                    continue
            if name in (SPACE, TEXT):
                if top in HOLDING_HTML or not (is_foreign or (name == SPACE and top in BETWEEN_CELLS)):
                    self._reopen()
            elif tag.is_end:
                if not is_foreign or not self._stack.end_foreign(name):
                    self._end(name)
            elif not is_foreign or not self._start_foreign(tag):
                self._start(tag)

    def _start(self, tag: Tag) -> None:
        if tag.name in PLACES:
            self._start_part(tag.name)
        elif not self._is_ignored(tag.name):
            self._end_before(tag)
            if tag.start.reopens:
                self._reopen()
            if tag.name in FORMATTING:
                self._start_formatting(tag)
            elif not tag.start.is_empty:
                self._open(tag)

    def _is_ignored(self, name: str) -> bool:
        """Tells whether a start tag opens nothing in which others can stand."""
        stack = self._stack
        if name == "frameset":
            self._framesets.push(name)
            return True
        if name == "select":
            return stack.counts[name] > 0 and stack.end((name,), SCOPE)
        if name != "form" or stack.counts["template"]:
            return False
        was_in_form, self._in_form = self._in_form, True
        return was_in_form or stack.parts[-1] in BETWEEN_CELLS

    def _end_before(self, tag: Tag) -> None:
        """Ends what cannot hold the element that a tag starts."""
        stack, rule = self._stack, tag.start
        if tag.name == "table" and stack.parts[-1] in BETWEEN_CELLS:
            self._end_part(tag.name)
        elif tag.name == "a":
            self._end_link()
        if rule.ends:
            stack.end(rule.ends, rule.walls)
        if rule.ends_p and stack.counts["p"]:
            stack.end(("p",), P_SCOPE)
        if stack.nodes[-1] in rule.last:
            stack.cut(len(stack.nodes) - 1)
        if rule.within and stack.has(rule.within):
            stack.end_all_last(rule.last_within)

    def _open(self, tag: Tag) -> None:
        if tag.name in ("svg", "math"):
            self._open_foreign(tag)
            return
        self._count_reopened()
        self._stack.push(tag.name)
        if tag.name in MARKING:
            self._formatting.mark()

    def _count_reopened(self) -> None:
        """Counts formatting elements as if each element had to open them again."""
        self._reopened += self._formatting.weight
        if self._reopened > MAX_REOPENED:
            count = len(self._formatting.elements)
            raise PageRejected("too_deep", f"{count} formatting elements are never closed")

    def _start_part(self, name: str) -> None:
        """Takes the start of a part of a table, which ends those that it cannot stand in."""
        stack = self._stack
        if stack.parts[-1] == ROOT:
            return
        while stack.parts[-1] not in PLACES[name]:
            self._end_part(stack.parts[-1])
        parent = stack.parts[-1]
        stack.cut(stack.find((parent,)) + 1)
        for part in (*IMPLIED_PARTS.get((parent, name), ()), name):
            if part != "col":
                self._count_reopened()
                stack.push(part)
        if name in CELLS:
            self._formatting.mark()

    def _end_part(self, name: str) -> None:
        """Ends the table that is open, or a part of it."""
        stack = self._stack
        for part in reversed(stack.parts):
            if part == name:
                break
            if part in ("table", "template", ROOT):
                return
        if stack.parts[-1] in CELLS:
            self._formatting.clear()
        stack.end((name,))

    def _start_foreign(self, tag: Tag) -> bool:
        """Takes a start tag in SVG or MathML, unless it is to be taken as elsewhere."""
        if self._stack.nodes[-1] in HOLDING_HTML:
            return False
        if tag.ends_drawing:
            self._stack.leave_drawing()
            return False
        self._open_foreign(tag)
        return True

    def _open_foreign(self, tag: Tag) -> None:
        if not tag.is_closed:
            self._count_reopened()
            self._stack.push(" " + tag.name)

    def _end(self, name: str) -> None:
        stack = self._stack
        if name in FORMATTING:
            self._end_formatting(name)
        elif name == "frameset":
            self._framesets.end((name,))
        elif name == "form" and not stack.counts["template"]:
            self._end_form()
        elif name in HEADINGS:
            if any(stack.counts[heading] for heading in HEADINGS):
                stack.end(*end_rule(name))
        elif not stack.counts[name]:
            return
        elif name in PARTS and name != "template":
            self._end_part(name)
        elif stack.end(*end_rule(name)) and name in MARKING:
            self._formatting.clear()

    def _end_form(self) -> None:
        """Ends the form; what is open in it stays open."""
        stack = self._stack
        if self._in_form and stack.has("form"):
            stack.end_all_last(IMPLIED_ENDS)
            stack.take_out("form")
        self._in_form = False

    def _start_formatting(self, tag: Tag) -> None:
        if tag.name == "nobr":
            last = self._formatting.last(tag.name)
            # Any other is ended, too. But no one gives it attributes, other than to do harm.
            if last is not None and last.rest == tag.rest:
                self._end_formatting(tag.name)
                self._reopen()
        self._stack.push(self._formatting.add(tag.name, tag.rest))

    def _reopen(self) -> None:
        for element in self._formatting.closed():
            self._stack.push(element)

    def _end_link(self) -> None:
        """Ends the link that is open, wherever it is: another begins."""
        link = self._formatting.last("a")
        if link is not None:
            self._end_formatting("a")
            self._formatting.remove(link)
            if link.is_open:
                self._stack.take_out(link)

    def _end_formatting(self, name: str) -> None:
        stack, formatting = self._stack, self._formatting
        element = formatting.last(name)
        stack.step(len(formatting.elements))
        if element is None:
            stack.end_formatting(name)
        elif not element.is_open:
            formatting.remove(element)
        else:
            place = stack.find((element,), SCOPE)
            if place >= 0:
                staying = formatting.end(element, stack.nodes[place + 1 :])
                stack.cut(place)
                for node in staying:
                    stack.push(node)
