"""Stretches of pages that were met before, on the same page or another of its site, and are not read again.

The pages of a site repeat each other: menus, heads and feet, rows of tables, items of lists. Of the tags of a
crawl, half to three quarters stand in stretches that came before, letter for letter. What one gives is
remembered when it is met the second time, for most are met once or often. It gives the same wherever it
stands, if

* the scope is the same, and so is what the ends of the elements mean that it closes and did not open;
* no link is open: blocks of text begin and end with stretches then;
* its links lead to the same: on the same site (`LinkTargets.site`), in the same folder if any is relative to
  that, and none of them is to the page itself.
"""

from collections.abc import Sequence
from typing import NamedTuple

from anchormine.web.link_targets import LinkTargets
from anchormine.web.page_blocks import PageBlock
from anchormine.web.page_walk import End, PageWalk, Scope

LONGEST = 4000  # characters of a stretch that is remembered; longer ones hardly repeat
MOST_REMEMBERED = 8_000_000  # characters of them all
MOST_CLOSED = 20  # elements that a stretch that is remembered closes


class Known(NamedTuple):
    """What a stretch gives.

    Attributes:
        closed: the elements that it closes and does not open, the outermost first.
        opened: those that it opens and does not close.
        scope: what holds behind it.
        blocks: in order.
        dropped: as `PageWalk.dropped`.
        facts: as `PageWalk.facts`.
        addresses: that its links lead to.
        folder: of the page, if a link is relative to it; "" if none is.
    """

    closed: list[End]
    opened: list[End]
    scope: Scope
    blocks: list[PageBlock]
    dropped: list[tuple[str, str]]
    facts: list[str]
    addresses: frozenset[str]
    folder: str


_MET = Known([], [], Scope(), [], [], [], frozenset(), "")  # stands for what was met once

_Stretches = dict[str, Known]
_Site = tuple[str, tuple[str, ...], bool]


class _Memory:
    """Stretches by site and scope, as many as have room; `characters` are those of all of them."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._sites: dict[_Site, dict[Scope, _Stretches]] = {}
        self.characters = 0

    def of(self, site: _Site) -> dict[Scope, _Stretches]:
        """Returns those of a site, which the caller adds to, and counts."""
        if self.characters > MOST_REMEMBERED:
            self.clear()
        return self._sites.setdefault(site, {})


_MEMORY = _Memory()


def read_stretches(walk: PageWalk, targets: LinkTargets, stretches: Sequence[str]) -> None:
    """Reads a page.

    Args:
        walk: at the top of the page.
        targets: of the page's links.
        stretches: of `PageTokens`.
    """
    writer, scopes = walk.writer, _MEMORY.of(targets.site)
    scope, known = walk.scope, scopes.setdefault(walk.scope, {})
    characters = 0
    for stretch in stretches:
        if writer.has_link or writer.has_own_link:
            walk.read(stretch)
            continue
        if walk.scope is not scope:
            scope = walk.scope
            known = scopes.setdefault(scope, {})
        found = known.get(stretch)
        if found is None:
            walk.read(stretch)
            if len(stretch) <= LONGEST:
                known[stretch] = _MET
                characters += len(stretch)
        elif found is _MET or not _recall(found, walk, targets):
            _learn(stretch, known, walk, targets)
    walk.end()
    _MEMORY.characters += characters


def _recall(known: Known, walk: PageWalk, targets: LinkTargets) -> bool:
    """Does what reading a stretch would do, if it is known to be the same. Returns whether it was."""
    closed, opened, scope, blocks, dropped, facts, addresses, folder = known
    if addresses and (targets.own in addresses or (folder and folder != targets.folder)):
        return False
    if closed:
        if walk.opened[-len(closed) :] != closed:
            return False
        del walk.opened[-len(closed) :]
    if opened:
        walk.opened += opened
    if blocks:
        walk.blocks += blocks
    if dropped:
        walk.dropped += dropped
    if facts:
        walk.facts += facts
    if scope is not walk.scope:
        walk.enter(scope)
    return True


def _learn(stretch: str, known: _Stretches, walk: PageWalk, targets: LinkTargets) -> None:
    """Reads a stretch, and remembers what it gives."""
    around = walk.opened[-MOST_CLOSED:]
    depth, blocks, dropped, facts = len(walk.opened), len(walk.blocks), len(walk.dropped), len(walk.facts)
    addresses = len(targets.addresses)
    targets.of_page = targets.of_folder = False
    opened = walk.read(stretch)
    closed = depth - (len(walk.opened) - len(opened))
    if walk.writer.has_link or walk.writer.has_own_link or targets.of_page or closed > len(around):
        return
    known[stretch] = Known(
        around[len(around) - closed :],
        opened,
        walk.scope,
        walk.blocks[blocks:],
        walk.dropped[dropped:],
        walk.facts[facts:],
        frozenset(targets.addresses[addresses:]),
        targets.folder if targets.of_folder else "",
    )
