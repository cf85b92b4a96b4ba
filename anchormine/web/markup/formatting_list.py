"""The list of active formatting elements (HTML, 13.2.4.3), which are opened again until they end."""

from anchormine.web.markup.element_rules import SPECIAL, weight_of

_SHORT = 200  # characters of a link's tag; one link is open at a time, and is opened again in each block
_COPIES = 3  # of equal ones that are opened again ("Noah's Ark clause")
_COMPARED = 50  # for that
_ROUNDS, _KEPT = 8, 3  # of the adoption agency algorithm: blocks, and formatting elements in front of each


class Formatting:
    """A formatting element.

    Attributes:
        name: of it.
        rest: of its start tag.
        weight: what it takes where it is opened again, in characters.
        is_open: whether it is.
        is_listed: whether it would be opened again.
    """

    def __init__(self, name: str, rest: str) -> None:
        self.name = name
        self.rest = rest
        self.weight = 0 if name == "a" and len(rest) < _SHORT else weight_of(name, rest)
        self.is_open = False
        self.is_listed = True


class FormattingList:
    """The list behind its last marker.

    Attributes:
        elements: in order.
        weight: of all of them.
    """

    def __init__(self) -> None:
        self.elements: list[Formatting] = []
        self.weight = 0
        self._before: list[tuple[list[Formatting], int]] = []  # for each marker

    def add(self, name: str, rest: str) -> Formatting:
        """Adds an element, instead of the first of its equals where these are too many."""
        equals = [found for found in self.elements[-_COMPARED:] if found.name == name and found.rest == rest]
        if len(equals) >= _COPIES:
            self.remove(equals[0])
        element = Formatting(name, rest)
        self.elements.append(element)
        self.weight += element.weight
        return element

    def remove(self, element: Formatting) -> None:
        """Takes out an element, if it is there."""
        if element.is_listed:
            self.elements.remove(element)
            self.weight -= element.weight
            element.is_listed = False

    def last(self, name: str) -> Formatting | None:
        """Returns the last element of a name."""
        for element in reversed(self.elements):
            if element.name == name:
                return element
        return None

    def closed(self) -> list[Formatting]:
        """Returns those at the end that are not open."""
        elements = self.elements
        place = len(elements)
        while place and not elements[place - 1].is_open:
            place -= 1
        return elements[place:]

    def mark(self) -> None:
        """Sets a marker: what is here now is not opened again until that is taken away."""
        self._before.append((self.elements, self.weight))
        self.elements, self.weight = [], 0

    def clear(self) -> None:
        """Takes away the last marker, and all behind it."""
        for element in self.elements:
            element.is_listed = False
        self.elements, self.weight = self._before.pop() if self._before else ([], 0)

    def end(self, element: Formatting, inner: list[str | Formatting]) -> list[str | Formatting]:
        """Ends an element by its end tag (HTML, 13.2.6.4.7, "adoption agency algorithm").

        Args:
            element: one that is open.
            inner: what is open in it.

        Returns:
            what stays open of both: blocks, and the formatting elements that they stand in.
        """
        staying: list[str | Formatting] = []
        between: list[str | Formatting] = []
        blocks = 0
        for place, node in enumerate(inner):
            if node not in SPECIAL:
                between.append(node)
                continue
            staying += [kept for kept in between[-_KEPT:] if isinstance(kept, Formatting) and kept.is_listed]
            staying.append(node)
            for lost in between[:-_KEPT]:
                if isinstance(lost, Formatting):
                    self.remove(lost)
            between = []
            blocks += 1
            if blocks == _ROUNDS:
                return [*staying, element, *inner[place + 1 :]]
        self.remove(element)
        return staying
