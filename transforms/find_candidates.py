"""Weighs the terms of sentences, and finds the candidate pairs in them."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import NamedTuple, TypeVar

import apache_beam as beam

from anchormine.sampling.draws import uniform
from anchormine.sampling.tfidf import DocumentFrequencies
from anchormine.sampling.weighers import WEIGHTS, WeighingOptions
from anchormine.sampling.weights import SpanText
from anchormine.schemas.rejects import EXCERPT_CHARACTERS, Reject
from anchormine.tasks.drafts import DRAWN_PAGE, Ask, Draft, Refusal, StringUse
from anchormine.tasks.page_answers import draw_part
from anchormine.tasks.queries import anchor_query
from anchormine.tasks.sentence_anchors import CAPPED
from anchormine.tasks.sentence_candidates import Candidates, add_candidates
from anchormine.tasks.string_candidates import StringGroup, group_strings, merge_groups, qdm_candidates
from anchormine.transforms.blobs import pack, unpack
from anchormine.transforms.load_weigher import load_weigher
from anchormine.transforms.options import transform_options
from anchormine.transforms.pair_buckets import PairBuckets
from anchormine.transforms.progress import Heartbeat
from anchormine.transforms.read_sentences import SentenceSlice

K = TypeVar("K", bound=Hashable)
R = TypeVar("R", bound=tuple)


class Probe(NamedTuple):
    """An occurrence whose query is drawn in all ways of weighing, to compare them.

    Attributes:
        page_id: of its destination.
        anchor: its text.
        terms: drawn, by way of weighing.
    """

    page_id: str
    anchor: str
    terms: dict[str, list[tuple[str, float]]]


class Found(NamedTuple):
    """What `FindCandidates` gives.

    Attributes:
        drafts: ((task, group), (bucket, "drafts", blob of `Draft`)).
        asks: (page bucket, ("asks", blob of `Ask`)); for `Probe` ("probes", blob).
        rejects: (bucket, blob of `Reject`).
        counts: dictionaries of counts.
    """

    drafts: beam.PCollection
    asks: beam.PCollection
    rejects: beam.PCollection
    counts: beam.PCollection


@transform_options
class FindCandidates(beam.PTransform):
    """Takes (`SentenceSlice`s, the frequencies and usable pages of a `Corpus`), and gives `Found`.

    Attributes:
        tasks: of `anchormine.schemas.pairs.TASKS`.
        weighing: how terms are weighed.
        seed: of the run.
        buckets: how the work is divided.
        probe_share: part of the occurrences whose queries are drawn in all ways, 0 to 1.
        progress: folder for heartbeats.
    """

    tasks: tuple[str, ...]
    weighing: WeighingOptions
    seed: int
    buckets: PairBuckets
    probe_share: float
    progress: str | None = None

    def expand(self, inputs: tuple[beam.PCollection, beam.PCollection, beam.PCollection]) -> Found:
        slices, frequencies, usable_pages = inputs
        tags = ("asks", "rejects", "counts")
        found = slices | "Weigh sentences" >> beam.ParDo(
            _WeighSentences(self), beam.pvalue.AsSingleton(frequencies), beam.pvalue.AsDict(usable_pages)
        ).with_outputs("strings", *tags, main="drafts")
        if "qdm" not in self.tasks:
            return Found(found["drafts"], found["asks"], found["rejects"], found["counts"])
        strings = (
            found["strings"]
            | "Group strings" >> beam.GroupByKey()
            | "Ambiguous strings" >> beam.ParDo(_FindAmbiguous(self)).with_outputs(*tags, main="drafts")
        )
        return Found(
            *((found[tag], strings[tag]) | f"All {tag}" >> beam.Flatten() for tag in ("drafts", *tags))
        )


class _Emitter:
    """Packs what candidates give for the shuffles."""

    def __init__(self, options: FindCandidates) -> None:
        self.buckets = options.buckets
        self.seed = options.seed

    def emit(
        self, drafts: list[Draft], asks: list[Ask], refusals: list[Refusal], usable: dict[int, int]
    ) -> Iterator:
        by_pair = _divided(drafts, lambda draft: self.buckets.of_pair(draft.task, draft.pair_id))
        for (key, bucket), rows in by_pair.items():
            yield key, (bucket, "drafts", pack(rows))
        by_page = _divided(asks, lambda ask: self._page_bucket(ask, usable))
        for page_bucket, asked in by_page.items():
            yield beam.pvalue.TaggedOutput("asks", (page_bucket, ("asks", pack(asked))))
        # A sentence of 200 links has 40,000 candidates: those beyond the cap are counted, and not listed.
        rejects = [_as_reject(refusal) for refusal in refusals if refusal.reason != CAPPED]
        yield from self.emit_rejects(rejects)
        counts: Counter[str] = Counter()
        for draft in drafts:
            counts[f"pairs-{draft.task}.read"] += 1
        for refusal in refusals:
            counts[f"pairs-{refusal.task}.read"] += 1
            counts[f"pairs-{refusal.task}.rejected.{refusal.reason}"] += 1
        yield beam.pvalue.TaggedOutput("counts", dict(counts))

    def emit_rejects(self, rejects: list[Reject]) -> Iterator:
        for bucket, rows in _divided(rejects, lambda reject: self.buckets.of_reject(reject.origin)).items():
            yield beam.pvalue.TaggedOutput("rejects", (bucket, pack(rows)))

    def _page_bucket(self, ask: Ask, usable: dict[int, int]) -> int:
        if ask.slot != DRAWN_PAGE:
            return self.buckets.of_page(ask.page_id)
        return draw_part(ask.pair_id, usable, self.seed) or 0


def _as_reject(refusal: Refusal) -> Reject:
    unit = f"pairs-{refusal.task}"
    excerpt = refusal.excerpt[:EXCERPT_CHARACTERS]
    return Reject("pairs", refusal.reason, unit, refusal.record_id, refusal.origin, excerpt)


def _divided(rows: Iterable[R], key: Callable[[R], K]) -> dict[K, list[R]]:
    divided: dict[K, list[R]] = {}
    for row in rows:
        divided.setdefault(key(row), []).append(row)
    return divided


class _WeighSentences(beam.DoFn):
    """Encodes each sentence once for all of its anchors."""

    def __init__(self, options: FindCandidates) -> None:
        self._tasks, self._weighing, self._seed = options.tasks, options.weighing, options.seed
        self._probe_share = options.probe_share
        self._emitter = _Emitter(options)
        self._progress = options.progress

    def setup(self) -> None:
        self._heartbeat = Heartbeat(self._progress)

    def process(
        self, part: SentenceSlice, frequencies: DocumentFrequencies | None, usable_pages: dict[int, int]
    ) -> Iterator:
        sentences = part.sentences
        texts = [
            SpanText(sentence.text, [anchor[2:4] for anchor in sentence.anchors], sentence.language)
            for sentence in sentences
        ]
        weighed = load_weigher(self._weighing, frequencies).weigh(texts)
        found = Candidates([], [], [], [])
        profile = self._weighing.profile
        for sentence, weights in zip(sentences, weighed, strict=True):
            add_candidates(sentence, weights, self._tasks, profile, self._seed, found)
        yield from self._emitter.emit(found.drafts, found.asks, found.refusals, usable_pages)
        yield from self._emitter.emit_rejects(part.rejects)
        yield beam.pvalue.TaggedOutput("counts", part.counts)
        yield from self._strings(found)
        yield from self._probes(part, texts, weighed, frequencies)
        self._heartbeat.beat(
            flush=True, anchors=part.counts.get("anchors.read", 0), rejects=len(part.rejects)
        )

    def _strings(self, found: Candidates) -> Iterator:
        groups = group_strings(found.strings, self._weighing.profile)
        for bucket, rows in _divided(
            groups, lambda group: self._emitter.buckets.of_string(group.string)
        ).items():
            data = pack(
                (row.string, row.destinations, [tuple(use) for use in row.uses], row.occurrences)
                for row in rows
            )
            yield beam.pvalue.TaggedOutput("strings", (bucket, data))

    def _probes(self, part: SentenceSlice, texts, weighed, frequencies) -> Iterator:  # type: ignore[no-untyped-def]
        """Draws the queries of a sample of occurrences in all three ways."""
        if not self._probe_share or frequencies is None or self._weighing.profile.unit == "pieces":
            return
        chosen = [
            (number, place)
            for number, sentence in enumerate(part.sentences)
            for place, anchor in enumerate(sentence.anchors)
            if uniform(self._seed, anchor.anchor_id, "probe") < self._probe_share
        ]
        numbers = sorted({number for number, _ in chosen})
        ways = {self._weighing.weights: dict(zip(range(len(weighed)), weighed, strict=True))}
        for way in {*WEIGHTS[1:]} - {*ways}:
            options = WeighingOptions(
                way, profile=self._weighing.profile, stop_words=self._weighing.stop_words
            )
            again = load_weigher(options, frequencies).weigh([texts[number] for number in numbers])
            ways[way] = dict(zip(numbers, again, strict=True))
        probes = []
        for number, place in chosen:
            anchor = part.sentences[number].anchors[place]
            terms = {}
            for way, weights in ways.items():
                query = anchor_query(
                    anchor.anchor_id,
                    anchor.anchor,
                    weights[number].spans[place],
                    self._weighing.profile,
                    self._seed,
                )
                if not isinstance(query, str):
                    terms[way] = [(term.term, term.weight) for term in query.terms]
            if len(terms) == len(ways):
                probes.append(Probe(anchor.destination, anchor.anchor, terms))
        for bucket, rows in _divided(
            probes, lambda probe: self._emitter.buckets.of_page(probe.page_id)
        ).items():
            yield beam.pvalue.TaggedOutput("asks", (bucket, ("probes", pack(rows))))


class _FindAmbiguous(beam.DoFn):
    """Makes QDM's candidates of the strings of a bucket."""

    def __init__(self, options: FindCandidates) -> None:
        self._profile, self._seed = options.weighing.profile, options.seed
        self._emitter = _Emitter(options)

    def process(self, group: tuple[int, Iterable[bytes]]) -> Iterator:
        groups = (_string_group(row) for data in group[1] for row in unpack(data, StringGroup))
        found = qdm_candidates(merge_groups(groups, self._profile), self._seed)
        for item in self._emitter.emit(found.drafts, found.asks, found.refusals, {}):
            if not (isinstance(item, beam.pvalue.TaggedOutput) and item.tag == "counts"):
                yield item
        counts = Counter(found.counts)
        for refusal in found.refusals:
            counts[f"pairs-qdm.rejected.{refusal.reason}"] += 1
        yield beam.pvalue.TaggedOutput("counts", dict(counts))


def _string_group(row: StringGroup) -> StringGroup:
    return row._replace(uses=[StringUse(*use) for use in row.uses])
