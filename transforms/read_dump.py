"""Reads the pages of a dump."""

from collections.abc import Iterator
from typing import NamedTuple

import apache_beam as beam
from apache_beam.coders import registry

from anchormine.archives.compression import Damage
from anchormine.datasets.places import MAX_PLACES
from anchormine.schemas.rejects import EXCERPT_CHARACTERS
from anchormine.transforms.coders import NestedRecordCoder
from anchormine.transforms.dump_plan import DumpPlan, plan_dump
from anchormine.transforms.dump_range import DumpRange, read_elements
from anchormine.transforms.given_inputs import Paths, plan_of
from anchormine.transforms.options import transform_options
from anchormine.transforms.progress import Heartbeat
from anchormine.wiki.dump_page import DumpPage
from anchormine.wiki.page_elements import PageElement
from anchormine.wiki.revisions import PageXmlError, WikiPage, parse_page


class RangeVerdict(NamedTuple):
    """How far a range could be read.

    Attributes:
        file: number of its file in the plan.
        start: its first byte.
        pages: how many page elements it holds, broken ones among them.
        damages: what could not be read, the first `MAX_PLACES` places.
        damages_left_out: how many more there are.
    """

    file: int
    start: int
    pages: int
    damages: tuple[Damage, ...]
    damages_left_out: int


registry.register_coder(DumpPage, NestedRecordCoder)
registry.register_coder(RangeVerdict, NestedRecordCoder)


@transform_options
class ReadDump(beam.PTransform):
    """Reads every page element of a dump: pages under "pages", and under "verdicts" what was damaged.

    Raises `UsageError` when it is applied, if it was given paths and no plan, and one of them cannot be read.
    Of a plan what can be read is read: its `files` say of the others why not.

    Attributes:
        source: a plan, or paths and globs.
        progress: folder for heartbeats; none by default.
    """

    source: DumpPlan | Paths
    progress: str | None = None

    def expand(self, pipeline: beam.Pipeline) -> beam.pvalue.DoOutputsTuple:
        ranges = self.plan().ranges
        return (
            pipeline
            | "Ranges" >> beam.Create(ranges, reshuffle=False)
            | "Spread" >> beam.Reshuffle()
            | "Read"
            >> beam.ParDo(_ReadRange(self.progress))
            .with_output_types(DumpPage)
            .with_outputs("verdicts", main="pages")
        )

    def plan(self) -> DumpPlan:
        """The plan; paths are looked at when it is asked for.

        Raises:
            UsageError: there are none, or one of them cannot be read.
        """
        return plan_of(self.source, DumpPlan, plan_dump)


class _ReadRange(beam.DoFn):
    def __init__(self, progress: str | None) -> None:
        self._progress = progress

    def setup(self) -> None:
        self._heartbeat = Heartbeat(self._progress)

    def process(self, part: DumpRange) -> Iterator:
        damages: list[Damage] = []
        pages = 0
        for element in read_elements(part, damages, lambda count: self._heartbeat.beat(file_bytes=count)):
            page, problem = None, element.broken
            if problem is None:
                try:
                    page = parse_page(element.xml)
                except PageXmlError as error:
                    problem = str(error)
                    damages.append(Damage(element.offset + error.offset, len(element.xml), problem, "xml"))
            yield DumpPage(
                part.file, part.number, pages, _origin(part, element), page, problem, _excerpt(element, page)
            )
            pages += 1
        self._heartbeat.beat(flush=True)
        left_out = max(0, len(damages) - MAX_PLACES)
        verdict = RangeVerdict(part.file, part.start, pages, tuple(damages[:MAX_PLACES]), left_out)
        yield beam.pvalue.TaggedOutput("verdicts", verdict)


def _origin(part: DumpRange, element: PageElement) -> str:
    """File's name and byte: its own if it is uncompressed, else of the XML in the streams from a byte on."""
    place = f"{part.start}+{element.offset}" if part.compression else str(element.offset)
    return f"{part.path.rpartition('/')[2]}@{place}"


def _excerpt(element: PageElement, page: WikiPage | None) -> str:
    return "" if page else element.xml[:EXCERPT_CHARACTERS].decode("utf-8", "replace")
