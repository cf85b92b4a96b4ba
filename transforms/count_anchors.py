"""Counts the clean texts of a corpus' anchors, and finds the most frequent ones of each language."""

from collections import Counter
from collections.abc import Iterable, Iterator

import apache_beam as beam

from anchormine.filters.cleaning import as_typed, clean_anchor
from anchormine.filters.keywords import keyword_language
from anchormine.transforms.collect_strings import string_hash
from anchormine.transforms.options import transform_options
from anchormine.transforms.table_slices import TableSlice, read_slice

# No functional text is longer, and a person could not read a table with texts of whole pages.
_MAX_CHARACTERS = 1000
Counted = tuple[tuple[str, str], int]  # ((language, text), how often)


@transform_options
class CountAnchors(beam.PTransform):
    """Takes slices of a table of anchors, and gives one report {"frequent": list of (language, text, count)}.

    Attributes:
        most: how many texts of a language.
        buckets: among how many the texts are divided.
        language: of all anchors, over what the table says.
    """

    most: int
    buckets: int
    language: str | None = None

    def expand(self, slices: beam.PCollection) -> beam.PCollection:
        return (
            slices
            | "Count slice" >> beam.FlatMap(_count_slice, self)
            | "Group texts" >> beam.GroupByKey()
            | "Count bucket" >> beam.Map(_count_bucket, self.most)
            | "Most frequent" >> beam.CombineGlobally(MostFrequent(self.most))
            | "As report" >> beam.Map(lambda found: {"frequent": found})
        )


def _count_slice(part: TableSlice, options: CountAnchors) -> Iterator[tuple[int, list[Counted]]]:
    counts: Counter[tuple[str, str]] = Counter()
    for rows in read_slice(part, ("anchor", "language")):
        languages = rows["language"].to_pylist()
        if options.language is not None:
            languages = [options.language] * rows.num_rows
        for anchor, language in zip(rows["anchor"].to_pylist(), languages, strict=True):
            counts[keyword_language(language), as_typed(clean_anchor(anchor))] += 1
    divided: dict[int, list[Counted]] = {}
    for (language, text), count in counts.items():
        if 0 < len(text) <= _MAX_CHARACTERS:
            divided.setdefault(string_hash(text) % options.buckets, []).append(((language, text), count))
    return iter(divided.items())


def _count_bucket(group: tuple[int, Iterable[list[Counted]]], most: int) -> list[Counted]:
    counts: Counter[tuple[str, str]] = Counter()
    for part in group[1]:
        for key, count in part:
            counts[key] += count
    return most_frequent(counts.items(), most)


def most_frequent(counted: Iterable[Counted], most: int) -> list[Counted]:
    """The most frequent texts of each language, by language, then count, then text."""
    ranked = sorted(counted, key=lambda item: (item[0][0], -item[1], item[0][1]))
    seen: Counter[str] = Counter()
    kept = []
    for (language, text), count in ranked:
        seen[language] += 1
        if seen[language] <= most:
            kept.append(((language, text), count))
    return kept


class MostFrequent(beam.CombineFn):
    """Adds up what buckets, each with texts of its own, found to be most frequent."""

    def __init__(self, most: int) -> None:
        self._most = most

    def create_accumulator(self) -> list[Counted]:
        return []

    def add_input(self, kept: list[Counted], more: list[Counted]) -> list[Counted]:
        return most_frequent([*kept, *more], self._most)

    def merge_accumulators(self, parts: Iterable[list[Counted]]) -> list[Counted]:
        return most_frequent((item for part in parts for item in part), self._most)

    def extract_output(self, kept: list[Counted]) -> list[tuple[str, str, int]]:
        return [(language, text, count) for (language, text), count in kept]
