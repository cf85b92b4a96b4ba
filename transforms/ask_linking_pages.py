"""Sends the queries of wlp to the pages that link: joins the links to each page with the queries it has."""

from collections import Counter
from collections.abc import Iterable, Iterator

import apache_beam as beam

from anchormine.tasks.drafts import Refusal
from anchormine.tasks.in_links import merge_in_links
from anchormine.tasks.wlp import WLP, LeadQueries, LinkedQuery, ask_linking_pages
from anchormine.transforms.blobs import pack_divided, unpack
from anchormine.transforms.options import transform_options
from anchormine.transforms.pair_buckets import PairBuckets, as_reject
from anchormine.transforms.read_in_links import unpack_in_links


@transform_options
class AskLinkingPages(beam.PTransform):
    """Takes PCollections of ((task, group), (bucket of pages, kind, blob)) and gives others of linking pages.

    The kinds taken are "in_links" (see `ReadInLinks`) and "queries" (`LeadQueries`), that given is "asked"
    (`LinkedQuery`): sentences alone, no text of a page. Under "rejects" there are (bucket, blob of `Reject`),
    under "counts" dictionaries of counts.

    Attributes:
        most: queries of a page, and links that are kept of it.
        buckets: how the pages are divided.
    """

    most: int
    buckets: PairBuckets

    def expand(self, inputs: tuple[beam.PCollection, ...]) -> beam.pvalue.DoOutputsTuple:
        return (
            inputs
            | "Links and queries" >> beam.Flatten()
            | "Group by page" >> beam.GroupByKey()
            | "Ask" >> beam.ParDo(_ask, self).with_outputs("rejects", "counts", main="asked")
        )


def _ask(
    group: tuple[tuple[str, int], Iterable[tuple[int, str, bytes]]], options: AskLinkingPages
) -> Iterator:
    buckets: dict[int, dict[str, list[bytes]]] = {}
    for bucket, kind, data in group[1]:
        buckets.setdefault(bucket, {"in_links": [], "queries": []})[kind].append(data)
    for bucket in sorted(buckets):
        asked: list[LinkedQuery] = []
        refusals: list[Refusal] = []
        for outcome in _outcomes(options.most, **buckets.pop(bucket)):
            (asked if isinstance(outcome, LinkedQuery) else refusals).append(outcome)  # type: ignore[arg-type]
        for (key, number), data in pack_divided(asked, lambda row: _place(row, options)):
            yield key, (number, "asked", data)
        for blob in options.buckets.pack_rejects(map(as_reject, refusals)):
            yield beam.pvalue.TaggedOutput("rejects", blob)
        counts: Counter[str] = Counter()
        for refusal in refusals:
            counts[f"pairs-{WLP}.rejected.{refusal.reason}"] += refusal.records
        yield beam.pvalue.TaggedOutput("counts", dict(counts))


def _outcomes(most: int, in_links: list[bytes], queries: list[bytes]) -> Iterator[LinkedQuery | Refusal]:
    merged = merge_in_links(unpack_in_links(in_links), most)
    linked = {page.page_id for page in merged}
    rows = (row for data in queries for row in unpack(data, LeadQueries))
    leads = {row.page_id: row for row in rows if row.page_id in linked}
    for page in merged:
        yield from ask_linking_pages(page, leads.get(page.page_id))


def _place(row: LinkedQuery, options: AskLinkingPages) -> tuple[tuple[str, int], int]:
    return options.buckets.of_document(WLP, row.page_id)
