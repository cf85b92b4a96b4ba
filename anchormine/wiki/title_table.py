"""The titles of a dump: which page a link means, and where a redirect leads."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import pyarrow as pa

TITLES = pa.schema(
    [
        ("key", pa.string()),  # wiki and folded title: all titles that a link could mean have the same
        ("title", pa.string()),
        ("wiki", pa.string()),
        ("number", pa.int64()),
        ("range", pa.int32()),
        ("ordinal", pa.int32()),
        ("timestamp", pa.string()),
        ("revision", pa.int64()),
        ("target_key", pa.string()),  # of a redirect; null for an article
        ("target_title", pa.string()),
        ("fragment", pa.string()),
        ("suffix", pa.string()),  # of the page's id, where the number is used more than once
        ("blank", pa.bool_()),  # no link finds it
    ]
)


class TitleRow(NamedTuple):
    """One article or redirect, as in `TITLES`; or a blank page, which only supersedes and is superseded."""

    key: str
    title: str
    wiki: str
    number: int
    range: int
    ordinal: int
    timestamp: str | None
    revision: int | None
    target_key: str | None
    target_title: str | None
    fragment: str | None
    suffix: str = ""
    blank: bool = False


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
    """Where a link or redirect leads: an article of the input."""

    page_id: str
    range: int
    ordinal: int


class Hop(NamedTuple):
    """What a title means: an article, or the title that a redirect points to.

    Attributes:
        found: the title of the page itself.
        place: of an article; None for a redirect.
        key: that a redirect points to.
        title: that it points to.
        fragment: that it points to.
    """

    found: str
    place: Place | None
    key: str = ""
    title: str = ""
    fragment: str | None = None


def find_duplicates(rows: Iterable[TitleRow]) -> list[Duplicate]:
    """Finds the pages that share an id, and says which counts.

    A page supersedes an earlier one where id and title agree, also a page that is blank or cannot be read.
    Where the titles differ, the id was used again: the first article keeps it, and the others get "~2", "~3"
    in input order.
    """
    groups: dict[tuple[str, int], list[TitleRow]] = {}
    for row in rows:
        groups.setdefault((row.wiki, row.number), []).append(row)
    found: list[Duplicate] = []
    for group in groups.values():
        if len(group) > 1:
            found += _duplicates_of(sorted(group, key=lambda row: (row.range, row.ordinal)))
    return found


def _duplicates_of(group: list[TitleRow]) -> list[Duplicate]:
    latest: dict[str, TitleRow] = {}
    found = []
    for row in group:
        other = latest.get(row.title)
        if other is None:
            latest[row.title] = row
        else:
            older, newer = sorted((other, row), key=_age)
            latest[row.title] = newer
            found.append(Duplicate(older.range, older.ordinal, ""))
    articles = sorted(filter(_is_article, latest.values()), key=lambda row: row[4:6])
    found += [Duplicate(row.range, row.ordinal, f"~{n}") for n, row in enumerate(articles[1:], 2)]
    return found


def _is_article(row: TitleRow) -> bool:
    return row.target_key is None and not row.blank


def _age(row: TitleRow) -> tuple[str, int, int, int]:
    return row.timestamp or "", row.revision or 0, row.range, row.ordinal


class TitleTable:
    """The titles of one bucket.

    Where titles differ in the case of their first letter, the exact one wins, and an article wins over a
    redirect; of several alike the first in input order.
    """

    def __init__(self, rows: Iterable[TitleRow]) -> None:
        self._rows: dict[str, list[TitleRow]] = {}
        for row in sorted(rows, key=lambda row: (row.range, row.ordinal)):
            self._rows.setdefault(row.key, []).append(row)

    def find(self, key: str, title: str) -> Hop | None:
        """Returns what a title means, None if nothing."""
        rows = self._rows.get(key)
        if rows is None:
            return None
        row = (
            min(rows, key=lambda row: (row.target_key is not None, row.title != title))
            if len(rows) > 1
            else rows[0]
        )
        if row.target_key is not None:
            return Hop(row.title, None, row.target_key, row.target_title or "", row.fragment)
        return Hop(row.title, Place(f"{row.wiki}:{row.number}{row.suffix}", row.range, row.ordinal))


class Trail(NamedTuple):
    """A redirect that is followed.

    Attributes:
        key: of the redirect's own title.
        title: its own.
        next_key: where it stands.
        next_title: where it stands.
        fragment: the first on its way.
    """

    key: str
    title: str
    next_key: str
    next_title: str
    fragment: str | None


class End(NamedTuple):
    """Where a redirect ends.

    Attributes:
        key: of the redirect's own title.
        title: its own.
        fragment: the first on its way.
        page_id: of the article, None where it leads nowhere.
        range: of the article.
        ordinal: of the article.
        cycle: whether it leads back to itself.
    """

    key: str
    title: str
    fragment: str | None
    page_id: str | None
    range: int
    ordinal: int
    cycle: bool


def follow(trail: Trail, find: Callable[[str, str], Hop | None]) -> End:
    """Follows a redirect to its end, however many redirects are in between.

    Args:
        trail: stands at a title.
        find: returns what a title means.
    """
    seen = {(trail.key, trail.title)}
    while True:
        hop = find(trail.next_key, trail.next_title)
        if hop is None or hop.place is not None:
            return end_of(trail, hop.place if hop else None)
        if (trail.next_key, hop.found) in seen:
            return end_of(trail, None, cycle=True)
        seen.add((trail.next_key, hop.found))
        trail = hopped(trail, hop)


def hopped(trail: Trail, hop: Hop) -> Trail:
    """Returns the trail one redirect further."""
    fragment = trail.fragment if trail.fragment is not None else hop.fragment
    return trail._replace(next_key=hop.key, next_title=hop.title, fragment=fragment)


def end_of(trail: Trail, place: Place | None, cycle: bool = False) -> End:
    """Returns the trail as ended at an article, or nowhere."""
    page_id, range_number, ordinal = place or (None, -1, -1)
    return End(trail.key, trail.title, trail.fragment, page_id, range_number, ordinal, cycle)
