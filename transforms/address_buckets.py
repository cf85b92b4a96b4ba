"""Divides addresses into buckets, and writes a table of each to a file: one of them fits into memory."""

import uuid
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar
from zlib import crc32

import apache_beam as beam
import pyarrow as pa
import pyarrow.compute as pc

from anchormine.hypertext.address_table import ADDRESSES, AddressRow, AddressTable
from anchormine.hypertext.latest_rows import find_duplicates, with_repeats, without_replaced_redirects
from anchormine.hypertext.trails import End, Trail
from anchormine.schemas.arrow_rows import from_ipc, to_ipc, to_rows, to_table
from anchormine.transforms.files import create_file, open_file
from anchormine.transforms.options import transform_options

_TYPES = {"range": pa.int32(), "ordinal": pa.int32(), "cycle": pa.bool_(), "alias": pa.bool_()}
TRAILS, ENDS = (
    pa.schema([(name, _TYPES.get(name, pa.string())) for name in record._fields]) for record in (Trail, End)
)

Bucket = int
Row = TypeVar("Row")
Suffixes = dict[tuple[int, int], str]  # by range and ordinal, as in `Duplicate`


class AddressTables(NamedTuple):
    """What `WriteAddressTables` gives.

    Attributes:
        tables: (bucket, ("table", path)).
        trails: (bucket of the next address, ("trails", IPC bytes of `TRAILS`)) of all redirects and aliases.
        duplicates: (range, (ordinal, suffix)) of each page whose id is used again, as in `Duplicate`.
    """

    tables: beam.PCollection
    trails: beam.PCollection
    duplicates: beam.PCollection


def bucket_of(key: str, buckets: int) -> Bucket:
    """Returns the bucket that a key belongs to."""
    return crc32(key.encode()) % buckets if buckets > 1 else 0


def divide(rows: Iterable[Row], key: Callable[[Row], str], buckets: int) -> dict[Bucket, list[Row]]:
    """Divides rows among buckets, in order, by a key that each has; buckets without rows are left out."""
    if buckets == 1:
        every = list(rows)
        return {0: every} if every else {}
    divided: dict[Bucket, list[Row]] = {}
    for row in rows:
        divided.setdefault(bucket_of(key(row), buckets), []).append(row)
    return divided


@transform_options
class WriteAddressTables(beam.PTransform):
    """Takes addresses as (bucket, IPC bytes of `ADDRESSES`), and gives `AddressTables`.

    Attributes:
        buckets: among how many the addresses are divided.
        folder: for the tables.
    """

    buckets: int
    folder: str

    def expand(self, addresses: beam.PCollection) -> AddressTables:
        suffixes, duplicates = (
            addresses
            | "By id" >> beam.ParDo(_ById(self.buckets))
            | "Group ids" >> beam.GroupByKey()
            | "Duplicates" >> beam.ParDo(_FindDuplicates(self.buckets)).with_outputs("pages", main="suffixes")
        )
        tables, trails = (
            (
                addresses | "Named" >> beam.MapTuple(lambda bucket, data: (bucket, ("addresses", data))),
                suffixes,
            )
            | "With suffixes" >> beam.Flatten()
            | "Group addresses" >> beam.GroupByKey()
            | "Tables"
            >> beam.ParDo(_WriteTable(self.folder, self.buckets)).with_outputs("trails", main="tables")
        )
        return AddressTables(tables, trails, duplicates)


def open_table(path: str, keys: Iterable[str] | None = None) -> AddressTable:
    """Reads a table that was written: all of it, or what has one of some keys, which takes far less time."""
    with open_file(path) as stream:
        rows = from_ipc(stream.read())
    if keys is not None:
        rows = rows.filter(pc.is_in(rows["key"], value_set=pa.array(keys, pa.string())))
    return AddressTable(to_rows(rows, AddressRow))


class _ById(beam.DoFn):
    """Divides addresses by the id of their page."""

    def __init__(self, buckets: int) -> None:
        self._buckets = buckets

    def process(self, element: tuple[Bucket, bytes]) -> Iterator[tuple[Bucket, bytes]]:
        if self._buckets == 1:
            yield element
            return
        rows_of = divide(to_rows(from_ipc(element[1]), AddressRow), attrgetter("page_id"), self._buckets)
        for bucket, rows in rows_of.items():
            yield bucket, to_ipc(to_table(rows, ADDRESSES))


class _FindDuplicates(beam.DoFn):
    """Finds the pages of a bucket that share an id, and tells it to the buckets of their addresses."""

    def __init__(self, buckets: int) -> None:
        self._buckets = buckets

    def process(self, group: tuple[Bucket, Iterable[bytes]]) -> Iterator:
        rows = [row for data in group[1] for row in to_rows(from_ipc(data), AddressRow)]
        suffixes = {(item.range, item.ordinal): item.suffix for item in find_duplicates(rows)}
        divided: dict[Bucket, Suffixes] = {}
        for row in rows:  # a page may have two: its own address, and one that it names
            place = row.range, row.ordinal
            if place in suffixes:
                divided.setdefault(bucket_of(row.key, self._buckets), {})[place] = suffixes[place]
        for bucket, found in divided.items():
            yield bucket, ("suffixes", list(found.items()))
        for (part, ordinal), suffix in suffixes.items():
            yield beam.pvalue.TaggedOutput("pages", (part, (ordinal, suffix)))


class _WriteTable(beam.DoFn):
    """Writes the addresses of a bucket, and sends each redirect and alias on its way."""

    def __init__(self, folder: str, buckets: int) -> None:
        self._folder = folder
        self._buckets = buckets

    def process(self, group: tuple[Bucket, Iterable[tuple[str, Any]]]) -> Iterator:
        bucket, values = group[0], list(group[1])
        suffixes: Suffixes = {}
        for found in (value for kind, value in values if kind == "suffixes"):
            suffixes.update(found)
        rows = []
        for data in (value for kind, value in values if kind == "addresses"):
            for row in to_rows(from_ipc(data), AddressRow):
                suffix = suffixes.get((row.range, row.ordinal))
                if suffix != "" and not row.blank:  # "": superseded
                    rows.append(row._replace(suffix=suffix or ""))
        rows = with_repeats(without_replaced_redirects(rows))
        trails = [_trail_of(row) for row in rows if row.target_key is not None]
        path = f"{self._folder}/addresses-{bucket}-{uuid.uuid4().hex}.arrow"
        with create_file(path) as stream:
            stream.write(to_ipc(to_table(rows, ADDRESSES)))
        yield bucket, ("table", path)
        for target, some in divide(trails, attrgetter("next_key"), self._buckets).items():
            yield beam.pvalue.TaggedOutput("trails", (target, ("trails", to_ipc(to_table(some, TRAILS)))))


def _trail_of(row: AddressRow) -> Trail:
    target = row.target_key or "", row.target_address or ""
    return Trail(row.key, row.address, *target, row.fragment, row.alias)
