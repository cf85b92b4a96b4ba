"""Puts pages on disk in chunks, and sends only their titles and their links' targets on."""

import uuid
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import apache_beam as beam
from apache_beam.transforms.window import GlobalWindow
from apache_beam.utils.timestamp import MIN_TIMESTAMP
from apache_beam.utils.windowed_value import WindowedValue

from anchormine.schemas.arrow_rows import to_ipc, to_table
from anchormine.transforms.files import create_file
from anchormine.transforms.options import transform_options
from anchormine.transforms.progress import Heartbeat
from anchormine.transforms.resolve_titles import TARGETS
from anchormine.transforms.title_buckets import bucket_of
from anchormine.wiki.chunks import ChunkBuilder, write_chunk
from anchormine.wiki.dump_page import PageRead
from anchormine.wiki.site import Site
from anchormine.wiki.title_table import TITLES, TitleRow

_CHUNK_CHARACTERS = 32 << 20
_CHUNK_ROWS = 200_000
# What is set aside for these reasons never was a page of the dataset, nor supersedes one.
_NO_ARTICLES = ("namespace", "unreadable")


class Spilled(NamedTuple):
    """What `SpillPages` gives.

    Attributes:
        chunks: (range, (sequence, path)) of each chunk; sequences ascend within a range.
        titles: (bucket, IPC bytes of `TITLES`).
        targets: (bucket, ("targets", range, sequence, IPC bytes of `TARGETS`)).
        counts: dictionaries of counts.
    """

    chunks: beam.PCollection
    titles: beam.PCollection
    targets: beam.PCollection
    counts: beam.PCollection


@transform_options
class SpillPages(beam.PTransform):
    """Takes `PageRead`, in input order within each range, as `ReadDump` gives them.

    Attributes:
        sites: the wiki of each file, by the file's number.
        buckets: among how many the titles are divided.
        folder: for the chunks.
        progress: folder for heartbeats; none by default.
    """

    sites: tuple[Site, ...]
    buckets: int
    folder: str
    progress: str | None = None

    def expand(self, pages: beam.PCollection) -> Spilled:
        out = pages | "Spill" >> beam.ParDo(_Spill(self)).with_outputs(
            "titles", "targets", "counts", main="chunks"
        )
        return Spilled(out["chunks"], out["titles"], out["targets"], out["counts"])


class _Spill(beam.DoFn):
    def __init__(self, options: SpillPages) -> None:
        self._sites, self._buckets, self._folder = options.sites, options.buckets, options.folder
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
        self._site = self._sites[first.file]
        self._prefix = f"{self._site.wiki}\t"
        self._chunk = ChunkBuilder(self._site)
        self._titles: list[TitleRow] = []
        self._superseded = self._pages = self._links = 0

    def process(self, page: PageRead) -> Iterator:
        if self._first is None or page.range != self._first.range or self._is_full():
            yield from self._flush()
            self._reset(page)
        self._chunk.add(page)
        self._pages += 1
        self._superseded += page.superseded
        self._heartbeat.beat(pages=1, rejects=page.extraction is None)
        if page.redirect is not None:
            to = page.redirect
            row = self._title_row(page)
            self._titles.append(
                row._replace(target_key=self._key(to.title), target_title=to.title, fragment=to.fragment)
            )
        elif page.extraction is not None:
            self._links += len(page.extraction.anchors) + len(page.extraction.dropped)
            self._titles.append(self._title_row(page))
        elif page.reason not in _NO_ARTICLES:
            self._titles.append(self._title_row(page)._replace(blank=True))

    def finish_bundle(self) -> Iterator:
        self._heartbeat.beat(flush=True)
        for item in self._flush():
            if isinstance(item, beam.pvalue.TaggedOutput):
                yield beam.pvalue.TaggedOutput(item.tag, _windowed(item.value))
            else:
                yield _windowed(item)

    def _is_full(self) -> bool:
        return self._chunk.characters >= _CHUNK_CHARACTERS or len(self._chunk) >= _CHUNK_ROWS

    def _key(self, title: str) -> str:
        """All titles that a link could mean have the same key; wikis of one run do not share titles."""
        return self._prefix + (title if title[:1].isupper() else self._site.fold(title))

    def _title_row(self, page: PageRead) -> TitleRow:
        """The row of an article."""
        return TitleRow(
            self._key(page.title), page.title, self._site.wiki, page.number, page.range, page.ordinal,
            page.timestamp, page.revision, None, None, None,
        )  # fmt: skip

    def _flush(self) -> Iterator:
        first = self._first
        if first is None:
            return
        chunk = self._chunk.build()
        path = f"{self._folder}/{first.range:06d}-{first.ordinal:09d}-{uuid.uuid4().hex}.arrow"
        with create_file(path) as stream:
            write_chunk(chunk, stream)
        yield first.range, (first.ordinal, path)
        for bucket, rows in self._divided(self._titles).items():
            yield beam.pvalue.TaggedOutput("titles", (bucket, to_ipc(to_table(rows, TITLES))))
        titles = self._chunk.targets
        targets = list(zip(map(self._key, titles), titles, range(len(titles)), strict=True))
        for bucket, asked in self._divided(targets).items():
            data = to_ipc(to_table(asked, TARGETS))
            yield beam.pvalue.TaggedOutput("targets", (bucket, ("targets", first.range, first.ordinal, data)))
        yield beam.pvalue.TaggedOutput(
            "counts",
            {
                "links.read": self._links,
                "revisions.read": self._pages + self._superseded,
                "revisions.written": self._pages,
                "revisions.rejected.superseded": self._superseded,
            },
        )
        self._first = None

    def _divided(self, rows: Sequence[tuple]) -> dict[int, Sequence[tuple]]:
        """Divides rows that start with a key."""
        if self._buckets == 1:
            return {0: rows} if rows else {}
        divided: dict[int, list[tuple]] = {}
        for row in rows:
            divided.setdefault(bucket_of(row[0], self._buckets), []).append(row)
        return dict(divided)


def _windowed(value: object) -> WindowedValue:
    return WindowedValue(value, MIN_TIMESTAMP, (GlobalWindow(),))
