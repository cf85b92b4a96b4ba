"""Word sets of pages on their way to `WritePairs`, which puts each page's text beside them."""

from collections import Counter
from collections.abc import Iterable, Iterator

import apache_beam as beam

from anchormine.tasks.documents import Document
from anchormine.tasks.drafts import Refusal
from anchormine.tasks.word_set_pairs import PageSets
from anchormine.transforms.blobs import pack_placed
from anchormine.transforms.document_texts import DocumentText
from anchormine.transforms.pair_buckets import PairBuckets, as_reject


class SetsOfPages:
    """Collects the word sets of a slice's pages, and gives them to the shuffles.

    Attributes:
        refusals: of pairs that there are not.
    """

    def __init__(self, task: str, buckets: PairBuckets) -> None:
        self._task, self._buckets = task, buckets
        self._documents: list[Document] = []
        self._sets: list[PageSets] = []
        self.refusals: list[Refusal] = []

    def refuse(self, document: DocumentText, pairs: int) -> None:
        """Takes a page that can be no document, and as many pairs as it would give."""
        self.refusals.append(
            Refusal(self._task, document.reason, None, document.page_id, document.text, pairs)
        )

    def add(self, document: DocumentText, outcomes: Iterable[PageSets | Refusal]) -> None:
        """Takes what was drawn for a page."""
        drawn = len(self._sets)
        for outcome in outcomes:
            (self._sets if isinstance(outcome, PageSets) else self.refusals).append(outcome)  # type: ignore[arg-type]
        if len(self._sets) > drawn:
            self._documents.append(Document(document.page_id, document.text, ""))

    def emit(self) -> Iterator:
        """Yields the blobs of documents and sets, and what is tagged "rejects" and "counts"."""
        rows: tuple[tuple[str, list], ...] = (("documents", self._documents), ("word_sets", self._sets))
        for kind, found in rows:
            yield from pack_placed(kind, found, self._place)
        for blob in self._buckets.pack_rejects(map(as_reject, self.refusals)):
            yield beam.pvalue.TaggedOutput("rejects", blob)
        counts: Counter[str] = Counter({f"pairs-{self._task}.read": len(self._sets)})
        for refusal in self.refusals:
            counts[f"pairs-{self._task}.read"] += refusal.records
            counts[f"pairs-{self._task}.rejected.{refusal.reason}"] += refusal.records
        yield beam.pvalue.TaggedOutput("counts", dict(counts))

    def _place(self, row: Document | PageSets) -> tuple[tuple[str, int], int]:
        return self._buckets.of_document(self._task, row.page_id)
