"""Redirects and aliases, followed from address to address to the page where they end."""

from collections.abc import Callable
from typing import NamedTuple

from anchormine.hypertext.address_table import Hop, Place


class Trail(NamedTuple):
    """A redirect or alias that is followed.

    Attributes:
        key: of its own address.
        address: its own.
        next_key: where it stands.
        next_address: where it stands.
        fragment: the first on its way.
        alias: whether it is a page too.
    """

    key: str
    address: str
    next_key: str
    next_address: str
    fragment: str | None
    alias: bool = False


class End(NamedTuple):
    """Where a redirect or alias ends.

    Attributes:
        key: of its own address.
        address: its own.
        fragment: the first on its way.
        page_id: of the page, None where it leads nowhere.
        range: of the page.
        ordinal: of the page.
        cycle: whether it leads back to itself.
        alias: whether it is a page too.
    """

    key: str
    address: str
    fragment: str | None
    page_id: str | None
    range: int
    ordinal: int
    cycle: bool
    alias: bool


def follow(trail: Trail, find: Callable[[str, str, bool], Hop | None]) -> End:
    """Follows a redirect to its end, however many redirects and aliases are in between.

    Args:
        trail: stands at an address.
        find: as `AddressTable.find`. Behind a page, pages that name the same address do not count: many name
            one that is wrong for all of them.
    """
    seen = {(trail.key, trail.address)}
    # Pages on the way: the last counts where the way ends, the first where it turns.
    aliases: list[Place] = []
    while True:
        hop = find(trail.next_key, trail.next_address, not (trail.alias or aliases))
        if hop is None or hop.key is None:
            place = hop.place if hop else None
            return end_of(trail, place or (aliases[-1] if aliases else None))
        if (trail.next_key, hop.found) in seen:
            return end_of(trail, aliases[0] if aliases and not trail.alias else None, cycle=True)
        seen.add((trail.next_key, hop.found))
        if hop.place is not None:
            aliases.append(hop.place)
        trail = hopped(trail, hop)


def hopped(trail: Trail, hop: Hop) -> Trail:
    """Returns the trail one redirect or alias further."""
    fragment = trail.fragment if trail.fragment is not None else hop.fragment
    return trail._replace(next_key=hop.key or "", next_address=hop.address, fragment=fragment)


def end_of(trail: Trail, place: Place | None, cycle: bool = False) -> End:
    """Returns the trail as ended at a page, or nowhere."""
    page_id, range_number, ordinal = place or (None, -1, -1)
    return End(trail.key, trail.address, trail.fragment, page_id, range_number, ordinal, cycle, trail.alias)
