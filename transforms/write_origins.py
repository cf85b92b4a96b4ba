"""Looks up the pages that pairs come from, and writes where these were read."""

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any, NamedTuple

import apache_beam as beam

from anchormine.schemas.arrow_rows import to_table
from anchormine.schemas.pair_origins import PAIR_ORIGINS, PairOrigin
from anchormine.schemas.pairs import Pair
from anchormine.transforms.blobs import pack_placed, unpack
from anchormine.transforms.options import transform_options
from anchormine.transforms.pair_buckets import PairBuckets, pair_order
from anchormine.transforms.parquet_shards import ShardWriter
from anchormine.transforms.table_slices import TableSlice, read_records

# Of a bucket of pages: ((task, group), (bucket, what it holds, rows)).
PageBlob = tuple[tuple[str, int], tuple[int, str, bytes]]


class LinkedPair(NamedTuple):
    """A pair, the link that made it, and the page that the link stands on.

    Attributes:
        pair_id: of the pair.
        anchor_id: the link.
        page_id: of the page.
        url: of the page, where it is known without the page.
    """

    pair_id: str
    anchor_id: str
    page_id: str
    url: str | None = None


class SourcePage(NamedTuple):
    """A page, and where it was read: the columns of `pages/` of these names."""

    page_id: str
    url: str
    timestamp: str | None
    warc_file: str | None
    warc_offset: int | None


@transform_options
class WriteOrigins(beam.PTransform):
    """Takes ((task, group), (bucket of pages, "linked", blob of `LinkedPair`)), and gives reports {"parts"}.

    Attributes:
        task: whose pairs they are.
        pages: slices of the table of pages.
        buckets: how the pages are divided.
        folder: for the files, until they are published.
    """

    task: str
    pages: tuple[TableSlice, ...]
    buckets: PairBuckets
    folder: str

    def expand(self, linked: beam.PCollection) -> beam.PCollection:
        pages = (
            linked.pipeline
            | "Slices" >> beam.Create(self.pages, reshuffle=False)
            | "Spread" >> beam.Reshuffle()
            | "Read sources" >> beam.FlatMap(_read, self)
        )
        return (
            (linked, pages)
            | "Pairs and sources" >> beam.Flatten()
            | "Group by source" >> beam.GroupByKey()
            | "Write" >> beam.ParDo(_write, self)
        )


def divide_linked(pairs: Iterable[Pair], buckets: PairBuckets) -> Iterator[PageBlob]:
    """Packs pairs by the page in their links' ids: the one that links (but see `link_sources`)."""
    rows = (
        LinkedPair(pair.pair_id, pair.anchor_id, page_of(pair.anchor_id))
        for pair in pairs
        if pair.anchor_id is not None
    )
    return divide_rows(rows, next((pair.task for pair in pairs), ""), buckets)


def divide_rows(rows: Iterable[LinkedPair], task: str, buckets: PairBuckets) -> Iterator[PageBlob]:
    """Packs pairs by the pages that link."""
    return pack_placed("linked", rows, lambda row: buckets.of_document(task, row.page_id))


def page_of(anchor_id: str) -> str:
    """The page in an anchor's id."""
    return anchor_id.rpartition("#")[0]


def _read(part: TableSlice, options: WriteOrigins) -> Iterator[PageBlob]:
    for rows in read_records(part, SourcePage):
        yield from pack_placed(
            "pages", rows, lambda row: options.buckets.of_document(options.task, row.page_id)
        )


def _write(
    group: tuple[tuple[str, int], Iterable[tuple[int, str, bytes]]], options: WriteOrigins
) -> Iterator[dict[str, Any]]:
    (task, number), values = group
    writer = ShardWriter(options.folder, f"provenance/{task}", PAIR_ORIGINS, number)
    buckets: dict[int, dict[str, list[bytes]]] = {}
    for bucket, kind, data in values:
        buckets.setdefault(bucket, {"linked": [], "pages": []})[kind].append(data)
    for bucket in sorted(buckets):
        writer.write(to_table(origins_of(**buckets.pop(bucket)), PAIR_ORIGINS))
    yield {"parts": [tuple(part) for part in writer.close()]}


def origins_of(linked: list[bytes], pages: list[bytes]) -> list[PairOrigin]:
    """The origins of a bucket's pairs, in the order of the pairs' hash."""
    sources = {page.page_id: page[1:] for data in pages for page in unpack(data, SourcePage)}
    rows = [
        (
            pair_order(pair.pair_id),
            PairOrigin(*pair[:3], *sources.get(pair.page_id, (pair.url, None, None, None))),
        )
        for data in linked
        for pair in unpack(data, LinkedPair)
    ]
    return [row for _, row in sorted(rows, key=itemgetter(0))]
