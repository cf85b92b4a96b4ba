"""Looks up which pages the links of ClueWeb22 stand on.

Most are not in the input, and the id of an in-link says where it leads: only its row of `anchors/` says more.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import apache_beam as beam

from anchormine.transforms.blobs import pack_placed, unpack
from anchormine.transforms.options import transform_options
from anchormine.transforms.pair_buckets import PairBuckets
from anchormine.transforms.table_slices import TableSlice, read_records
from anchormine.transforms.write_origins import LinkedPair, PageBlob, divide_rows, page_of


class LinkSource(NamedTuple):
    """A link, and the page that it stands on: the columns of `anchors/` of these names."""

    anchor_id: str
    source_page_id: str
    source_url: str | None


@transform_options
class FindLinkSources(beam.PTransform):
    """Takes and gives ((task, group), (bucket of pages, "linked", blob of `LinkedPair`)).

    What it takes is divided by the pages in the links' ids, what it gives by those that link.

    Attributes:
        task: whose pairs they are.
        links: slices of the table of anchors.
        buckets: how the pages are divided.
    """

    task: str
    links: tuple[TableSlice, ...]
    buckets: PairBuckets

    def expand(self, linked: beam.PCollection) -> beam.PCollection:
        sources = (
            linked.pipeline
            | "Slices" >> beam.Create(self.links, reshuffle=False)
            | "Spread" >> beam.Reshuffle()
            | "Read links" >> beam.FlatMap(_read, self)
        )
        return (
            (linked, sources)
            | "Pairs and links" >> beam.Flatten()
            | "Group by the page in the id" >> beam.GroupByKey()
            | "Find" >> beam.FlatMap(_find, self)
        )


def _read(part: TableSlice, options: FindLinkSources) -> Iterator[PageBlob]:
    for rows in read_records(part, LinkSource):
        yield from pack_placed(
            "sources", rows, lambda row: options.buckets.of_document(options.task, page_of(row.anchor_id))
        )


def _find(
    group: tuple[tuple[str, int], Iterable[tuple[int, str, bytes]]], options: FindLinkSources
) -> Iterator[PageBlob]:
    blobs: dict[str, list[bytes]] = {"linked": [], "sources": []}
    for _, kind, data in group[1]:
        blobs[kind].append(data)
    pairs = {row.anchor_id: row for data in blobs["linked"] for row in unpack(data, LinkedPair)}
    found = (
        pairs[row.anchor_id]._replace(page_id=row.source_page_id, url=row.source_url)
        for data in blobs["sources"]
        for row in unpack(data, LinkSource)
        if row.anchor_id in pairs
    )
    return divide_rows(found, options.task, options.buckets)
