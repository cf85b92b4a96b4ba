"""The addresses of pages: which page a link means.

An address is what links name: on a wiki the title of a page, on the web its canonical URL.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import pyarrow as pa

_Age: TypeAlias = tuple[bool, str, int, int, int]

ADDRESSES = pa.schema(
    [
        ("key", pa.string()),  # all addresses that a link could mean have the same
        ("address", pa.string()),
        ("page_id", pa.string()),
        ("range", pa.int32()),
        ("ordinal", pa.int32()),
        ("timestamp", pa.string()),
        ("order", pa.int64()),  # within a timestamp: the id of a revision, or nanoseconds of a capture
        ("target_key", pa.string()),  # of a redirect or an alias; null for any other page
        ("target_address", pa.string()),
        ("fragment", pa.string()),
        ("suffix", pa.string()),  # of the page's id, where that is used more than once
        ("blank", pa.bool_()),  # no link finds it
        ("alias", pa.bool_()),  # a page that stands for itself where its target is not in the input
        ("named", pa.bool_()),  # a page of another address, which says that this is its proper one
        ("weak", pa.bool_()),  # a redirect that counts only where nothing else has its address
        ("repeats", pa.bool_()),  # a redirect to the page whose content stood at its own address
        ("renews", pa.string()),  # timestamp of the page of this address that it says to be still there
        ("digest", pa.int64()),  # of the content of a capture, or of that which it renews or repeats
    ]
)


class AddressRow(NamedTuple):
    """A page or a redirect, as in `ADDRESSES`; or a blank page, which only supersedes and is superseded.

    A row that `renews` is never a page: it makes another row as recent as itself.
    """

    key: str
    address: str
    page_id: str
    range: int
    ordinal: int
    timestamp: str | None
    order: int | None
    target_key: str | None
    target_address: str | None
    fragment: str | None
    suffix: str = ""
    blank: bool = False
    alias: bool = False
    named: bool = False
    weak: bool = False
    repeats: bool = False
    renews: str | None = None
    digest: int | None = None

    @property
    def is_redirect(self) -> bool:
        """Whether nothing but another address stands here."""
        return self.target_key is not None and not self.alias


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


class Place(NamedTuple):
    """Where a link or redirect leads: a page of the input."""

    page_id: str
    range: int
    ordinal: int


class Hop(NamedTuple):
    """What an address means: a page, the address that a redirect points to, or both for an alias.

    Attributes:
        found: the address of the page itself.
        place: of a page; None for a redirect.
        key: that a redirect or alias points to; None if it is neither.
        address: that it points to.
        fragment: that it points to.
    """

    found: str
    place: Place | None
    key: str | None = None
    address: str = ""
    fragment: str | None = None


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
    renewed = _renewed_ages(group)
    ages = {row: max(_age(row), renewed.get(row, _age(row))) for row in group if row.renews is None}
    latest: dict[tuple[str, bool], AddressRow] = {}
    older: list[AddressRow] = []
    for row in ages:
        other = latest.setdefault((row.address, row.repeats), row)
        if other is not row:
            older.append(min(other, row, key=ages.__getitem__))
            latest[row.address, row.repeats] = max(other, row, key=ages.__getitem__)
    for address in [address for address, repeats in latest if repeats and (address, False) in latest]:
        repeat, other = latest[address, True], latest[address, False]
        if ages[repeat] < ages[other]:
            older.append(repeat)
        elif other.is_redirect:
            older.append(latest.pop((address, False)))
    pages = sorted(
        (row for row in latest.values() if not row.is_redirect and not row.blank),
        key=lambda row: (row.range, row.ordinal),
    )
    found = [Duplicate(row.range, row.ordinal, "") for row in older]
    found += [Duplicate(row.range, row.ordinal, f"~{n}") for n, row in enumerate(pages[1:], 2)]
    return found


def _renewed_ages(group: Sequence[AddressRow]) -> dict[AddressRow, _Age]:
    """Returns how new the contents are that others of the group renew: pages, and repeats of others.

    That is the one with the timestamp that is named, a redirect too, and of several that with the digest that
    is named; where there is none such, the last one before with that digest, or else the last one before.
    """
    renewals = [row for row in group if row.renews is not None]
    named: dict[tuple[str, str], list[AddressRow]] = {}
    contents: dict[tuple[str, int | None], list[AddressRow]] = {}  # by digest, and all of them under None
    for row in sorted(group, key=_age) if renewals else ():
        if row.renews is None:
            named.setdefault((row.address, _timestamp(row)), []).append(row)
        if row.renews is None and (row.repeats or not row.is_redirect):
            for digest in {row.digest, None}:
                contents.setdefault((row.address, digest), []).append(row)
    ages: dict[AddressRow, _Age] = {}
    for renewal in sorted(renewals, key=_age):
        address, digest, time = renewal.address, renewal.digest, _timestamp(renewal)
        captures = named.get((address, renewal.renews), []) if renewal.renews else []
        alike = [row for row in captures if row.digest == digest] if digest is not None else []
        before = (_last_until(contents.get((address, key), []), time) for key in (digest, None))
        found = (alike or captures)[-1] if captures else next(filter(None, before), None)
        if found is not None:
            ages[found] = _age(renewal)
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


class AddressTable:
    """The addresses of one bucket, of which each has one redirect at most (see `without_replaced_redirects`).

    Where addresses differ but have the same key, as titles that differ in the case of their first letter, the
    exact one wins, and a page wins over a redirect; of several alike the first in input order. Pages that
    only name the address count where nothing else stands there.
    """

    def __init__(self, rows: Iterable[AddressRow]) -> None:
        self._rows: dict[str, list[AddressRow]] = {}
        for row in sorted(rows, key=lambda row: (row.range, row.ordinal)):
            self._rows.setdefault(row.key, []).append(row)

    def find(self, key: str, address: str, named: bool = True) -> Hop | None:
        """Returns what an address means, None if nothing; with `named`, pages count that only name it."""
        rows = self._rows.get(key)
        if rows is None:
            return None
        row = _meant(rows, address)
        if row.named and not named:
            return None
        place = None if row.is_redirect else Place(row.page_id + row.suffix, row.range, row.ordinal)
        if row.target_key is None:
            return Hop(row.address, place)
        return Hop(row.address, place, row.target_key, row.target_address or "", row.fragment)

    def named(self) -> Iterator[AddressRow]:
        """Yields the addresses at which nothing stands, with the pages that name them and are found there."""
        for rows in self._rows.values():
            for row in rows:
                if row.named and row is _meant(rows, row.address):
                    yield row


def _meant(rows: Sequence[AddressRow], address: str) -> AddressRow:
    """Returns which of the rows of a key an address means."""
    if len(rows) == 1:
        return rows[0]
    return min(rows, key=lambda row: (row.named, row.is_redirect, row.address != address))
