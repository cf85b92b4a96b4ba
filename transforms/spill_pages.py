"""Puts pages on disk in chunks, and sends only their addresses and their links' targets on."""

import uuid
from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple, Protocol

import apache_beam as beam
from apache_beam.transforms.window import GlobalWindow
from apache_beam.utils.timestamp import MIN_TIMESTAMP
from apache_beam.utils.windowed_value import WindowedValue

from anchormine.hypertext.address_table import ADDRESSES, AddressRow
from anchormine.hypertext.chunks import ChunkBuilder, write_chunk
from anchormine.hypertext.drafts import REVISIT, PageRead
from anchormine.schemas.arrow_rows import to_ipc, to_table
from anchormine.transforms.address_buckets import divide
from anchormine.transforms.files import create_file
from anchormine.transforms.options import transform_options
from anchormine.transforms.progress import Heartbeat
from anchormine.transforms.resolve_links import TARGETS

_CHUNK_CHARACTERS = 16 << 20
_CHUNK_ROWS = 50_000
_KEY = itemgetter(0)


class Addresses(Protocol):
    """How the addresses of pages are looked up."""

    def key(self, address: str) -> str:
        """Returns the key of an address: all that a link could mean have the same, in the whole run."""


class Spilled(NamedTuple):
    """What `SpillPages` gives.

    Attributes:
        chunks: (range, (sequence, path)) of each chunk; sequences ascend within a range.
        addresses: (bucket, IPC bytes of `ADDRESSES`).
        targets: (bucket, ("targets", range, sequence, IPC bytes of `TARGETS`)).
        counts: dictionaries of counts.
    """

    chunks: beam.PCollection
    addresses: beam.PCollection
    targets: beam.PCollection
    counts: beam.PCollection


@transform_options
class SpillPages(beam.PTransform):
    """Takes `PageRead`, in input order within each range, as `ParseArticles` and `ParseCaptures` give them.

    Attributes:
        spaces: the addresses of each file, by the file's number.
        buckets: among how many the addresses are divided.
        folder: for the chunks.
        progress: folder for heartbeats; none by default.
    """

    spaces: tuple[Addresses, ...]
    buckets: int
    folder: str
    progress: str | None = None

    def expand(self, pages: beam.PCollection) -> Spilled:
        out = pages | "Spill" >> beam.ParDo(_Spill(self)).with_outputs(
            "addresses", "targets", "counts", main="chunks"
        )
        return Spilled(out["chunks"], out["addresses"], out["targets"], out["counts"])


class _Spill(beam.DoFn):
    def __init__(self, options: SpillPages) -> None:
        self._spaces, self._buckets, self._folder = options.spaces, options.buckets, options.folder
        self._progress = options.progress

    def setup(self) -> None:
        self._heartbeat = Heartbeat(self._progress)

    def start_bundle(self) -> None:
        self._reset(None)

    def _reset(self, first: PageRead | None) -> None:
        """Starts a chunk with a page."""
        self._first = first
        if first is None:
            return
        self._key = self._spaces[first.file].key
        self._chunk = ChunkBuilder()
        self._addresses: list[AddressRow] = []
        self._superseded = self._links = 0

    def process(self, page: PageRead) -> Iterator:
        if self._first is None or page.range != self._first.range or self._is_full():
            yield from self._flush()
            self._reset(page)
        self._chunk.add(page)
        if page.unit == "pages":
            self._superseded += page.superseded
            self._heartbeat.beat(pages=1, rejects=page.content is None)
        if page.content is not None:
            self._links += len(page.content.anchors) + len(page.content.dropped)
        if page.content is not None or page.redirect is not None or page.blank or page.renews is not None:
            self._addresses += self._address_rows(page)

    def finish_bundle(self) -> Iterator:
        self._heartbeat.beat(flush=True)
        for item in self._flush():
            if isinstance(item, beam.pvalue.TaggedOutput):
                yield beam.pvalue.TaggedOutput(item.tag, _windowed(item.value))
            else:
                yield _windowed(item)

    def _is_full(self) -> bool:
        return self._chunk.characters >= _CHUNK_CHARACTERS or len(self._chunk) >= _CHUNK_ROWS

    def _address_rows(self, page: PageRead) -> Iterator[AddressRow]:
        to, proper = page.redirect, page.proper_address
        row = AddressRow(
            self._key(page.address), page.address, page.page_id or "", page.range, page.ordinal,
            page.timestamp, page.revision or page.nanoseconds, None, None, None,
            blank=page.blank or page.renews is not None, renews=page.renews, digest=page.digest,
        )  # fmt: skip
        if proper is not None:
            yield row._replace(key=self._key(proper), address=proper, named=True)
        if to is not None:
            row = row._replace(
                target_key=self._key(to.address),
                target_address=to.address,
                fragment=to.fragment,
                alias=page.content is not None,
                weak=to.address == page.address,
                repeats=page.reason == REVISIT,
            )
        yield row

    def _flush(self) -> Iterator:
        first = self._first
        if first is None:
            return
        chunk = self._chunk.build()
        path = f"{self._folder}/{first.range:06d}-{first.ordinal:09d}-{uuid.uuid4().hex}.arrow"
        with create_file(path) as stream:
            write_chunk(chunk, stream)
        yield first.range, (first.ordinal, path)
        for bucket, rows in divide(self._addresses, _KEY, self._buckets).items():
            yield beam.pvalue.TaggedOutput("addresses", (bucket, to_ipc(to_table(rows, ADDRESSES))))
        for bucket, targets in divide(self._target_rows(), _KEY, self._buckets).items():
            data = to_ipc(to_table(targets, TARGETS))
            yield beam.pvalue.TaggedOutput("targets", (bucket, ("targets", first.range, first.ordinal, data)))
        yield beam.pvalue.TaggedOutput(
            "counts",
            {"links.read": self._links, "revisions.rejected.superseded": self._superseded},
        )
        self._first = None

    def _target_rows(self) -> Iterator[tuple[str, str | None, int]]:
        for row, address in enumerate(self._chunk.targets):
            key = self._key(address)
            yield key, None if key == address else address, row


def _windowed(value: object) -> WindowedValue:
    return WindowedValue(value, MIN_TIMESTAMP, (GlobalWindow(),))
