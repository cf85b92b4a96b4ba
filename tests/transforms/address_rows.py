"""Addresses that lead to one another, and where each ends, found step by step."""

from __future__ import annotations

import random
from collections.abc import Collection

from anchormine.hypertext.address_table import AddressRow, AddressTable, Hop, Place
from anchormine.hypertext.trails import End, Question, Trail


def row(
    number: int,
    address: str,
    target: str | None = None,
    *,
    alias: bool = False,
    named: bool = False,
    to_place: bool = False,
) -> AddressRow:
    fragment = f"f{number}" if target is not None and to_place else None
    one = AddressRow(address.lower(), address, f"w:{number}", 0, number, None, None, None, None, fragment)
    if target is not None:
        one = one._replace(target_key=target.lower(), target_address=target)
    return one._replace(alias=alias, named=named)


def trails_of(rows: list[AddressRow]) -> list[Trail]:
    return [
        Trail(row.key, row.address, row.target_key, row.target_address or "", row.fragment, row.alias)
        for row in rows
        if row.target_key is not None
    ]


def random_rows(seed: int) -> list[AddressRow]:
    """A few pages of every kind, which lead to one another; no two lead on from one address.

    Half of what leads to another leads to a place in it.
    """
    draw, draw_place = random.Random(seed), random.Random(f"places of {seed}")
    rows: dict[tuple[str, bool], AddressRow] = {}
    for number in range(draw.randint(1, 9)):
        address, target = (draw.choice("abcdefABC") for _ in range(2))
        kind = draw.choice(["page", "redirect", "redirect", "alias", "named"])
        leads = kind in ("redirect", "alias")
        one = row(
            number,
            address,
            target if leads else None,
            alias=kind == "alias",
            named=kind == "named",
            to_place=draw_place.random() < 0.5,
        )
        rows.setdefault((address, leads), one)
    return list(rows.values())


def walked(trail: Trail, table: AddressTable) -> End:
    """Where a trail ends, found step by step; the fragment is the first on the way to the page there."""
    key, address, fragment = trail.next_key, trail.next_address, trail.fragment
    passed = {(trail.key, trail.address)}
    pages: list[tuple[Place, str | None]] = []
    while (hop := table.find(key, address, not (trail.alias or pages))) is not None and hop.key is not None:
        if (key, hop.found) in passed:
            first, before = pages[0] if pages and not trail.alias else (None, None)
            return ended(trail, first, before, cycle=True)
        passed.add((key, hop.found))
        if hop.place is not None:
            pages.append((hop.place, fragment))
        key, address, fragment = hop.key, hop.address, fragment or hop.fragment
    if hop is not None:
        return ended(trail, hop.place, fragment)
    last, before = pages[-1] if pages else (None, None)
    return ended(trail, last, before)


def ended(trail: Trail, place: Place | None, fragment: str | None, cycle: bool = False) -> End:
    page, chunk, ordinal = place or (None, -1, -1)
    return End(trail.key, trail.address, fragment, page, chunk, ordinal, cycle, trail.alias)


def pages_and_redirects(pieces: int, beside: bool, last: str) -> list[AddressRow]:
    """Pages that each name the next, and redirects: beside them to the first, or between one and the next."""
    rows: list[AddressRow] = []
    for number in range(pieces):
        page, redirect, further = f"a{number}", f"r{number}", f"a{number + 1}"
        rows.append(row(2 * number, page, further if beside else redirect, alias=True, to_place=number == 1))
        rows.append(row(2 * number + 1, redirect, "a0" if beside else further, to_place=True))
    end = f"a{pieces}"
    rows += {"page": [row(2 * pieces, end)], "gone": [], "circle": [row(2 * pieces, end, "a0", alias=True)]}[
        last
    ]
    return rows


def asking(table: AddressTable):
    def answer(questions: Collection[Question]) -> dict[Question, Hop | None]:
        return {question: table.find(*question) for question in questions}

    return answer
