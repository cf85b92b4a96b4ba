"""Out-links wait on disk until it is known which of the pages that they lead to are in the input."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any, NamedTuple

import apache_beam as beam
import pyarrow as pa
import pyarrow.compute as pc

from anchormine.clueweb22.rows import address_of
from anchormine.hypertext.address_table import ADDRESSES, AddressRow
from anchormine.schemas.anchors import ANCHORS, Anchor
from anchormine.schemas.arrow_rows import from_ipc, to_ipc, to_table
from anchormine.schemas.pages import Page
from anchormine.transforms.address_buckets import divide
from anchormine.transforms.files import create_file, join, open_file
from anchormine.transforms.options import transform_options
from anchormine.transforms.parquet_shards import ShardWriter
from anchormine.transforms.resolve_links import TARGETS, ResolveLinks

_CHUNK_ROWS = 100_000
_KEY = itemgetter(0)


class SentOutLinks(NamedTuple):
    """What `OutLinkChunks` sends, by its tags.

    Attributes:
        chunks: (group, ("chunk", sequence, path)) of each chunk.
        addresses: (bucket, IPC bytes of `ADDRESSES`) of the pages.
        targets: (bucket, ("targets", group, sequence, IPC bytes of `TARGETS`)).
    """

    chunks: beam.PCollection
    addresses: beam.PCollection
    targets: beam.PCollection


class OutLinkChunks:
    """The out-links of a group of stems, and the pages that there are.

    A page has two addresses: its ClueWeb22-ID, and its URL for links that say no id.
    """

    def __init__(self, group: int, buckets: int, folder: str) -> None:
        """Takes the number of the group, that of the buckets of ids, and a folder for the chunks."""
        self._group, self._buckets, self._folder = group, buckets, folder
        self._anchors: list[Anchor] = []
        self._pages: list[AddressRow] = []
        self._chunks = self._page_count = 0

    def add_page(self, page: Page) -> Iterator[beam.pvalue.TaggedOutput]:
        """Takes a page."""
        page_id, url = page.page_id, address_of(page.url)
        row = AddressRow(
            page_id, page_id, page_id, self._group, self._page_count, None, None, None, None, None
        )
        self._page_count += 1
        self._pages += (row, row._replace(key=url, address=url, named=True))
        if len(self._pages) >= _CHUNK_ROWS:
            yield from self._send_pages()

    def add_anchor(self, anchor: Anchor) -> Iterator[beam.pvalue.TaggedOutput]:
        """Takes a link as `out_link_rows` gives it."""
        self._anchors.append(anchor)
        if len(self._anchors) >= _CHUNK_ROWS:
            yield from self._send_anchors()

    def finish(self) -> Iterator[beam.pvalue.TaggedOutput]:
        """Sends what is left."""
        yield from self._send_pages()
        yield from self._send_anchors()

    def _send_pages(self) -> Iterator[beam.pvalue.TaggedOutput]:
        for bucket, rows in divide(self._pages, _KEY, self._buckets).items():
            yield beam.pvalue.TaggedOutput("addresses", (bucket, to_ipc(to_table(rows, ADDRESSES))))
        self._pages = []

    def _send_anchors(self) -> Iterator[beam.pvalue.TaggedOutput]:
        if not self._anchors:
            return
        path = f"{self._folder}/out-links-{self._group:06d}-{self._chunks:06d}-{uuid.uuid4().hex}.arrow"
        with create_file(path) as stream:
            stream.write(to_ipc(to_table(self._anchors, ANCHORS)))
        yield beam.pvalue.TaggedOutput("chunks", (self._group, ("chunk", self._chunks, path)))
        asked = _asked(anchor.destination_page_id for anchor in self._anchors)
        targets = [(address, None, row) for row, address in enumerate(asked)]
        for bucket, rows in divide(targets, _KEY, self._buckets).items():
            data = to_ipc(to_table(rows, TARGETS))
            value = ("targets", self._group, self._chunks, data)
            yield beam.pvalue.TaggedOutput("targets", (bucket, value))
        self._anchors = []
        self._chunks += 1


@transform_options
class WriteOutLinks(beam.PTransform):
    """Takes `SentOutLinks`, and gives the report of each group, {"parts", "counts"}.

    Attributes:
        buckets: among how many the ids are divided.
        folder: for files, until they are published.
    """

    buckets: int
    folder: str

    def expand(self, sent: SentOutLinks) -> beam.PCollection:
        resolved = (sent.addresses, sent.targets) | "Resolve links" >> ResolveLinks(
            self.buckets, join(self.folder, "addresses")
        )
        destinations = resolved.destinations | "Destinations" >> beam.MapTuple(
            lambda chunk, data: (chunk[0], ("destinations", chunk[1], data))
        )
        return (
            (sent.chunks, destinations)
            | "Together" >> beam.Flatten()
            | "Group chunks" >> beam.GroupByKey()
            | "Write" >> beam.Map(_write_group, self.folder)
        )


def _write_group(group: tuple[int, Iterable[tuple]], folder: str) -> dict[str, Any]:
    number, values = group
    paths: dict[int, str] = {}
    found: dict[int, dict[int, str]] = {}
    for kind, chunk, value in values:
        if kind == "chunk":
            paths[chunk] = value
        else:
            answers = from_ipc(value)
            places, page_ids = answers["row"].to_pylist(), answers["page_id"].to_pylist()
            found.setdefault(chunk, {}).update(zip(places, page_ids, strict=True))
    writer = ShardWriter(folder, "anchors", ANCHORS, number)
    red = 0
    for chunk, path in sorted(paths.items()):
        with open_file(path) as stream:
            rows = _with_destinations(from_ipc(stream.read()), found.get(chunk, {}))
        red += rows["destination_page_id"].null_count
        writer.write(rows)
    return {"parts": [tuple(part) for part in writer.close()], "counts": {"links.red": red}}


def _asked(destinations: Iterable[str | None]) -> list[str]:
    """What the links of a chunk ask for; the place in the list stands for it."""
    return sorted({destination for destination in destinations if destination is not None})


def _with_destinations(rows: pa.Table, found: dict[int, str]) -> pa.Table:
    """Puts in the ids of the pages that are in the input, by their places among what is asked."""
    column = rows["destination_page_id"]
    asked = _asked(column.unique().to_pylist())
    page_ids = pa.array([found.get(place) for place in range(len(asked))], pa.string())
    places = pc.index_in(column, value_set=pa.array(asked, pa.string()))
    place = rows.column_names.index("destination_page_id")
    return rows.set_column(place, rows.schema.field(place), page_ids.take(places.combine_chunks()))
