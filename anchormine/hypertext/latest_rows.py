"""Which of several pages, redirects and revisits of one address counts: the latest, as far as is known."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from anchormine.hypertext.address_table import AddressRow

_Age: TypeAlias = tuple[bool, str, int, int, int]


class Duplicate(NamedTuple):
    """What becomes of a page whose id is used more than once.

    Attributes:
        range: number of its range.
        ordinal: its place in there.
        suffix: for its id, such as "~2"; "" if a later revision supersedes it.
    """

    range: int
    ordinal: int
    suffix: str


def find_duplicates(rows: Iterable[AddressRow]) -> list[Duplicate]:
    """Finds the pages that share an id, and says which counts.

    A page supersedes an earlier one where id and address agree, also a page that is blank or cannot be read;
    a weak one supersedes none. One that was renewed is as new as what renews it. A later one that repeats
    another address leaves the page, which links find where that other address is not in the input (see
    `with_repeats`). Where the addresses differ, the id was used again: the first page keeps it, and the
    others get "~2", "~3" in input order.
    """
    groups: dict[str, list[AddressRow]] = {}
    for row in (row for row in rows if not row.named):
        groups.setdefault(row.page_id, []).append(row)
    found: list[Duplicate] = []
    for group in groups.values():
        if len(group) > 1:
            found += _duplicates_of(sorted(group, key=lambda row: (row.range, row.ordinal)))
    return found


def _duplicates_of(group: list[AddressRow]) -> list[Duplicate]:
    counting = _counting_rows(group)
    older = {row for row in group if row.renews is None}.difference(counting)
    pages = [row for row in group if row in counting and not row.is_redirect and not row.blank]
    found = [Duplicate(row.range, row.ordinal, "") for row in group if row in older]
    return found + [Duplicate(row.range, row.ordinal, f"~{n}") for n, row in enumerate(pages[1:], 2)]


def _counting_rows(group: Sequence[AddressRow]) -> set[AddressRow]:
    """Returns the latest row of each address, and the latest page where that row repeats another address."""
    renewed = _renewed_ages(group)
    ages = {row: max(_age(row), renewed.get(row, _age(row))) for row in group if row.renews is None}
    latest = {(row.address, row.repeats): row for row in sorted(ages, key=ages.__getitem__)}
    others = {row: latest.get((row.address, not row.repeats), row) for row in latest.values()}
    return {row for row, other in others.items() if not row.is_redirect or ages[row] >= ages[other]}


def _renewed_ages(group: Sequence[AddressRow]) -> dict[AddressRow, _Age]:
    """Returns how new the contents are that others of the group renew: pages, and repeats of others.

    That is the one with the timestamp that is named, a redirect too unless it is weak, and of several that
    with the digest that is named; where there is none such, the last one before with that digest, or else
    what stood there last, as an earlier renewal may have told.
    """
    renewals = [row for row in group if row.renews is not None]
    named: dict[tuple[str, str], list[AddressRow]] = {}
    contents: dict[tuple[str, int | None], list[AddressRow]] = {}  # by digest, and all of them under None
    for row in sorted(group, key=_age) if renewals else ():
        if row.renews is None and not row.weak:
            named.setdefault((row.address, _timestamp(row)), []).append(row)
        if row.renews is None and (row.repeats or not row.is_redirect):
            for digest in {row.digest, None}:
                contents.setdefault((row.address, digest), []).append(row)
    ages: dict[AddressRow, _Age] = {}
    standing: dict[str, AddressRow] = {}  # the content of each address that was renewed last
    for renewal in sorted(renewals, key=_age):
        address, digest, time = renewal.address, renewal.digest, _timestamp(renewal)
        captures = named.get((address, renewal.renews), []) if renewal.renews else []
        alike = [row for row in captures if row.digest == digest] if digest is not None else []
        found = (alike or captures)[-1] if captures else None
        if found is None and digest is not None:
            found = _last_until(contents.get((address, digest), []), time)
        if found is None:
            last, stood = _last_until(contents.get((address, None), []), time), standing.get(address)
            found = stood if stood and (last is None or ages[stood] > _age(last)) else last
        if found is not None:
            ages[found] = _age(renewal)
            if found.repeats or not found.is_redirect:
                standing[address] = found
    return ages


def _last_until(rows: Sequence[AddressRow], timestamp: str) -> AddressRow | None:
    """The last of some rows, in the order of their age, that is no newer than a timestamp."""
    place = bisect_right(rows, timestamp, key=_timestamp)
    return rows[place - 1] if place else None


def _timestamp(row: AddressRow) -> str:
    return row.timestamp or ""


def _age(row: AddressRow) -> _Age:
    return not row.weak, _timestamp(row), row.order or 0, row.range, row.ordinal


def without_replaced_redirects(rows: Iterable[AddressRow]) -> list[AddressRow]:
    """Leaves out redirects that a later one of the same address replaces, in input order.

    Dumps hold several of one title, each with an id of its own, where it was deleted and made again.
    """
    latest: dict[tuple[str, str], AddressRow] = {}
    others: list[AddressRow] = []
    for row in rows:
        if row.is_redirect:
            place = row.key, row.address
            latest[place] = max(latest.get(place, row), row, key=_age)
        else:
            others.append(row)
    return sorted([*others, *latest.values()], key=lambda row: (row.range, row.ordinal))


def with_repeats(rows: Iterable[AddressRow]) -> list[AddressRow]:
    """Makes aliases of pages at whose address the content of another was seen later, in input order.

    Links lead to that other then, and to the page itself where the other is not in the input.
    """
    repeats: dict[str, AddressRow] = {}
    others: list[AddressRow] = []
    for row in rows:
        if row.repeats:
            repeats[row.address] = row
        else:
            others.append(row)
    for place, row in enumerate(others):
        repeat = None if row.named or row.is_redirect else repeats.pop(row.address, None)
        if repeat is not None:
            key, address = repeat.target_key, repeat.target_address
            others[place] = row._replace(target_key=key, target_address=address, fragment=None, alias=True)
    return sorted([*others, *repeats.values()], key=lambda row: (row.range, row.ordinal))
