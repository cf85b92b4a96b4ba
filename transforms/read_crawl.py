"""Reads the captures of a crawl."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import field
from typing import NamedTuple

import apache_beam as beam
from apache_beam.coders import registry

from anchormine.archives.compression import Damage
from anchormine.datasets.places import MAX_PLACES
from anchormine.transforms.coders import NestedRecordCoder
from anchormine.transforms.crawl_plan import CrawlPlan, plan_crawl
from anchormine.transforms.crawl_reading import FileRecords, FileToRead
from anchormine.transforms.given_inputs import Paths, plan_of
from anchormine.transforms.options import transform_options
from anchormine.transforms.progress import Heartbeat
from anchormine.web.captures import CAPTURE_KINDS, PROBLEMS_OF_PAGES, Capture, reason_of_other
from anchormine.web.records.crawl_records import RecordLimits


class CrawlVerdict(NamedTuple):
    """How far a file could be read.

    Attributes:
        file: its number in the plan.
        records: how many records it holds.
        captures: how many of them are captures.
        damages: what could not be read, the first `MAX_PLACES` places.
        damages_left_out: how many more there are.
        records_before: for each of `damages`, how many records start before it.
        unread_from: the byte from which on it was not read, as no more records were wanted; None for none.
        problems: how many captures have each `CrawlRecord.problem` with which they are read all the same.
    """

    file: int
    records: int
    captures: int
    damages: tuple[Damage, ...]
    damages_left_out: int
    records_before: tuple[int, ...]
    unread_from: int | None
    problems: tuple[tuple[str, int], ...]


registry.register_coder(Capture, NestedRecordCoder)
registry.register_coder(CrawlVerdict, NestedRecordCoder)


@transform_options
class ReadCrawl(beam.PTransform):
    """Reads a crawl: gives `Capture` under "captures", and `CrawlVerdict` of each file under "verdicts".

    Of the records of a file that tell of no page, the first of each reason is given, behind the others, and
    stands for all, see `reason_of_other`.

    Raises `UsageError` when it is applied, if it was given paths and no plan, and one of them cannot be read.
    Of a plan what can be read is read: its `files` say of the others why not.

    Attributes:
        source: a plan, or paths, globs and folders.
        limits: of one record.
        progress: folder for heartbeats; none by default.
    """

    source: CrawlPlan | Paths
    limits: RecordLimits = field(default_factory=RecordLimits)
    progress: str | None = None

    def expand(self, pipeline: beam.Pipeline) -> beam.pvalue.DoOutputsTuple:
        return (
            pipeline
            | "Files" >> beam.Create(self.plan().to_read, reshuffle=False)
            | "Spread" >> beam.Reshuffle()
            | "Read"
            >> beam.ParDo(_ReadFile(self.limits, self.progress))
            .with_output_types(Capture)
            .with_outputs("verdicts", main="captures")
        )

    def plan(self) -> CrawlPlan:
        """The plan; paths are looked at when it is asked for.

        Raises:
            UsageError: there are none, or one of them cannot be read.
        """
        return plan_of(self.source, CrawlPlan, plan_crawl)


class _ReadFile(beam.DoFn):
    def __init__(self, limits: RecordLimits, progress: str | None) -> None:
        self._limits = limits
        self._progress = progress

    def setup(self) -> None:
        self._heartbeat = Heartbeat(self._progress)

    def _beat(self, read_bytes: int) -> None:
        self._heartbeat.beat(file_bytes=read_bytes)

    def process(self, file: FileToRead) -> Iterator:
        others: dict[str, Capture] = {}
        problems: Counter[str] = Counter()
        captures = 0
        starts = array("Q")  # the bytes of the file at which records start
        read = FileRecords(file, self._limits, self._beat)
        for record in read:
            capture = Capture(file.number, len(starts), file.name, record)
            if record.kind in CAPTURE_KINDS:
                captures += 1
                problems[record.problem] += 1
                yield capture
            else:
                reason = reason_of_other(record)
                first = others.setdefault(reason, capture._replace(records=0))
                others[reason] = first._replace(records=first.records + 1)
            starts.append(record.offset)
        self._heartbeat.beat(flush=True)
        for number, (_, capture) in enumerate(sorted(others.items())):
            yield capture._replace(ordinal=len(starts) + number)
        damages = tuple(read.damages[:MAX_PLACES])
        verdict = CrawlVerdict(
            file=file.number,
            records=len(starts),
            captures=captures,
            damages=damages,
            damages_left_out=len(read.damages) + read.damages.left_out - len(damages),
            records_before=tuple(bisect_left(starts, damage.offset) for damage in damages),
            unread_from=read.unread_from,
            problems=tuple(sorted((name, problems[name]) for name in PROBLEMS_OF_PAGES & problems.keys())),
        )
        yield beam.pvalue.TaggedOutput("verdicts", verdict)
