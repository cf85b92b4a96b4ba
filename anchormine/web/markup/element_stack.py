"""The stack of open elements (HTML, 13.2.4.2), with limits to its depth and to what is searched in it."""

from collections import defaultdict
from collections.abc import Container

from anchormine.hypertext.page_rejected import PageRejected
from anchormine.web.markup.element_rules import HOLDING_HTML, PARTS, ROOT, SCOPE, SPECIAL
from anchormine.web.markup.formatting_list import Formatting

MAX_DEPTH = 1000  # browsers keep 512
MAX_STEPS = 5_000_000  # through open elements, for the page


class ElementStack:
    """The elements that are open.

    Attributes:
        nodes: a name each, or a formatting element; first `ROOT`.
        counts: of each name.
        parts: templates, tables and their parts among them; first `ROOT`.
    """

    def __init__(self) -> None:
        self.nodes: list[str | Formatting] = [ROOT]
        self.counts: defaultdict[str, int] = defaultdict(int)
        self.parts = [ROOT]
        self._steps = 0

    def push(self, node: str | Formatting) -> None:
        """Opens an element.

        Raises:
            PageRejected: "too_deep".
        """
        self.nodes.append(node)
        if len(self.nodes) > MAX_DEPTH:
            raise PageRejected("too_deep", f"more than {MAX_DEPTH} open elements")
        if isinstance(node, str):
            self.counts[node] += 1
            if node in PARTS:
                self.parts.append(node)
        else:
            self.counts[node.name] += 1
            node.is_open = True

    def cut(self, place: int) -> None:
        """Ends all elements from a place on."""
        for node in self.nodes[place:]:
            if isinstance(node, str):
                self.counts[node] -= 1
                if node in PARTS:
                    self.parts.pop()
            else:
                self.counts[node.name] -= 1
                node.is_open = False
        del self.nodes[place:]

    def find(self, sought: Container[object], walls: Container[object] = (ROOT,)) -> int:
        """Returns the place of the innermost of some elements, or -1 if one of `walls` is open in it.

        Raises:
            PageRejected: "too_deep", where all that was searched on this page is too much.
        """
        nodes = self.nodes
        place = len(nodes) - 1
        while nodes[place] not in sought and nodes[place] not in walls:
            place -= 1
        self.step(len(nodes) - place)
        return place if nodes[place] in sought else -1

    def end(self, sought: Container[object], walls: Container[object] = (ROOT,)) -> bool:
        """Ends what `find` finds and all that is open in it, and tells whether there is any."""
        place = self.find(sought, walls)
        if place < 0:
            return False
        self.cut(place)
        return True

    def end_formatting(self, name: str) -> None:
        """Ends the innermost formatting element of a name, unless a block is open in it."""
        if self.counts[name]:
            place = len(self.nodes) - 1
            node = self.nodes[place]
            while node not in SPECIAL and not (isinstance(node, Formatting) and node.name == name):
                place -= 1
                node = self.nodes[place]
            self.step(len(self.nodes) - place)
            if node not in SPECIAL:
                self.cut(place)

    def end_all_last(self, names: frozenset[str]) -> None:
        """Ends elements of some names until something else is the last that is open."""
        while self.nodes[-1] in names:
            self.cut(len(self.nodes) - 1)

    def has(self, name: str) -> bool:
        """Tells whether an element is in scope."""
        return self.counts[name] > 0 and self.find((name,), SCOPE) >= 0

    def end_foreign(self, name: str) -> bool:
        """Takes an end tag in SVG or MathML; tells whether it does not end what these stand in."""
        if name == "p":
            self.leave_drawing()
            return False
        name = " " + name
        place = len(self.nodes) - 1
        node = self.nodes[place]
        while node != name and isinstance(node, str) and node[0] == " ":
            place -= 1
            node = self.nodes[place]
        self.step(len(self.nodes) - place)
        if node != name:
            return False
        self.cut(place)
        return True

    def leave_drawing(self) -> None:
        """Ends the elements of SVG and MathML in which there is no HTML."""
        node = self.nodes[-1]
        while isinstance(node, str) and node[0] == " " and node not in HOLDING_HTML:
            self.cut(len(self.nodes) - 1)
            node = self.nodes[-1]

    def take_out(self, node: str | Formatting) -> None:
        """Ends an element that is open; what is open in it stays open."""
        del self.nodes[self.find((node,))]
        self.counts[node if isinstance(node, str) else node.name] -= 1
        if not isinstance(node, str):
            node.is_open = False

    def step(self, count: int) -> None:
        """Counts what is searched.

        Raises:
            PageRejected: "too_deep".
        """
        self._steps += count
        if self._steps > MAX_STEPS:
            raise PageRejected("too_deep", f"more than {MAX_STEPS} steps through open elements")
