"""Writes pages and anchors: chunks, destinations and redirects together, shard by shard, in input order."""

from collections import Counter
from collections.abc import Iterable, Iterator

import apache_beam as beam
import pyarrow.compute as pc

from anchormine.errors import CommandError
from anchormine.hypertext.anchor_rows import written_out
from anchormine.hypertext.chunks import read_chunk
from anchormine.hypertext.rows import Provenance, build_rows
from anchormine.schemas.anchors import ANCHORS
from anchormine.schemas.arrow_rows import from_ipc
from anchormine.schemas.pages import PAGES
from anchormine.schemas.rejects import REJECTS
from anchormine.transforms.files import open_file
from anchormine.transforms.options import transform_options
from anchormine.transforms.parquet_shards import ShardWriter
from anchormine.transforms.resolve_links import Resolved
from anchormine.transforms.spill_pages import Spilled


@transform_options
class WritePages(beam.PTransform):
    """Takes (`Spilled`, `Resolved`); gives each group of ranges' report, {"parts", "counts", "newest"}.

    Raises `CommandError` when it runs on pages of two readings, each of which numbers its own from 0.

    Attributes:
        provenances: of the rows, by the range's number.
        groups: the group of each range; its rows go to the same shards.
        folder: for the files, until they are published.
    """

    provenances: tuple[Provenance, ...]
    groups: tuple[int, ...]
    folder: str

    def expand(self, inputs: tuple[Spilled, Resolved]) -> beam.PCollection:
        spilled, resolved = inputs
        groups = self.groups
        chunks = spilled.chunks | "Chunks" >> beam.MapTuple(
            lambda part, chunk: (groups[part], ("chunk", part, *chunk))
        )
        destinations = resolved.destinations | "Destinations" >> beam.MapTuple(
            lambda chunk, data: (groups[chunk[0]], ("destinations", *chunk, data))
        )
        redirects = resolved.redirects | "Redirects" >> beam.MapTuple(
            lambda part, redirect: (groups[part], ("redirect", part, *redirect))
        )
        duplicates = resolved.duplicates | "Duplicates" >> beam.MapTuple(
            lambda part, duplicate: (groups[part], ("duplicate", part, *duplicate))
        )
        return (
            (chunks, destinations, redirects, duplicates)
            | "Together" >> beam.Flatten()
            | "Group" >> beam.GroupByKey()
            | "Write" >> beam.ParDo(_WriteGroup(self.provenances, self.folder))
        )


class _WriteGroup(beam.DoFn):
    def __init__(self, provenances: tuple[Provenance, ...], folder: str) -> None:
        self._provenances = provenances
        self._folder = folder

    def process(self, group: tuple[int, Iterable[tuple]]) -> Iterator[dict]:
        number, values = group
        chunks: list[tuple[int, int, str]] = []
        destinations: dict[tuple[int, int], list[bytes]] = {}
        redirects: dict[int, dict[int, list[str]]] = {}
        suffixes: dict[int, dict[int, str]] = {}
        for kind, part, place, value in values:
            if kind == "chunk":
                chunks.append((part, place, value))
            elif kind == "destinations":
                destinations.setdefault((part, place), []).append(value)
            elif kind == "duplicate":
                suffixes.setdefault(part, {})[place] = value
            else:
                redirects.setdefault(part, {}).setdefault(place, []).append(value)
        _refuse_two_readings(chunks)
        step = self._provenances[0].step
        tables = (("pages", PAGES), ("anchors", ANCHORS), (f"rejects/{step}", REJECTS))
        pages, anchors, rejects = writers = [
            ShardWriter(self._folder, table, schema, number) for table, schema in tables
        ]
        counts: Counter = Counter()
        newest: dict[str, str] = {}
        for part, place, path in sorted(chunks):
            with open_file(path) as stream:
                chunk = read_chunk(stream)
            answers = [from_ipc(data) for data in destinations.pop((part, place), ())]
            some_pages, some_anchors, shared, some_rejects, counted = build_rows(
                chunk,
                answers,
                suffixes.get(part, {}),
                redirects.get(part, {}),
                self._provenances[part],
            )
            name = self._provenances[part].name
            newest[name] = max(newest.get(name, ""), pc.max(some_pages["timestamp"]).as_py() or "")
            counts.update(counted)
            pages.write(some_pages)
            rejects.write(some_rejects)
            # What is not needed any more is not held while anchors are written.
            del chunk, answers, some_pages, some_rejects
            for some in written_out(some_anchors, shared):
                anchors.write(some)
        parts = [tuple(item) for writer in writers for item in writer.close()]
        yield {"parts": parts, "counts": dict(counts), "newest": sorted(newest.items())}


def _refuse_two_readings(chunks: Iterable[tuple[int, int, str]]) -> None:
    for (part, ordinal), count in Counter((part, ordinal) for part, ordinal, _ in chunks).items():
        if count > 1:
            raise CommandError(
                f"page {ordinal} of range {part} is there {count} times; pages of several readings are taken "
                "together, which number their files alike: read all files by one `ReadCrawl` or `ReadDump`"
            )
