"""Reads the links of a folder's anchors by the page they lead to."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import apache_beam as beam

from anchormine.schemas.rejects import Reject
from anchormine.tasks.drafts import Refusal
from anchormine.tasks.in_links import InLink, InLinks, Link, LinkText, gather_in_links
from anchormine.transforms.blobs import pack_placed, unpack
from anchormine.transforms.options import transform_options
from anchormine.transforms.pair_buckets import PairBuckets, as_reject
from anchormine.transforms.progress import Heartbeat
from anchormine.transforms.read_sentences import NO_DESTINATION, without_destination
from anchormine.transforms.table_slices import TableSlice, read_slice

_COLUMNS = ("anchor_id", "anchor", "sentence_id", "source_page_id", "destination_page_id", "region")
CLEAN_TEXT = "anchor_clean"  # the column that `filtered/` has besides


@transform_options
class ReadInLinks(beam.PTransform):
    """Gives ((task, group), (bucket of pages, "in_links", blob of `InLinks`)).

    Under "rejects" there are (bucket, blob of `Reject`), under "counts" dictionaries of counts.

    Attributes:
        slices: of the table of anchors.
        clean: whether the table has cleaned texts; links have these then.
        task: that the links are for.
        judge: takes a link for a pair, or tells why it makes none.
        most: strings that are kept of the links to a page.
        seed: of the run.
        buckets: how the pages are divided.
        counts_anchors: whether the anchors themselves are counted here, and not where sentences are read.
        progress: folder for heartbeats.
    """

    slices: tuple[TableSlice, ...]
    clean: bool
    task: str
    judge: Callable[[Link], InLink | str]
    most: int
    seed: int
    buckets: PairBuckets
    counts_anchors: bool = True
    progress: str | None = None

    def expand(self, pipeline: beam.Pipeline) -> beam.pvalue.DoOutputsTuple:
        return (
            pipeline
            | "Slices" >> beam.Create(self.slices, reshuffle=False)
            | "Spread" >> beam.Reshuffle()
            | "Gather" >> beam.ParDo(_GatherLinks(self)).with_outputs("rejects", "counts", main="in_links")
        )


class _GatherLinks(beam.DoFn):
    def __init__(self, transform: ReadInLinks) -> None:
        self._clean, self._counts_anchors = transform.clean, transform.counts_anchors
        self._task, self._judge, self._most = transform.task, transform.judge, transform.most
        self._seed, self._buckets = transform.seed, transform.buckets
        self._progress = transform.progress

    def setup(self) -> None:
        self._heartbeat = Heartbeat(self._progress if self._counts_anchors else None)

    def process(self, part: TableSlice) -> Iterator:
        rejects: list[Reject] = []
        counts: Counter[str] = Counter()
        links = gather_in_links(self._links(part, rejects, counts), self._most, self._seed)
        yield from pack_placed("in_links", map(_plain, links), self._place)
        for blob in self._buckets.pack_rejects(rejects):
            yield beam.pvalue.TaggedOutput("rejects", blob)
        yield beam.pvalue.TaggedOutput("counts", dict(counts))
        self._heartbeat.beat(flush=True, anchors=part.end - part.start, rejects=len(rejects))

    def _place(self, row: InLinks) -> tuple[tuple[str, int], int]:
        return self._buckets.of_document(self._task, row.page_id)

    def _links(self, part: TableSlice, rejects: list[Reject], counts: Counter[str]) -> Iterator[InLink]:
        """Yields the links that may make a pair; adds the others to the rejects, and all to the counts."""
        for link in map(Link._make, self._rows(part)):
            if self._counts_anchors:
                counts["anchors.read"] += 1
            if link.destination is None:
                if self._counts_anchors:
                    counts[f"anchors.rejected.{NO_DESTINATION}"] += 1
                    rejects.append(without_destination(link.anchor_id, link.anchor, link.sentence_id))
                continue
            if self._counts_anchors:
                counts["anchors.written"] += 1
            counts[f"pairs-{self._task}.read"] += 1
            judged = self._judge(link)
            if isinstance(judged, InLink):
                yield judged
                continue
            counts[f"pairs-{self._task}.rejected.{judged}"] += 1
            pair_id = f"{self._task}:{link.anchor_id}"
            rejects.append(as_reject(Refusal(self._task, judged, pair_id, link.sentence_id, link.anchor)))

    def _rows(self, part: TableSlice) -> Iterator[tuple]:
        columns = (*_COLUMNS, CLEAN_TEXT if self._clean else "anchor")
        for table in read_slice(part, list(dict.fromkeys(columns))):
            yield from zip(*(table[name].to_pylist() for name in columns), strict=True)


def unpack_in_links(blobs: Iterable[bytes]) -> Iterator[InLinks]:
    """Yields the rows of the blobs that `ReadInLinks` gives."""
    for data in blobs:
        for row in unpack(data, InLinks):
            yield row._replace(texts=[LinkText(*text) for text in row.texts])


def _plain(links: InLinks) -> InLinks:
    return links._replace(texts=[tuple(text) for text in links.texts])  # type: ignore[misc]
