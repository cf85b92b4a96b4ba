"""Looks up what links point to, redirects followed, with one bucket of addresses in memory at a time.

Only addresses go through the shuffles: the sentences stay on disk until their links' destinations come back.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

import apache_beam as beam
import pyarrow as pa

from anchormine.hypertext.address_table import AddressTable, Hop
from anchormine.hypertext.trails import End, Question, Trail, follow, step
from anchormine.schemas.arrow_rows import from_ipc, to_ipc, to_rows, to_table
from anchormine.transforms.address_buckets import (
    ENDS,
    TRAILS,
    Bucket,
    WriteAddressTables,
    divide,
    open_table,
)
from anchormine.transforms.options import transform_options

# What a chunk asks for: the address, null if it is its own key, and its row in the chunk's table of targets
TARGETS = pa.schema([("key", pa.string()), ("address", pa.string()), ("row", pa.int32())])
# What it is told: the row, and the page
DESTINATIONS = pa.schema([("row", pa.int32()), ("page_id", pa.string()), ("fragment", pa.string())])
# Steps in which redirects are followed bucket by bucket: nearly all have ended then, those between http and
# https too. The rest is one group.
_ROUNDS = 3
_LONG = 0

Shuffled = tuple[int, tuple]
_KEY = attrgetter("key")


class Resolved(NamedTuple):
    """What `ResolveLinks` gives.

    Attributes:
        destinations: ((range, sequence) of a chunk, IPC bytes of `DESTINATIONS`).
        redirects: (range, (ordinal, address)) for each address that redirects to a page, or that a page
            names as its own and nothing stands at.
        duplicates: as in `AddressTables`.
        counts: dictionaries of counts.
    """

    destinations: beam.PCollection
    redirects: beam.PCollection
    duplicates: beam.PCollection
    counts: beam.PCollection


@transform_options
class ResolveLinks(beam.PTransform):
    """Looks up the targets of all chunks.

    Takes a pair of collections: addresses as (bucket, IPC bytes of `ADDRESSES`), and targets as (bucket,
    ("targets", range, sequence, IPC bytes of `TARGETS`)). Returns `Resolved`.

    Attributes:
        buckets: among how many the addresses are divided.
        folder: for the tables of addresses.
    """

    buckets: int
    folder: str

    def expand(self, inputs: tuple[beam.PCollection, beam.PCollection]) -> Resolved:
        addresses, targets = inputs
        tables, trails, duplicates = addresses | "Write tables" >> WriteAddressTables(
            self.buckets, self.folder
        )
        found = (
            (tables, *self._ends(tables, trails), targets)
            | "Ask targets" >> beam.Flatten()
            | "Group targets" >> beam.GroupByKey()
            | "Targets" >> beam.ParDo(_LookUp()).with_outputs("redirects", "counts", main="destinations")
        )
        return Resolved(found["destinations"], found["redirects"], duplicates, found["counts"])

    def _ends(self, tables: beam.PCollection, trails: beam.PCollection) -> list[beam.PCollection]:
        """Follows redirects and aliases to their ends."""
        ends: list[beam.PCollection] = []
        long: list[beam.PCollection] = []
        for number in range(1, _ROUNDS + 1):
            hops = (
                (tables, trails)
                | f"Ask redirects {number}" >> beam.Flatten()
                | f"Group redirects {number}" >> beam.GroupByKey()
                | f"Redirects {number}"
                >> beam.ParDo(_Hop(self.buckets)).with_outputs("further", "long", main="ends")
            )
            ends.append(hops["ends"])
            long.append(hops["long"])
            trails = hops["further"]
        long.append(trails | "Go on" >> beam.MapTuple(lambda _, value: (_LONG, value[1])))
        others = (
            long
            | "Long ways" >> beam.Flatten()
            | "Group long ways" >> beam.GroupByKey()
            | "Follow" >> beam.ParDo(_FollowAll(self.buckets), beam.pvalue.AsDict(tables_as_paths(tables)))
        )
        return [*ends, others]


def tables_as_paths(tables: beam.PCollection) -> beam.PCollection:
    return tables | "Paths" >> beam.MapTuple(lambda bucket, value: (bucket, value[1]))


class _Hop(beam.DoFn):
    """Follows every redirect that stands in a bucket by one step."""

    def __init__(self, buckets: int) -> None:
        self._buckets = buckets

    def process(self, group: tuple[Bucket, Iterable[tuple[str, Any]]]) -> Iterator:
        values = list(group[1])
        asked = [data for kind, data in values if kind == "trails"]
        path = next((data for kind, data in values if kind == "table"), None)
        if not asked:
            return
        table = open_table(path) if path else AddressTable(())
        ends: list[End] = []
        further: list[Trail] = []
        long: list[Trail] = []
        for trail in (trail for data in asked for trail in to_rows(from_ipc(data), Trail)):
            found = step(trail, table.find(*trail.question))
            if isinstance(found, End):
                ends.append(found)
            elif found is not None:
                further.append(found)
            else:
                long.append(trail)
        yield from _keyed_ends(ends, self._buckets)
        for bucket, trails in divide(further, attrgetter("next_key"), self._buckets).items():
            yield beam.pvalue.TaggedOutput("further", (bucket, ("trails", to_ipc(to_table(trails, TRAILS)))))
        if long:
            yield beam.pvalue.TaggedOutput("long", (_LONG, to_ipc(to_table(long, TRAILS))))


def _keyed_ends(ends: Iterable[End], buckets: int) -> Iterator[Shuffled]:
    for bucket, rows in divide(ends, _KEY, buckets).items():
        yield bucket, ("ends", to_ipc(to_table(rows, ENDS)))


class _FollowAll(beam.DoFn):
    """Follows what leads on and on: few redirects, so one worker asks all tables in turn."""

    def __init__(self, buckets: int) -> None:
        self._buckets = buckets

    def process(self, group: tuple[int, Iterable[bytes]], paths: dict[Bucket, str]) -> Iterator[Shuffled]:
        trails = sorted(trail for data in group[1] for trail in to_rows(from_ipc(data), Trail))
        yield from _keyed_ends(follow(trails, partial(self._ask, paths)), self._buckets)

    def _ask(self, paths: dict[Bucket, str], questions: Iterable[Question]) -> dict[Question, Hop | None]:
        """Opens each table once, however many questions there are, and takes no other rows out of it.

        A way may have thousands of steps, as where a site redirects a crawler from page to page.
        """
        answers: dict[Question, Hop | None] = {}
        for bucket, asked in divide(questions, _KEY, self._buckets).items():
            keys = {question.key for question in asked}
            table = open_table(paths[bucket], keys) if bucket in paths else AddressTable(())
            answers.update((question, table.find(*question)) for question in asked)
        return answers


class _LookUp(beam.DoFn):
    """Answers the chunks that ask for addresses of a bucket."""

    def process(self, group: tuple[Bucket, Iterable[tuple]]) -> Iterator:
        values = list(group[1])
        path = next((value[1] for value in values if value[0] == "table"), None)
        table = open_table(path) if path else AddressTable(())
        ends: dict[tuple[str, str], End] = {}
        for end in (
            end for value in values if value[0] == "ends" for end in to_rows(from_ipc(value[1]), End)
        ):
            ends[end.key, end.address] = end
        found = [(end.range, (end.ordinal, end.address)) for end in ends.values() if end.page_id is not None]
        found += [(row.range, (row.ordinal, row.address)) for row in table.named()]
        for redirect in dict.fromkeys(found):  # what redirects to itself ends at a page that names it, too
            yield beam.pvalue.TaggedOutput("redirects", redirect)
        yield beam.pvalue.TaggedOutput("counts", _count_redirects(ends.values()))
        for _, part, sequence, data in (value for value in values if value[0] == "targets"):
            yield (part, sequence), _answer(from_ipc(data), table, ends)


def _count_redirects(ends: Iterable[End]) -> dict[str, int]:
    counts = {"redirects.resolved": 0, "redirects.broken": 0, "redirects.cycle": 0}
    for end in ends:
        name = "cycle" if end.cycle else "resolved" if end.page_id else "broken"
        kind = "aliases" if end.alias else "redirects"
        counts[f"{kind}.{name}"] = counts.get(f"{kind}.{name}", 0) + 1
    return counts


def _answer(targets: pa.Table, table: AddressTable, ends: dict[tuple[str, str], End]) -> bytes:
    rows: list[tuple[int, str, str | None]] = []
    for key, address, row in zip(*(column.to_pylist() for column in targets.columns), strict=True):
        hop = table.find(key, address or key)
        if hop is None:
            continue
        end = ends.get((key, hop.found)) if hop.key is not None else None
        if end is not None and end.page_id is not None:
            rows.append((row, end.page_id, end.fragment))
        elif hop.place is not None:
            rows.append((row, hop.place.page_id, None))
    return to_ipc(to_table(rows, DESTINATIONS))
