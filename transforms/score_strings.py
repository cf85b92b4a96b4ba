"""Scores the distinct texts of a corpus by the query classifier, each once."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import apache_beam as beam
import numpy as np

from anchormine.filters.classifier_options import ClassifierOptions
from anchormine.transforms.collect_strings import string_hash
from anchormine.transforms.load_classifier import load_classifier
from anchormine.transforms.options import transform_options


class Scored(NamedTuple):
    """What `ScoreStrings` gives.

    Attributes:
        answers: (unit, (hashes [T] uint64, scores [T] int32)), for the texts of a unit; scores are
            in ten-thousandths.
        histogram: one dictionary: how many distinct texts have a score, by score.
        reports: {"counts"}: "texts.unknown", see `mostly_unknown`.
    """

    answers: beam.PCollection
    histogram: beam.PCollection
    reports: beam.PCollection


@transform_options
class ScoreStrings(beam.PTransform):
    """Takes (bucket, (unit, texts)), and gives `Scored`.

    A bucket's texts are scored together, in the order of their characters: batches, in whose shape a score's
    last digits are, so hang on the corpus alone, and not on how a runner bundles.

    Attributes:
        classifier: which, and where it computes.
    """

    classifier: ClassifierOptions

    def expand(self, strings: beam.PCollection) -> Scored:
        scored = (
            strings
            | "Group strings" >> beam.GroupByKey()
            | "Score"
            >> beam.ParDo(_ScoreBucket(self.classifier)).with_outputs("histogram", "reports", main="answers")
        )
        histogram = scored["histogram"] | "Sum histogram" >> beam.CombineGlobally(_add_up)
        return Scored(scored["answers"], histogram, scored["reports"])


class _ScoreBucket(beam.DoFn):
    def __init__(self, options: ClassifierOptions) -> None:
        self._options = options

    def process(self, group: tuple[int, Iterable[tuple[int, list[str]]]]) -> Iterator:
        units: dict[int, set[str]] = {}
        for unit, some in group[1]:
            units.setdefault(unit, set()).update(some)
        texts = sorted(set().union(*units.values()))
        found = load_classifier(self._options).score(texts)
        scores = dict(zip(texts, found.scores.tolist(), strict=True))
        for unit, own in units.items():
            hashes = np.fromiter(map(string_hash, own), np.uint64, len(own))
            yield unit, (hashes, np.fromiter((scores[text] for text in own), np.int32, len(own)))
        yield beam.pvalue.TaggedOutput("histogram", Counter(scores.values()))
        yield beam.pvalue.TaggedOutput("reports", {"counts": {"texts.unknown": found.unknown}})


def _add_up(parts: Iterable[Counter[int]]) -> Counter[int]:
    total: Counter[int] = Counter()
    for part in parts:
        total.update(part)
    return total
