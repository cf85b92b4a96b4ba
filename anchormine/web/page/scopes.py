"""What holds for all that stands in an element: where on the page it is, and whether it is shown."""

from functools import lru_cache
from typing import Final, NamedTuple

from anchormine.web.markup.elements import HEADINGS
from anchormine.web.page.page_parts import APART, MAIN, inner_parts
from anchormine.web.page.tags import BLOCK, MAX_REMEMBERED, RANKS, SCOPE, SHORT, tag_of

# SEEN is read. HELD is kept, and read if the label of the link around it repeats it. UNREAD is not read, but
# takes room on the screen. HEAD takes none, but its `meta` and `link` count. GONE takes none and tells
# nothing.
SEEN: Final = 0
HELD: Final = 1
UNREAD: Final = 2
HEAD: Final = 3
GONE: Final = 4


class Scope(NamedTuple):
    """What holds in an element.

    Attributes:
        region: one of `REGIONS`.
        hidden: SEEN, HELD, UNREAD, HEAD or GONE.
        pre: whether white space is kept.
        of_blocks: whether each child is a block.
        labelled: whether a link with an `aria-label` is around.
        heading: the level of the heading around, 1 to 6; 0 if there is none.
        parts: of the page around, one number, as in `page_parts`.
    """

    region: str = "body"
    hidden: int = SEEN
    pre: bool = False
    of_blocks: bool = False
    labelled: bool = False
    heading: int = 0
    parts: int = 0


class Around(NamedTuple):
    """How to restore what held before, when an element ends that changed it.

    Attributes:
        act: of the element, as in `tags`.
        scope: what holds around it.
    """

    act: int
    scope: Scope


def inner_scope(scope: Scope, tag: str) -> tuple[Around, Scope]:
    """Returns what the end of an element that starts with a tag will mean, and what holds in it."""
    return (_known_inner if len(tag) <= SHORT else _inner)(scope, tag)


@lru_cache(MAX_REMEMBERED)
def _known_inner(scope: Scope, tag: str) -> tuple[Around, Scope]:
    return _inner(scope, tag)


def _inner(scope: Scope, tag: str) -> tuple[Around, Scope]:
    found = tag_of(tag)
    hidden = SEEN
    if found.hidden:
        hidden = HEAD if found.name == "head" else GONE if found.gone else UNREAD
        if found.unspoken and scope.labelled:
            hidden = HELD
    parts = inner_parts(scope.parts, 0 if scope.heading and found.button else found.part)
    if found.part & MAIN:  # what is left open before it, or wraps all of a page, says nothing of it
        region = found.region
    else:
        region = found.region if RANKS[found.region] > RANKS[scope.region] else scope.region
    is_pre = scope.pre or found.name in ("pre", "listing")
    heading = int(found.name[1]) if found.name in HEADINGS else 0 if found.part & APART else scope.heading
    inner = Scope(
        region,
        max(scope.hidden, hidden),
        is_pre,
        found.of_blocks,
        scope.labelled,
        heading,
        parts,
    )
    return Around(BLOCK if found.block else SCOPE, scope), inner
