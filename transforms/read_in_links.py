"""Reads the links of a folder's anchors by the page they lead to: for pairs of an anchor and a document."""

from collections import Counter
from collections.abc import Iterator

import apache_beam as beam

from anchormine.schemas.rejects import Reject
from anchormine.tasks.anchor_document import ANCHOR_DOCUMENT, AnchorDocumentOptions, link_problem
from anchormine.tasks.drafts import Refusal
from anchormine.tasks.in_links import InLink, InLinks, gather_in_links
from anchormine.transforms.blobs import pack_divided
from anchormine.transforms.options import transform_options
from anchormine.transforms.pair_buckets import PairBuckets, as_reject
from anchormine.transforms.progress import Heartbeat
from anchormine.transforms.read_sentences import NO_DESTINATION, without_destination
from anchormine.transforms.table_slices import TableSlice, read_slice

_COLUMNS = ("anchor_id", "anchor", "sentence_id", "source_page_id", "destination_page_id", "region")
CLEAN_TEXT = "anchor_clean"  # the column that `filtered/` has besides
_READ = f"pairs-{ANCHOR_DOCUMENT}.read"


@transform_options
class ReadInLinks(beam.PTransform):
    """Gives ((task, group), (bucket of pages, "in_links", blob of `InLinks`)).

    Under "rejects" there are (bucket, blob of `Reject`), under "counts" dictionaries of counts.

    Attributes:
        slices: of the table of anchors.
        clean: whether the table has cleaned texts; these are the queries then.
        options: of the pairs.
        seed: of the run.
        buckets: how the pages are divided.
        counts_anchors: whether the anchors themselves are counted here, and not where sentences are read.
        progress: folder for heartbeats.
    """

    slices: tuple[TableSlice, ...]
    clean: bool
    options: AnchorDocumentOptions
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
        self._options, self._seed, self._buckets = transform.options, transform.seed, transform.buckets
        self._progress = transform.progress

    def setup(self) -> None:
        self._heartbeat = Heartbeat(self._progress if self._counts_anchors else None)

    def process(self, part: TableSlice) -> Iterator:
        rejects: list[Reject] = []
        counts: Counter[str] = Counter()
        links = gather_in_links(self._links(part, rejects, counts), self._options.in_links, self._seed)
        for (key, bucket), data in pack_divided(map(_plain, links), self._place):
            yield key, (bucket, "in_links", data)
        for blob in self._buckets.pack_rejects(rejects):
            yield beam.pvalue.TaggedOutput("rejects", blob)
        yield beam.pvalue.TaggedOutput("counts", dict(counts))
        self._heartbeat.beat(flush=True, anchors=part.end - part.start, rejects=len(rejects))

    def _place(self, row: InLinks) -> tuple[tuple[str, int], int]:
        return self._buckets.of_document(ANCHOR_DOCUMENT, row.page_id)

    def _links(self, part: TableSlice, rejects: list[Reject], counts: Counter[str]) -> Iterator[InLink]:
        """Yields the links that may make a pair; adds the others to the rejects, and all to the counts."""
        for anchor_id, anchor, sentence_id, source, destination, region, text in self._rows(part):
            if self._counts_anchors:
                counts["anchors.read"] += 1
            if destination is None:
                if self._counts_anchors:
                    counts[f"anchors.rejected.{NO_DESTINATION}"] += 1
                    rejects.append(without_destination(anchor_id, anchor, sentence_id))
                continue
            if self._counts_anchors:
                counts["anchors.written"] += 1
            counts[_READ] += 1
            reason = link_problem(text, source, destination, region, self._options)
            if reason is None:
                yield InLink(anchor_id, text, sentence_id, destination)
                continue
            counts[f"pairs-{ANCHOR_DOCUMENT}.rejected.{reason}"] += 1
            pair_id = f"{ANCHOR_DOCUMENT}:{anchor_id}"
            rejects.append(as_reject(Refusal(ANCHOR_DOCUMENT, reason, pair_id, sentence_id, anchor)))

    def _rows(self, part: TableSlice) -> Iterator[tuple]:
        columns = (*_COLUMNS, CLEAN_TEXT if self._clean else "anchor")
        for table in read_slice(part, list(dict.fromkeys(columns))):
            yield from zip(*(table[name].to_pylist() for name in columns), strict=True)


def _plain(links: InLinks) -> InLinks:
    return links._replace(texts=[tuple(text) for text in links.texts])  # type: ignore[misc]
