"""Imports files of ClueWeb22: each worker reads stems, writes pages as they come, and lets links wait."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import apache_beam as beam
import pyarrow as pa
from apache_beam.coders import registry

from anchormine.clueweb22.member_lines import MemberLine
from anchormine.clueweb22.rows import SOURCE
from anchormine.clueweb22.stem_reader import FileReader, ReaderOptions, StemReader
from anchormine.datasets.places import MAX_PLACES
from anchormine.schemas.arrow_rows import to_table
from anchormine.schemas.pages import PAGES
from anchormine.schemas.rejects import REJECTS, Reject
from anchormine.transforms.clueweb22_files import SetAside
from anchormine.transforms.clueweb22_lines import FileLines
from anchormine.transforms.clueweb22_plan import ClueWeb22Plan, Stem
from anchormine.transforms.coders import NestedRecordCoder
from anchormine.transforms.link_chunks import LinkChunks, SentLinks, WriteLinks
from anchormine.transforms.options import transform_options
from anchormine.transforms.parquet_shards import ShardWriter
from anchormine.transforms.progress import Heartbeat
from anchormine.transforms.waiting_rows import WaitingRows

_BATCH_ROWS = 4096
_BATCH_CHARACTERS = 2 << 20


class StemGroup(NamedTuple):
    """Stems that one worker reads, with the number of the group."""

    number: int
    stems: tuple[Stem, ...]


registry.register_coder(StemGroup, NestedRecordCoder)


@transform_options
class ImportClueWeb22(beam.PTransform):
    """Gives reports: {"parts", "counts"} of each group of stems, and what is to be said of each file.

    That is {"files": [number, records, how many of them are readable, damages with the number of records that
    start before each, how many more]}, {"unread": [number, byte from which on it was not read, or None]}, and
    {"offsets": [number, notes on its `.offset` file]}.

    Attributes:
        plan: of the files.
        options: of the rows.
        buckets: among how many the addresses of pages are divided.
        folder: for all that is not published yet.
        progress: folder for heartbeats; none by default.
    """

    plan: ClueWeb22Plan
    options: ReaderOptions
    buckets: int
    folder: str
    progress: str | None = None

    def expand(self, pipeline: beam.Pipeline) -> beam.PCollection:
        groups = [StemGroup(number, stems) for number, stems in enumerate(self.plan.groups)]
        read = (
            pipeline
            | "Stems" >> beam.Create(groups, reshuffle=False)
            | "Spread" >> beam.Reshuffle()
            | "Read" >> beam.ParDo(_ReadGroup(self)).with_outputs(*SentLinks._fields, main="reports")
        )
        sent = SentLinks(read.chunks, read.addresses, read.targets)
        written = sent | "Write links" >> WriteLinks(self.plan.links, self.buckets, self.folder)
        return (read.reports, written) | "All reports" >> beam.Flatten()


class _ReadGroup(beam.DoFn):
    def __init__(self, options: ImportClueWeb22) -> None:
        self._plan, self._options, self._buckets = options.plan, options.options, options.buckets
        self._folder, self._progress = options.folder, options.progress

    def setup(self) -> None:
        self._heartbeat = Heartbeat(self._progress)

    def process(self, group: StemGroup) -> Iterator:
        chunks = LinkChunks(self._plan.links, group.number, self._buckets, self._folder)
        shards = _GroupShards(self._folder, group.number, chunks)
        if group.number == 0:
            shards.set_aside(self._plan.set_aside)
        for stem in group.stems:
            reader = StemReader(stem.name, self._options)
            yield from self._read_stem(stem, reader, shards)
            yield {"counts": dict(reader.counts)}
        yield from chunks.finish()
        yield {"parts": shards.close()}
        self._heartbeat.beat(flush=True)

    def _read_stem(self, stem: Stem, reader: StemReader, shards: _GroupShards) -> Iterator:
        for numbers, most in ((stem.texts, stem.max_texts), (stem.links, stem.max_links)):
            for number in numbers:
                before = reader.counts["records.read"]
                yield from self._read_file(number, most, reader, shards)
                if most is not None:
                    most -= reader.counts["records.read"] - before

    def _read_file(self, number: int, most: int | None, reader: StemReader, shards: _GroupShards) -> Iterator:
        source = self._plan.files[number]
        lines = FileLines(source, self._options.record_bytes, most, self._beat)
        file = FileReader(source.name, source.kind, lines.damages)
        before = reader.readable
        starts = array("Q")  # the bytes of the file at which records start
        for line in lines:
            starts.append(line.begin)
            yield from shards.add(line, file, reader)
            self._heartbeat.beat(pages=source.kind == "txt", rejects=len(reader.rejects))
            reader.rejects.clear()
        damages = sorted(lines.damages)
        kept = [[*damage[:3], bisect_left(starts, damage.offset)] for damage in damages[:MAX_PLACES]]
        left_out = lines.damages.left_out + len(damages) - len(kept)
        yield {
            "files": [number, len(starts), reader.readable - before, kept, left_out],
            "unread": [number, lines.unread_from],
        }
        if lines.notes:
            yield {"offsets": [number, lines.notes]}

    def _beat(self, read_bytes: int) -> None:
        self._heartbeat.beat(file_bytes=read_bytes)


class _GroupShards:
    """The shards of a group of stems; its links go to `chunks` instead."""

    def __init__(self, folder: str, group: int, chunks: LinkChunks) -> None:
        self._pages = _Rows(ShardWriter(folder, "pages", PAGES, group), PAGES)
        self._rejects = _Rows(ShardWriter(folder, f"rejects/{SOURCE}", REJECTS, group), REJECTS)
        self._chunks = chunks

    def add(self, line: MemberLine, file: FileReader, reader: StemReader) -> Iterator:
        """Writes the rows of a line, and yields what the chunks send on."""
        if file.kind == "txt":
            page = reader.page(line, file)
            if page is not None:
                self._pages.add(page)
                yield from self._chunks.add_page(page)
        else:
            for anchor in reader.anchors(line, file):
                yield from self._chunks.add_anchor(anchor)
        for reject in reader.rejects:
            self._rejects.add(reject)

    def set_aside(self, files: Iterable[SetAside]) -> None:
        """Writes the files that are not read."""
        for file in files:
            self._rejects.add(Reject(SOURCE, file.reason, "files", None, file.name, ""))

    def close(self) -> list[tuple[Any, ...]]:
        """Returns the files."""
        return [*self._pages.close(), *self._rejects.close()]


class _Rows:
    """Rows on their way to a table's shards, a batch at a time; a page may be of many megabytes."""

    def __init__(self, writer: ShardWriter, schema: pa.Schema) -> None:
        self._writer, self._schema = writer, schema
        self._waiting: WaitingRows[tuple] = WaitingRows(_BATCH_ROWS, _BATCH_CHARACTERS)

    def add(self, row: tuple) -> None:
        self._waiting.add(row)
        if self._waiting.are_enough:
            self._flush()

    def close(self) -> list[tuple[Any, ...]]:
        self._flush()
        return [tuple(part) for part in self._writer.close()]

    def _flush(self) -> None:
        self._writer.write(to_table(self._waiting.take(), self._schema))
