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
        ("renews", pa.string()),  # timestamp of the page of this address that it says to be still there
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
    renews: str | None = None

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
    a weak one supersedes none. One that was renewed is as new as what renews it. Where the addresses differ,
    the id was used again: the first page keeps it, and the others get "~2", "~3" in input order.
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
    ages = _renewed_ages(group)
    latest: dict[str, AddressRow] = {}
    found = []
    for row in (row for row in group if row.renews is None):
        other = latest.get(row.address)
        if other is None:
            latest[row.address] = row
        else:
            older, newer = sorted((other, row), key=lambda row: max(_age(row), ages.get(row, _age(row))))
            latest[row.address] = newer
            found.append(Duplicate(older.range, older.ordinal, ""))
    pages = sorted(
        (row for row in latest.values() if not row.is_redirect and not row.blank),
        key=lambda row: (row.range, row.ordinal),
    )
    found += [Duplicate(row.range, row.ordinal, f"~{n}") for n, row in enumerate(pages[1:], 2)]
    return found


def _renewed_ages(group: Sequence[AddressRow]) -> dict[AddressRow, _Age]:
    """Returns how new the pages are that others of the group renew.

    That is the one with the timestamp that is named or, where there is none such, the last one before.
    """
    renewals = [row for row in group if row.renews is not None]
    pages: dict[str, list[AddressRow]] = {}
    for row in sorted(group, key=_age) if renewals else ():
        if row.renews is None and not row.is_redirect:
            pages.setdefault(row.address, []).append(row)
    ages: dict[AddressRow, _Age] = {}
    for renewal in sorted(renewals, key=_age):
        captures = pages.get(renewal.address, [])
        named, before = (
            bisect_right(captures, timestamp or "", key=_timestamp) - 1
            for timestamp in (renewal.renews, renewal.timestamp)
        )
        place = named if named >= 0 and _timestamp(captures[named]) == renewal.renews else before
        if place >= 0:
            ages[captures[place]] = _age(renewal)
    return ages


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
