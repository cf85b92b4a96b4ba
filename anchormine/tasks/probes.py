"""A sample of occurrences whose queries are drawn in all ways of weighing, to compare the ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from anchormine.sampling.draws import uniform
from anchormine.sampling.weighers import WeighingOptions
from anchormine.sampling.weights import SpanText, TextWeights, Weigher
from anchormine.tasks.drafts import Terms, terms_of
from anchormine.tasks.queries import anchor_query
from anchormine.tasks.sentence_candidates import LinkedSentence


class Probe(NamedTuple):
    """An occurrence whose query is drawn in all ways.

    Attributes:
        page_id: of its destination.
        anchor: its text.
        terms: drawn, by way of weighing.
    """

    page_id: str
    anchor: str
    terms: dict[str, Terms]


def texts_of(sentences: Sequence[LinkedSentence]) -> list[SpanText]:
    """The sentences as texts to weigh, with a span for each anchor."""
    return [
        SpanText(sentence.text, [anchor[2:4] for anchor in sentence.anchors], sentence.language)
        for sentence in sentences
    ]


def draw_probes(
    sentences: Sequence[LinkedSentence],
    weighed: Sequence[TextWeights],
    weighing: WeighingOptions,
    others: Mapping[str, Weigher],
    share: float,
    seed: int,
) -> Iterator[Probe]:
    """Draws the queries of a sample of occurrences.

    Args:
        sentences: any.
        weighed: the weights of each, as `weighing` says.
        weighing: of the run.
        others: the ways to compare with.
        share: of the occurrences that are probed, 0 to 1.
        seed: of the run.

    Yields:
        One for each occurrence of the sample for which every way has terms.
    """
    chosen = {
        number: places
        for number, sentence in enumerate(sentences)
        if (places := _chosen_places(sentence, share, seed))
    }
    texts = texts_of([sentences[number] for number in chosen])
    ways = {way: dict(zip(chosen, weigher.weigh(texts), strict=True)) for way, weigher in others.items()}
    ways[weighing.weights] = {number: weighed[number] for number in chosen}
    for number, places in chosen.items():
        for place in places:
            anchor = sentences[number].anchors[place]
            queries = {
                way: anchor_query(
                    anchor.anchor_id, anchor.anchor, weights[number].spans[place], weighing.profile, seed
                )
                for way, weights in ways.items()
            }
            terms = {
                way: terms_of(query.terms) for way, query in queries.items() if not isinstance(query, str)
            }
            if len(terms) == len(ways):
                yield Probe(anchor.destination, anchor.anchor, terms)


def _chosen_places(sentence: LinkedSentence, share: float, seed: int) -> list[int]:
    return [
        place
        for place, anchor in enumerate(sentence.anchors)
        if uniform(seed, anchor.anchor_id, "probe") < share
    ]
