"""Imports HARP's JSON lines: sentences, anchors and first sections as the tables of a dataset folder."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple
from zlib import crc32

import apache_beam as beam

from anchormine.harp.lines import HarpLineError, HarpSentence, read_line
from anchormine.harp.rows import HarpRows, harp_rows
from anchormine.schemas.anchors import ANCHORS, Anchor
from anchormine.schemas.arrow_rows import to_table
from anchormine.schemas.pages import PAGES, Page
from anchormine.schemas.rejects import EXCERPT_CHARACTERS, REJECTS, Reject
from anchormine.transforms.blobs import pack, unpack
from anchormine.transforms.harp_places import HarpLine, HarpPlaces, harp_lines
from anchormine.transforms.options import transform_options
from anchormine.transforms.parquet_shards import ShardWriter
from anchormine.transforms.progress import Heartbeat

_LINES_PER_BLOB = 2_000


class HarpFile(NamedTuple):
    """One file: its number in the input, its size in bytes, and how many of its lines are read."""

    number: int
    path: str
    size: int
    max_lines: int | None


@transform_options
class ImportHarp(beam.PTransform):
    """Gives reports: {"parts", "counts"}, and for each file {"files"}: [number, what `HarpPlaces` says].

    Attributes:
        files: in order.
        language: of the text.
        buckets: among how many the pages are divided.
        folder: for the files, until they are published.
        progress: folder for heartbeats.
    """

    files: tuple[HarpFile, ...]
    language: str
    buckets: int
    folder: str
    progress: str | None = None

    def expand(self, pipeline: beam.Pipeline) -> beam.PCollection:
        read = (
            pipeline
            | "Files" >> beam.Create(self.files)
            | "Read" >> beam.ParDo(_ReadFile(self)).with_outputs("pages", "reports", main="anchors")
        )
        anchors = (
            read.anchors | "Group lines" >> beam.GroupByKey() | "Anchors" >> beam.Map(_write_lines, self)
        )
        pages = read.pages | "Group pages" >> beam.GroupByKey() | "Pages" >> beam.Map(_write_pages, self)
        return (read.reports, anchors, pages) | "Reports" >> beam.Flatten()


class _ReadFile(beam.DoFn):
    def __init__(self, options: ImportHarp) -> None:
        self._language, self._buckets = options.language, options.buckets
        self._progress = options.progress

    def setup(self) -> None:
        self._heartbeat = Heartbeat(self._progress)

    def process(self, file: HarpFile) -> Iterator:
        name = file.path.rpartition("/")[2]
        counts: Counter[str] = Counter()
        places = HarpPlaces()
        rejects: list[Reject] = []
        lines = islice(harp_lines(file.path, file.size, places), file.max_lines)
        sentences = self._parse(lines, name, counts, places, rejects)
        sequence = 0
        while block := list(islice(sentences, _LINES_PER_BLOB)):
            rows = harp_rows(block, name, self._language)
            counts.update(rows.counts)
            yield from self._divided(
                file.number, sequence, rows._replace(rejects=sorted(rejects + rows.rejects, key=_line_of))
            )
            rejects.clear()
            sequence += 1
        if rejects:
            yield file.number, (sequence, pack([]), pack(rejects))
        self._heartbeat.beat(flush=True)
        note = [file.number, places.report(counts["sentences.written"])]
        yield beam.pvalue.TaggedOutput("reports", {"counts": dict(counts), "files": note})

    def _parse(
        self,
        lines: Iterable[HarpLine],
        name: str,
        counts: Counter[str],
        places: HarpPlaces,
        rejects: list[Reject],
    ) -> Iterator[tuple[int, HarpSentence]]:
        for line in lines:
            counts["sentences.read"] += 1
            self._heartbeat.beat(file_bytes=line.length, sentences=1)
            try:
                sentence = read_line(line.text, line.number)
            except HarpLineError as error:
                counts["sentences.unreadable"] += 1
                places.unreadable.add(line.offset, line.length, str(error))
                excerpt = line.text[:EXCERPT_CHARACTERS].decode("utf-8", "replace")
                rejects.append(
                    Reject("harp", "unreadable", "sentences", None, f"{name}@line {line.number}", excerpt)
                )
                continue
            counts["sentences.written"] += 1
            places.add_wrong_spans(line, sentence)
            yield line.number, sentence

    def _divided(self, file: int, sequence: int, rows: HarpRows) -> Iterator:
        yield file, (sequence, pack(rows.anchors), pack(rows.rejects))
        divided: dict[int, list[Page]] = {}
        for page in rows.pages:
            divided.setdefault(crc32(page.page_id.encode()) % self._buckets, []).append(page)
        for bucket, pages in divided.items():
            yield beam.pvalue.TaggedOutput("pages", (bucket, pack(pages)))


def _line_of(reject: Reject) -> int:
    return int(reject.origin.rpartition(" ")[2])


def _write_lines(
    group: tuple[int, Iterable[tuple[int, bytes, bytes]]], options: ImportHarp
) -> dict[str, Any]:
    number, blobs = group
    anchors = ShardWriter(options.folder, "anchors", ANCHORS, number)
    rejects = ShardWriter(options.folder, "rejects/harp", REJECTS, number)
    for _, rows, rejected in sorted(blobs):
        anchors.write(to_table(list(unpack(rows, Anchor)), ANCHORS))
        rejects.write(to_table(list(unpack(rejected, Reject)), REJECTS))
    return {"parts": [tuple(part) for part in (*anchors.close(), *rejects.close())]}


def _write_pages(group: tuple[int, Iterable[bytes]], options: ImportHarp) -> dict[str, Any]:
    bucket, blobs = group
    pages: dict[str, Page] = {}
    read = 0
    for page in (page for data in blobs for page in unpack(data, Page)):
        read += 1
        pages[page.page_id] = page
    writer = ShardWriter(options.folder, "pages", PAGES, bucket)
    writer.write(to_table([pages[page_id] for page_id in sorted(pages)], PAGES))
    counts = {"pages.read": read, "pages.written": len(pages), "pages.rejected.repeated": read - len(pages)}
    return {"parts": [tuple(part) for part in writer.close()], "counts": counts}
