"""Reads a folder's pages, and pairs the passages of each; for wlp, takes out what other pages need of it."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import apache_beam as beam
import numpy as np

from anchormine.schemas.pairs import Pair
from anchormine.tasks.bfs import BFS, bfs_pairs
from anchormine.tasks.codoc import CODOC, codoc_pairs
from anchormine.tasks.documents import document_problem
from anchormine.tasks.drafts import Refusal
from anchormine.tasks.ict import ICT, ict_pairs
from anchormine.tasks.page_passages import PagePassages, PassageOptions
from anchormine.tasks.wlp import WLP, LeadQueries, LinkingPassages, lead_queries, linking_passages
from anchormine.text.model import SentenceModel
from anchormine.text.sentences import sentence_model
from anchormine.transforms.blobs import pack_placed
from anchormine.transforms.options import transform_options
from anchormine.transforms.pair_buckets import PairBuckets, as_reject
from anchormine.transforms.progress import Heartbeat
from anchormine.transforms.table_slices import TableSlice, read_slice

_COLUMNS = ("page_id", "text", "lead", "language")
_PAIRED: dict[str, Callable[[PagePassages, int], Iterator[Pair | Refusal]]] = {
    ICT: ict_pairs,
    BFS: bfs_pairs,
    CODOC: codoc_pairs,
}


class PageSlice(NamedTuple):
    """A slice of the table of pages, and the tasks that it is read for."""

    part: TableSlice
    tasks: tuple[str, ...]


@transform_options
class PairPassages(beam.PTransform):
    """Takes `RepeatedSentences`, and gives ((task, group), (bucket of pages, "pairs", blob of `Pair`)).

    Under "queries" and "passages" there is what wlp takes from page to page, blobs of `LeadQueries` and of
    `LinkingPassages` in the same form; under "rejects" there are (bucket, blob of `Reject`), under "counts"
    dictionaries of counts.

    Attributes:
        slices: of the pages.
        options: of the pairs.
        seed: of the run.
        buckets: how the pages are divided.
        min_words: pages whose text has fewer words are no documents.
        language: of all pages, over what the table says.
        progress: folder for heartbeats.
    """

    slices: tuple[PageSlice, ...]
    options: PassageOptions
    seed: int
    buckets: PairBuckets
    min_words: int = 0
    language: str | None = None
    progress: str | None = None

    def expand(self, repeated: beam.PCollection) -> beam.pvalue.DoOutputsTuple:
        return (
            repeated.pipeline
            | "Slices" >> beam.Create(self.slices, reshuffle=False)
            | "Spread" >> beam.Reshuffle()
            | "Pair"
            >> beam.ParDo(_PairPassages(self), beam.pvalue.AsSingleton(repeated)).with_outputs(
                "queries", "passages", "rejects", "counts", main="pairs"
            )
        )


class _PairPassages(beam.DoFn):
    def __init__(self, transform: PairPassages) -> None:
        self._options, self._seed, self._buckets = transform.options, transform.seed, transform.buckets
        self._min_words, self._language = transform.min_words, transform.language
        self._progress = transform.progress

    def setup(self) -> None:
        self._heartbeat = Heartbeat(self._progress)
        self._models: dict[str, SentenceModel] = {}

    def process(self, work: PageSlice, repeated: np.ndarray) -> Iterator:
        for table in read_slice(work.part, _COLUMNS):
            found = _Found([], [], [], [])
            for row in zip(*(table[name].to_pylist() for name in _COLUMNS), strict=True):
                self._add(found, work.tasks, repeated, *row)
            yield from self._packed(found)
            self._heartbeat.beat(pages=table.num_rows, rejects=len(found.refusals))
        self._heartbeat.beat(flush=True)

    def _add(
        self,
        found: "_Found",
        tasks: Sequence[str],
        repeated: np.ndarray,
        page_id: str,
        text: str,
        lead: str,
        language: str | None,
    ) -> None:
        """Adds what a page gives to the tasks."""
        model = self._model(self._language or language or "")
        page = PagePassages(page_id, text, lead, model, self._options, repeated)
        problem = document_problem(text, text, self._min_words)
        for outcome in (outcome for task in tasks for outcome in self._outcomes(task, page, problem)):
            (found.pairs if isinstance(outcome, Pair) else found.refusals).append(outcome)  # type: ignore[arg-type]
        if WLP in tasks:
            found.queries.append(lead_queries(page, self._seed))
            found.passages.append(linking_passages(page, problem, self._seed))

    def _outcomes(self, task: str, page: PagePassages, problem: str) -> Iterator[Pair | Refusal]:
        if task not in _PAIRED:
            return
        if problem:
            yield Refusal(task, problem, None, page.page_id, page.text, self._options.pairs_per_page)
        else:
            yield from _PAIRED[task](page, self._seed)

    def _model(self, language: str) -> SentenceModel:
        model = self._models.get(language)
        if model is None:
            model = self._models[language] = sentence_model(language)
        return model

    def _packed(self, found: "_Found") -> Iterator:
        yield from pack_placed("pairs", found.pairs, self._place)
        yield from self._packed_linked("queries", found.queries)
        yield from self._packed_linked("passages", found.passages)
        for blob in self._buckets.pack_rejects(map(as_reject, found.refusals)):
            yield beam.pvalue.TaggedOutput("rejects", blob)
        yield beam.pvalue.TaggedOutput("counts", _counts(found))

    def _packed_linked(self, kind: str, rows: Sequence[tuple]) -> Iterator[beam.pvalue.TaggedOutput]:
        """Packs rows that begin with a page_id."""
        for placed in pack_placed(kind, rows, lambda row: self._buckets.of_document(WLP, row[0])):
            yield beam.pvalue.TaggedOutput(kind, placed)

    def _place(self, pair: Pair) -> tuple[tuple[str, int], int]:
        return self._buckets.of_document(pair.task, pair.document_id)


class _Found(NamedTuple):
    """What some pages give."""

    pairs: list[Pair]
    refusals: list[Refusal]
    queries: list[LeadQueries]
    passages: list[LinkingPassages]


def _counts(found: _Found) -> dict[str, int]:
    """Counts of what was read, and of what is refused here; what is written is counted where it is."""
    counts = Counter(f"pairs-{pair.task}.read" for pair in found.pairs)
    for refusal in found.refusals:
        counts[f"pairs-{refusal.task}.read"] += refusal.records
        counts[f"pairs-{refusal.task}.rejected.{refusal.reason}"] += refusal.records
    return dict(counts)
