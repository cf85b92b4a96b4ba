"""The addresses of pages: which page a link means.

An address is what links name: on a wiki the title of a page, on the web its canonical URL.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import pyarrow as pa

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


class AddressTable:
    """The addresses of one bucket, of which each has one redirect at most (see `without_replaced_redirects`).

    Where addresses differ but have the same key, as titles that differ in the case of their first letter, the
    exact one wins, and a page wins over a redirect; of several alike the first in input order. Pages that
    only name the address count where nothing else stands there.
    """

    def __init__(self, rows: Iterable[AddressRow]) -> None:
        # Of those that nothing tells apart only the first is meant: all pages of a site may name one address.
        first: dict[str, dict[tuple[bool, bool, str], AddressRow]] = {}
        for row in sorted(rows, key=lambda row: (row.range, row.ordinal)):
            first.setdefault(row.key, {}).setdefault((row.named, row.is_redirect, row.address), row)
        self._rows = {key: list(alike.values()) for key, alike in first.items()}

    def find(self, key: str, address: str, named: bool = True) -> Hop | None:
        """Returns what an address means, None if nothing; with `named`, pages count that only name it."""
        rows = self._rows.get(key)
        if rows is None:
            return None
        row = _meant(rows, address)
        if row.named and not named:
            rows = [other for other in rows if not other.named]
            if not rows:
                return None
            row = _meant(rows, address)
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
    """Returns which of the rows of a key an address means: a weak redirect if there is no other."""
    if len(rows) == 1:
        return rows[0]
    return min(rows, key=lambda row: (row.weak, row.named, row.is_redirect, row.address != address))
