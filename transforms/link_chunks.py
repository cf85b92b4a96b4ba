"""Links wait on disk until it is known which of the pages at their other ends are in the input.

Of an out-link that is the page it leads to; of an in-link the page it stands on, where it says no id of it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

import apache_beam as beam
import pyarrow as pa
import pyarrow.compute as pc

from anchormine.clueweb22.records import stem_of
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
from anchormine.transforms.waiting_rows import WaitingRows
from anchormine.web.urls import page_id_of

_CHUNK_ROWS = 100_000
_CHUNK_CHARACTERS = 64 << 20  # which as many links have only where their texts are long
_KEY = itemgetter(0)
# By the kind of links, the column that has what is looked up until it has been: an id, or an address.
_LOOKED_UP = {"inlink": "source_page_id", "outlink": "destination_page_id"}


class SentLinks(NamedTuple):
    """What `LinkChunks` sends, by its tags.

    Attributes:
        chunks: (group, ("chunk", sequence, path)) of each chunk.
        addresses: (bucket, IPC bytes of `ADDRESSES`) of the pages.
        targets: (bucket, ("targets", group, sequence, IPC bytes of `TARGETS`)).
    """

    chunks: beam.PCollection
    addresses: beam.PCollection
    targets: beam.PCollection


class LinkChunks:
    """The links of a group of stems, and the pages that there are.

    A page has two addresses: its ClueWeb22-ID, and its URL for links that say no id.
    """

    def __init__(self, links: str, group: int, buckets: int, folder: str) -> None:
        """Starts a group.

        Args:
            links: "inlink" or "outlink".
            group: its number.
            buckets: among how many the addresses are divided.
            folder: for the chunks.
        """
        self._links = links
        self._group, self._buckets, self._folder = group, buckets, folder
        self._anchors: WaitingRows[Anchor] = WaitingRows(_CHUNK_ROWS, _CHUNK_CHARACTERS)
        self._pages: list[AddressRow] = []
        self._chunks = self._page_count = 0

    def add_page(self, page: Page) -> Iterator[beam.pvalue.TaggedOutput]:
        """Takes a page."""
        page_id, url = page.page_id, address_of(page.url)
        row = AddressRow(
            page_id, page_id, page_id, self._group, self._page_count, None, None, None, None, None
        )
        self._page_count += 1
        self._pages.append(row._replace(key=url, address=url, named=True))
        if self._links == "outlink":  # an in-link that says an id asks nothing
            self._pages.append(row)
        if len(self._pages) >= _CHUNK_ROWS:
            yield from self._send_pages()

    def add_anchor(self, anchor: Anchor) -> Iterator[beam.pvalue.TaggedOutput]:
        """Takes a link as `in_link_rows` or `out_link_rows` gives it."""
        self._anchors.add(anchor)
        if self._anchors.are_enough:
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
        anchors = self._anchors.take()
        if not anchors:
            return
        path = f"{self._folder}/{self._links}s-{self._group:06d}-{self._chunks:06d}-{uuid.uuid4().hex}.arrow"
        with create_file(path) as stream:
            stream.write(to_ipc(to_table(anchors, ANCHORS)))
        yield beam.pvalue.TaggedOutput("chunks", (self._group, ("chunk", self._chunks, path)))
        asked = _asked(map(attrgetter(_LOOKED_UP[self._links]), anchors), self._links)
        targets = [(address, None, row) for row, address in enumerate(asked)]
        for bucket, rows in divide(targets, _KEY, self._buckets).items():
            data = to_ipc(to_table(rows, TARGETS))
            value = ("targets", self._group, self._chunks, data)
            yield beam.pvalue.TaggedOutput("targets", (bucket, value))
        self._chunks += 1


@transform_options
class WriteLinks(beam.PTransform):
    """Takes `SentLinks`, and gives the report of each group, {"parts", "counts"}.

    Attributes:
        links: "inlink" or "outlink".
        buckets: among how many the addresses are divided.
        folder: for files, until they are published.
    """

    links: str
    buckets: int
    folder: str

    def expand(self, sent: SentLinks) -> beam.PCollection:
        resolved = (sent.addresses, sent.targets) | "Look up pages" >> ResolveLinks(
            self.buckets, join(self.folder, "addresses")
        )
        found = resolved.destinations | "Found" >> beam.MapTuple(
            lambda chunk, data: (chunk[0], ("found", chunk[1], data))
        )
        return (
            (sent.chunks, found)
            | "Together" >> beam.Flatten()
            | "Group chunks" >> beam.GroupByKey()
            | "Write" >> beam.Map(_write_group, self.links, self.folder)
        )


def _write_group(group: tuple[int, Iterable[tuple]], links: str, folder: str) -> dict[str, Any]:
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
            rows = _with_pages(from_ipc(stream.read()), links, found.get(chunk, {}))
        red += rows["destination_page_id"].null_count
        writer.write(rows)
    return {"parts": [tuple(part) for part in writer.close()], "counts": {"links.red": red}}


def _asked(pages: Iterable[str | None], links: str) -> list[str]:
    """What the links of a chunk ask for; the place in the list stands for it."""
    return sorted({page for page in pages if page is not None and _is_asked(page, links)})


def _is_asked(page: str, links: str) -> bool:
    """Tells whether a page is looked up: where a link leads in any case, where it stands if it says no id."""
    return links == "outlink" or stem_of(page) is None


def _with_pages(rows: pa.Table, links: str, found: dict[int, str]) -> pa.Table:
    """Puts in the ids of the pages that are in the input, by their places among what is asked."""
    name = _LOOKED_UP[links]
    pages = rows[name].unique().to_pylist()
    page_ids = {page: None if links == "outlink" else _id_of_other(page) for page in pages}
    for number, page in enumerate(_asked(pages, links)):
        page_ids[page] = found.get(number, page_ids[page])
    places = pc.index_in(rows[name], value_set=pa.array(pages, pa.string()))
    column = pa.array([page_ids[page] for page in pages], pa.string()).take(places.combine_chunks())
    place = rows.column_names.index(name)
    return rows.set_column(place, rows.schema.field(place), column)


def _id_of_other(page: str) -> str:
    """The id of a page that is not in the input: its own, or one of its address as in a crawl."""
    return page_id_of(page) if stem_of(page) is None else page
