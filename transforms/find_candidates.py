"""Weighs the terms of sentences, and finds the candidate pairs in them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import apache_beam as beam

from anchormine.sampling.tfidf import DocumentFrequencies
from anchormine.sampling.weighers import WeighingOptions
from anchormine.schemas.rejects import Reject
from anchormine.tasks.drafts import DRAWN_PAGE, Ask, Candidates, Draft, StringUse, no_candidates
from anchormine.tasks.page_answers import CorpusParts, draw_part
from anchormine.tasks.probes import Probe, draw_probes, texts_of
from anchormine.tasks.sentence_candidates import add_candidates
from anchormine.tasks.string_candidates import StringGroup, group_strings, merge_groups, qdm_candidates
from anchormine.transforms.blobs import pack_divided, pack_placed, unpack
from anchormine.transforms.load_weigher import load_weigher
from anchormine.transforms.options import transform_options
from anchormine.transforms.pair_buckets import PairBuckets, as_reject
from anchormine.transforms.progress import Heartbeat
from anchormine.transforms.read_sentences import SentenceSlice


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
        self._buckets, self._seed = options.buckets, options.seed

    def emit(self, found: Candidates, parts: CorpusParts) -> Iterator:
        drafts, asks, refusals = found
        yield from pack_placed("drafts", drafts, self._pair_bucket)
        for page_bucket, data in pack_divided(asks, lambda ask: self._page_bucket(ask, parts)):
            yield beam.pvalue.TaggedOutput("asks", (page_bucket, ("asks", data)))
        yield from self.emit_rejects(map(as_reject, refusals))
        counts: Counter[str] = Counter()
        for draft in drafts:
            counts[f"pairs-{draft.task}.read"] += 1
        for refusal in refusals:
            counts[f"pairs-{refusal.task}.read"] += refusal.records
            counts[f"pairs-{refusal.task}.rejected.{refusal.reason}"] += refusal.records
        yield beam.pvalue.TaggedOutput("counts", dict(counts))

    def emit_rejects(self, rejects: Iterable[Reject]) -> Iterator:
        for blob in self._buckets.pack_rejects(rejects):
            yield beam.pvalue.TaggedOutput("rejects", blob)

    def emit_strings(self, groups: Iterable[StringGroup]) -> Iterator:
        for blob in pack_divided(map(_plain, groups), lambda row: self._buckets.of_string(row[0])):
            yield beam.pvalue.TaggedOutput("strings", blob)

    def emit_probes(self, probes: Iterable[Probe]) -> Iterator:
        for bucket, data in pack_divided(probes, lambda probe: self._buckets.of_page(probe.page_id)):
            yield beam.pvalue.TaggedOutput("asks", (bucket, ("probes", data)))

    def _pair_bucket(self, draft: Draft) -> tuple[tuple[str, int], int]:
        return self._buckets.of_pair(draft.task, draft.pair_id)

    def _page_bucket(self, ask: Ask, parts: CorpusParts) -> int:
        if ask.slot == DRAWN_PAGE:
            return draw_part(ask.pair_id, parts, self._seed)
        return self._buckets.of_page(ask.page_id)


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
        self, part: SentenceSlice, frequencies: DocumentFrequencies, usable_pages: dict[int, int]
    ) -> Iterator:
        weighed = load_weigher(self._weighing, frequencies).weigh(texts_of(part.sentences))
        found, uses = no_candidates(), []
        profile = self._weighing.profile
        for sentence, weights in zip(part.sentences, weighed, strict=True):
            uses += add_candidates(sentence, weights, self._tasks, profile, self._seed, found)
        yield from self._emitter.emit(found, CorpusParts.of(usable_pages))
        yield from self._emitter.emit_rejects(part.rejects)
        yield from self._emitter.emit_strings(group_strings(uses, profile))
        if self._probe_share:
            ways = {"tfidf", "uniform"} - {self._weighing.weights}
            others = {way: load_weigher(self._weighing.by(way), frequencies) for way in sorted(ways)}
            probes = draw_probes(
                part.sentences, weighed, self._weighing, others, self._probe_share, self._seed
            )
            yield from self._emitter.emit_probes(probes)
        yield beam.pvalue.TaggedOutput("counts", part.counts)
        anchors = part.counts.get("anchors.read", 0)
        self._heartbeat.beat(flush=True, anchors=anchors, rejects=len(part.rejects))


class _FindAmbiguous(beam.DoFn):
    """Makes QDM's candidates of the strings of a bucket."""

    def __init__(self, options: FindCandidates) -> None:
        self._profile, self._seed = options.weighing.profile, options.seed
        self._emitter = _Emitter(options)

    def process(self, group: tuple[int, Iterable[bytes]]) -> Iterator:
        groups = (_string_group(row) for data in group[1] for row in unpack(data, StringGroup))
        found = qdm_candidates(merge_groups(groups, self._profile), self._seed)
        yield from self._emitter.emit(found, CorpusParts.of({}))  # QDM draws no pages


def _plain(group: StringGroup) -> tuple:
    return (group.string, group.destinations, [tuple(use) for use in group.uses], group.occurrences)


def _string_group(row: StringGroup) -> StringGroup:
    return row._replace(uses=[StringUse(*use) for use in row.uses])
