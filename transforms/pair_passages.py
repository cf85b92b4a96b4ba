"""Reads a folder's pages, and pairs the passages of each."""

from collections import Counter
from collections.abc import Iterator

import apache_beam as beam

from anchormine.schemas.pairs import Pair
from anchormine.tasks.codoc import CODOC, CodocOptions, codoc_pairs
from anchormine.tasks.documents import document_problem
from anchormine.tasks.drafts import Refusal
from anchormine.text.model import SentenceModel
from anchormine.text.sentences import sentence_model
from anchormine.transforms.blobs import pack_divided
from anchormine.transforms.options import transform_options
from anchormine.transforms.pair_buckets import PairBuckets, as_reject
from anchormine.transforms.progress import Heartbeat
from anchormine.transforms.table_slices import TableSlice, read_slice

_COLUMNS = ("page_id", "text", "language")


@transform_options
class PairPassages(beam.PTransform):
    """Gives ((task, group), (bucket of pages, "pairs", blob of `Pair`)).

    Under "rejects" there are (bucket, blob of `Reject`), under "counts" dictionaries of counts.

    Attributes:
        slices: of the table of pages.
        options: of the pairs.
        seed: of the run.
        buckets: how the pages are divided.
        min_words: pages whose text has fewer words are no documents.
        language: of all pages, over what the table says.
        progress: folder for heartbeats.
    """

    slices: tuple[TableSlice, ...]
    options: CodocOptions
    seed: int
    buckets: PairBuckets
    min_words: int = 0
    language: str | None = None
    progress: str | None = None

    def expand(self, pipeline: beam.Pipeline) -> beam.pvalue.DoOutputsTuple:
        return (
            pipeline
            | "Slices" >> beam.Create(self.slices, reshuffle=False)
            | "Spread" >> beam.Reshuffle()
            | "Pair" >> beam.ParDo(_PairPassages(self)).with_outputs("rejects", "counts", main="pairs")
        )


class _PairPassages(beam.DoFn):
    def __init__(self, transform: PairPassages) -> None:
        self._options, self._seed, self._buckets = transform.options, transform.seed, transform.buckets
        self._min_words, self._language = transform.min_words, transform.language
        self._progress = transform.progress

    def setup(self) -> None:
        self._heartbeat = Heartbeat(self._progress)
        self._models: dict[str, SentenceModel] = {}

    def process(self, part: TableSlice) -> Iterator:
        pairs: list[Pair] = []
        refusals: list[Refusal] = []
        for page_id, text, language in _rows(part):
            for outcome in self._outcomes(page_id, text, self._language or language or ""):
                (pairs if isinstance(outcome, Pair) else refusals).append(outcome)  # type: ignore[arg-type]
            self._heartbeat.beat(pages=1)
        for (key, bucket), data in pack_divided(pairs, self._place):
            yield key, (bucket, "pairs", data)
        for blob in self._buckets.pack_rejects(map(as_reject, refusals)):
            yield beam.pvalue.TaggedOutput("rejects", blob)
        yield beam.pvalue.TaggedOutput("counts", _counts(pairs, refusals))
        self._heartbeat.beat(flush=True, rejects=len(refusals))

    def _outcomes(self, page_id: str, text: str, language: str) -> Iterator[Pair | Refusal]:
        reason = document_problem(text, text, self._min_words)
        if reason:
            yield Refusal(CODOC, reason, None, page_id, text, self._options.pairs_per_page)
            return
        model = self._models.get(language)
        if model is None:
            model = self._models[language] = sentence_model(language)
        yield from codoc_pairs(page_id, text, model, self._options, self._seed)

    def _place(self, pair: Pair) -> tuple[tuple[str, int], int]:
        return self._buckets.of_document(CODOC, pair.document_id)


def _rows(part: TableSlice) -> Iterator[tuple[str, str, str | None]]:
    for table in read_slice(part, _COLUMNS):
        yield from zip(*(table[name].to_pylist() for name in _COLUMNS), strict=True)


def _counts(pairs: list[Pair], refusals: list[Refusal]) -> dict[str, int]:
    """Counts of what was read, and of what is refused here; what is written is counted where it is."""
    counts: Counter[str] = Counter({f"pairs-{CODOC}.read": len(pairs)})
    for refusal in refusals:
        counts[f"pairs-{CODOC}.read"] += refusal.records
        counts[f"pairs-{CODOC}.rejected.{refusal.reason}"] += refusal.records
    return dict(counts)
