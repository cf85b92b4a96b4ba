"""Lets pages answer what pairs ask of them: leads, queries of their words, pages drawn from the corpus."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import apache_beam as beam

from anchormine.sampling.draws import DrawnTerm
from anchormine.sampling.lead_overlap import lead_overlap
from anchormine.sampling.weighers import WeighingOptions
from anchormine.tasks.drafts import Answer, Ask
from anchormine.tasks.page_answers import LeadPage, answer_asks
from anchormine.tasks.probes import Probe
from anchormine.transforms.blobs import pack, unpack
from anchormine.transforms.load_weigher import load_weigher
from anchormine.transforms.options import transform_options
from anchormine.transforms.pair_buckets import PairBuckets


@transform_options
class AnswerPages(beam.PTransform):
    """Takes (pages, asks, frequencies), and gives ((task, group), (bucket, "answers", blob)).

    Under "counts" there are the counts of the probes.

    Attributes:
        weighing: how terms are weighed.
        seed: of the run.
        buckets: how the work is divided.
    """

    weighing: WeighingOptions
    seed: int
    buckets: PairBuckets

    def expand(
        self, inputs: tuple[beam.PCollection, beam.PCollection, beam.PCollection]
    ) -> beam.pvalue.DoOutputsTuple:
        pages, asks, frequencies = inputs
        return (
            (pages, asks)
            | "Pages and asks" >> beam.Flatten()
            | "Group by page" >> beam.GroupByKey()
            | "Answer"
            >> beam.ParDo(_AnswerPages(self), beam.pvalue.AsSingleton(frequencies)).with_outputs(
                "counts", main="answers"
            )
        )


class _AnswerPages(beam.DoFn):
    def __init__(self, options: AnswerPages) -> None:
        self._weighing, self._seed, self._buckets = options.weighing, options.seed, options.buckets

    def process(self, group: tuple[int, Iterable[tuple[str, bytes]]], frequencies: Any) -> Iterator:
        blobs: dict[str, list[bytes]] = {"pages": [], "asks": [], "probes": []}
        for kind, data in group[1]:
            blobs[kind].append(data)
        if not blobs["asks"] and not blobs["probes"]:
            return
        pages = sorted(page for data in blobs["pages"] for page in unpack(data, LeadPage))
        asks = sorted(ask for data in blobs["asks"] for ask in unpack(data, Ask))
        weigher = load_weigher(self._weighing, frequencies)
        answers = answer_asks(asks, pages, weigher, self._weighing.profile, self._seed)
        yield from self._pack(answers)
        probes = (probe for data in blobs["probes"] for probe in unpack(data, Probe))
        yield beam.pvalue.TaggedOutput("counts", _overlaps(probes, pages))

    def _pack(self, answers: Iterable[Answer]) -> Iterator:
        """Each lead is written once a blob, however many pairs have asked for it."""
        divided: dict[tuple, tuple[dict[str, int], list[tuple[int, Answer]]]] = {}
        for answer in answers:
            place = self._buckets.of_pair(answer.pair_id.partition(":")[0], answer.pair_id)
            texts, rows = divided.setdefault(place, ({}, []))
            rows.append((texts.setdefault(answer.text, len(texts)), answer._replace(text="")))
        for (key, bucket), (texts, rows) in divided.items():
            plain = [(number, tuple(answer)) for number, answer in rows]
            yield key, (bucket, "answers", pack([(list(texts), plain)]))


class _Blob(NamedTuple):
    """Texts, and answers each with its text's number."""

    texts: list[str]
    answers: list[tuple[int, tuple]]


def unpack_answers(data: bytes) -> Iterator[Answer]:
    """Yields the answers of a blob."""
    for texts, answers in unpack(data, _Blob):
        for number, answer in answers:
            yield Answer(*answer)._replace(text=texts[number])


def _overlaps(probes: Iterable[Probe], pages: Iterable[LeadPage]) -> dict[str, int]:
    leads = {page.page_id: page.lead for page in pages if not page.reason}
    counts: Counter[str] = Counter()
    for page_id, anchor, terms in probes:
        if page_id in leads:
            counts["overlap.occurrences"] += 1
            for way, drawn in terms.items():
                overlap = lead_overlap([DrawnTerm(*term) for term in drawn], anchor, leads[page_id])
                counts[f"overlap.{way}.drawn"] += overlap.drawn
                counts[f"overlap.{way}.found"] += overlap.found
    return dict(counts)
