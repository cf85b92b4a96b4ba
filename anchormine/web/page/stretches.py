"""Stretches of pages that were met before, on the same page or another of its site, and are not read again.

The pages of a site repeat each other: menus, heads and feet, rows of tables, items of lists. Of the tags of a
crawl, half to three quarters stand in stretches that came before, letter for letter. What one gives is
remembered when it is met the second time, for most are met once or often. It gives the same wherever it
stands, if

* it starts in the same scope, and the elements that it closes without having opened them are the same;
* no link and no block of text is open, as nearly always: blocks begin and end with stretches then;
* its links lead to the same: on the same site (`LinkTargets.site`), in the same folder if any is relative to
  that, and none of them is to the page itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from anchormine.web.page.element_walk import End
from anchormine.web.page.link_targets import LinkTargets
from anchormine.web.page.page_blocks import PageBlock
from anchormine.web.page.page_walk import PageWalk
from anchormine.web.page.scopes import Scope

LONGEST: Final = 4000  # characters of a stretch that is remembered; longer ones hardly repeat
LONGEST_ADDRESS: Final = 1000  # characters of what a link of one leads to, on average
MAX_CHARACTERS: Final = 4_000_000  # characters of them all, and of what their links lead to
MAX_CLOSED: Final = 20  # elements that a stretch that is remembered closes


class Rest(NamedTuple):
    """What few stretches give, or ask for.

    Attributes:
        scope: what holds behind the stretch.
        dropped: as `PageWalk.dropped`.
        facts: as `PageWalk.facts`.
        folder: of the page, if a link is relative to it; "" if none is.
    """

    scope: Scope
    dropped: list[tuple[str, str]]
    facts: list[str]
    folder: str


@dataclass(slots=True)
class Known:
    """What a stretch gives; no tuple, as it takes longer to read one of those that have names.

    Attributes:
        closed: the elements that it closes and does not open, the outermost first.
        opened: those that it opens and does not close.
        blocks: in order.
        addresses: that its links lead to.
        characters: of the URLs that they lead to.
        rest: None where the scope is as before, and there is nothing else.
    """

    closed: list[End]
    opened: list[End]
    blocks: list[PageBlock]
    addresses: frozenset[str]
    characters: int
    rest: Rest | None


# Matches nowhere, as no element has such an end: for a stretch that was met once, or whose result depends on
# more than its scope.
_MET_ONCE: Final = Known([-1], [], [], frozenset(), 0, None)

_Stretches = dict[str, Known]
_Site = tuple[str, tuple[str, ...], bool, str | None]


class _Memory:
    """Stretches by site and scope, as many as have room; `characters` are those of all of them."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._sites: dict[_Site, dict[Scope, _Stretches]] = {}
        self.characters = 0

    def of(self, site: _Site) -> dict[Scope, _Stretches]:
        """Returns those of a site, which the caller adds to, and counts."""
        if self.characters > MAX_CHARACTERS:
            self.clear()
        return self._sites.setdefault(site, {})


_MEMORY: Final = _Memory()


def read_stretches(walk: PageWalk, targets: LinkTargets, stretches: Sequence[str]) -> None:
    """Reads a page.

    Args:
        walk: at the top of the page.
        targets: of the page's links.
        stretches: of `PageTokens`.
    """
    writer, scopes = walk.writer, _MEMORY.of(targets.site)
    scope, known, is_open = walk.scope, scopes.setdefault(walk.scope, {}), False
    open_elements, page_blocks, own = walk.opened, walk.blocks, targets.own
    for stretch in stretches:
        found = None if is_open else known.get(stretch)
        if found is not None:
            closed, rest = found.closed, found.rest
            fits = not closed or open_elements[-len(closed) :] == closed
            if fits and own not in found.addresses and (not rest or rest.folder in ("", targets.folder)):
                if closed:
                    del open_elements[-len(closed) :]
                open_elements += found.opened
                page_blocks += found.blocks
                targets.characters += found.characters
                if rest:
                    scope, dropped, facts, _ = rest
                    known = scopes.setdefault(scope, {})
                    walk.dropped += dropped
                    walk.facts += facts
                continue
        if scope is not walk.scope:
            walk.enter(scope)
        if found is not None:
            _learn(stretch, known, walk, targets)
        else:
            walk.read(stretch)
            if not is_open and len(stretch) <= LONGEST:
                known[stretch] = _MET_ONCE
                _MEMORY.characters += len(stretch)
        is_open = writer.is_open
        if walk.scope is not scope:
            scope = walk.scope
            known = scopes.setdefault(scope, {})
    targets.check_characters()
    walk.end()


def _learn(stretch: str, known: _Stretches, walk: PageWalk, targets: LinkTargets) -> None:
    """Reads a stretch, and remembers what it gives."""
    around, scope = walk.opened[-MAX_CLOSED:], walk.scope
    depth, blocks, dropped, facts = len(walk.opened), len(walk.blocks), len(walk.dropped), len(walk.facts)
    first, characters = len(targets.addresses), targets.characters
    targets.of_page = targets.of_folder = False
    opened = walk.read(stretch)
    closed = depth - (len(walk.opened) - len(opened))
    if walk.writer.is_open or targets.of_page or closed > len(around):
        return
    addresses = targets.addresses[first:]
    characters = targets.characters - characters
    if characters > LONGEST_ADDRESS * max(1, len(addresses)):
        return
    _MEMORY.characters += characters
    folder = targets.folder if targets.of_folder else ""
    rest = Rest(walk.scope, walk.dropped[dropped:], walk.facts[facts:], folder)
    known[stretch] = Known(
        around[len(around) - closed :],
        opened,
        walk.blocks[blocks:],
        frozenset(addresses),
        characters,
        None if rest == (scope, [], [], "") else rest,
    )
