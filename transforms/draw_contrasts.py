"""Draws word sets for each page by contrastive attention: the pairs of bprop."""

from collections.abc import Iterable, Iterator

import apache_beam as beam
from apache_beam.utils.shared import Shared

from anchormine.sampling.contrast import RandomTerms
from anchormine.schemas.arrow_rows import from_ipc
from anchormine.tasks.bprop import BPROP, bprop_sets
from anchormine.transforms.blobs import unpack
from anchormine.transforms.document_texts import DocumentText
from anchormine.transforms.options import transform_options
from anchormine.transforms.page_sets import SetsOfPages
from anchormine.transforms.pair_buckets import PairBuckets
from anchormine.transforms.weigh_pages import WeighedPage


@transform_options
class DrawContrasts(beam.PTransform):
    """Takes blobs of `WeighedPage`, sums of shares (IPC bytes) and the number of documents.

    Gives what `DrawWordSets` gives.

    Attributes:
        sets: pairs of a page.
        seed: of the run.
        buckets: how the pages are divided.
    """

    sets: int
    seed: int
    buckets: PairBuckets

    def expand(
        self, inputs: tuple[beam.PCollection, beam.PCollection, beam.PCollection]
    ) -> beam.pvalue.DoOutputsTuple:
        pages, sums, documents = inputs
        return pages | "Draw" >> beam.ParDo(
            _DrawPages(self), beam.pvalue.AsList(sums), beam.pvalue.AsSingleton(documents)
        ).with_outputs("rejects", "counts", main="drawn")


class _DrawPages(beam.DoFn):
    def __init__(self, options: DrawContrasts) -> None:
        self._options, self._buckets = (options.sets, options.seed), options.buckets
        self._shared = Shared()

    def process(self, blob: bytes, sums: list[bytes], documents: int) -> Iterator:
        random = self._shared.acquire(lambda: _SharedTerms(sums, documents)).random
        found = SetsOfPages(BPROP, self._buckets)
        for page in unpack(blob, WeighedPage):
            document = DocumentText(page.page_id, page.text, None, "")
            found.add(document, bprop_sets(page.page_id, page.terms, page.shares, random, *self._options))
        yield from found.emit()


class _SharedTerms:
    """Holds the random distribution for all threads of a process, which share no tuples."""

    def __init__(self, sums: Iterable[bytes], documents: int) -> None:
        units: dict[str, int] = {}
        for data in sums:
            rows = from_ipc(data)
            units.update(zip(rows["term"].to_pylist(), rows["units"].to_pylist(), strict=True))
        self.random = RandomTerms(units, documents)
