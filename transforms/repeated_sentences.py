"""Finds the sentences that page after page has, by which no page can be told."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

import apache_beam as beam
import numpy as np

from anchormine.tasks.page_passages import PagePassages, PassageOptions, sentence_hash
from anchormine.text.sentences import sentence_model
from anchormine.transforms.options import transform_options
from anchormine.transforms.table_slices import TableSlice, read_slice

_COLUMNS = ("text", "lead", "language")
_PAGES_PER_BUCKET = 50_000  # of some twenty sentences, 8 bytes each
_model = lru_cache(256)(sentence_model)


@transform_options
class RepeatedSentences(beam.PTransform):
    """Gives one sorted array [sentences] uint64, `sentence_hash` of those that are on too many pages.

    8 bytes a sentence: all workers hold it.

    Attributes:
        slices: of the pages.
        rows: how many pages they have.
        options: how long queries are, and how many pages may have one.
        language: of all pages, over what the table says.
    """

    slices: tuple[TableSlice, ...]
    rows: int
    options: PassageOptions
    language: str | None = None

    def expand(self, pipeline: beam.Pipeline) -> beam.PCollection:
        return (
            pipeline
            | "Page slices" >> beam.Create(self.slices, reshuffle=False).with_output_types(TableSlice)
            | "Spread pages" >> beam.Reshuffle()
            | "Hash sentences" >> beam.FlatMap(_hash_sentences, self)
            | "Group" >> beam.GroupByKey()
            | "Count pages" >> beam.Map(_repeated, self.options.query_pages)
            | "Join" >> beam.CombineGlobally(_join)
        )


def _hash_sentences(part: TableSlice, transform: RepeatedSentences) -> Iterator[tuple[int, bytes]]:
    buckets = np.uint64(1 + transform.rows // _PAGES_PER_BUCKET)
    for table in read_slice(part, _COLUMNS):
        hashes: list[int] = []
        for text, lead, language in zip(*(table[name].to_pylist() for name in _COLUMNS), strict=True):
            model = _model(transform.language or language or "")
            page = PagePassages("", text, lead, model, transform.options)
            hashes += {sentence_hash(sentence) for sentence in page.long_sentences}
        array = np.array(hashes, np.uint64)
        places = array % buckets
        for bucket in np.unique(places):
            yield int(bucket), array[places == bucket].tobytes()


def _repeated(group: tuple[int, Iterable[bytes]], most: int) -> np.ndarray:
    found, pages = np.unique(np.frombuffer(b"".join(group[1]), np.uint64), return_counts=True)
    return found[pages > most]


def _join(parts: Iterable[np.ndarray]) -> np.ndarray:
    return np.sort(np.concatenate([np.empty(0, np.uint64), *parts]))
