"""Reads the sentences of a folder's anchors, with the anchors that lead to pages of the input."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import apache_beam as beam
import pyarrow as pa
from apache_beam.coders import registry

from anchormine.schemas.rejects import EXCERPT_CHARACTERS, Reject
from anchormine.tasks.sentence_candidates import LinkedSentence, Occurrence
from anchormine.transforms.coders import NestedRecordCoder
from anchormine.transforms.options import transform_options
from anchormine.transforms.table_slices import TableSlice, read_slice

NO_DESTINATION = "no_destination"
_ROWS_BEHIND = 256  # read at a time for a sentence that goes on behind its slice
_COLUMNS = (
    "sentence_id",
    "sentence",
    "language",
    "anchor_id",
    "anchor",
    "start",
    "end",
    "destination_page_id",
)


class SentenceSlice(NamedTuple):
    """The sentences that start in one slice of the anchors.

    Attributes:
        number: of the slice.
        sentences: with at least one anchor whose page is in the input.
        rejects: anchors whose page is not.
        counts: "anchors.read", ...
    """

    number: int
    sentences: list[LinkedSentence]
    rejects: list[Reject]
    counts: dict[str, int]


registry.register_coder(SentenceSlice, NestedRecordCoder)


@transform_options
class ReadSentences(beam.PTransform):
    """Gives a `SentenceSlice` for each slice of a table of anchors.

    Attributes:
        slices: of the table, in order.
        language: of all sentences, over what the table says.
    """

    slices: tuple[TableSlice, ...]
    language: str | None = None

    def expand(self, pipeline: beam.Pipeline) -> beam.PCollection:
        return (
            pipeline
            | "Slices" >> beam.Create(self.slices, reshuffle=False)
            | "Spread" >> beam.Reshuffle()
            | "Read" >> beam.Map(read_sentences, self.language).with_output_types(SentenceSlice)
        )


def read_sentences(part: TableSlice, named_language: str | None = None) -> SentenceSlice:
    """Reads the sentences that start in a slice; a sentence that goes on behind it is read to its end.

    Args:
        part: of a table of anchors.
        named_language: of all sentences, over what the table says.
    """
    counts: Counter[str] = Counter()
    sentences: dict[str, LinkedSentence] = {}
    rejects = []
    for sentence_id, text, language, anchor_id, anchor, start, end, destination in _rows(part):
        counts["anchors.read"] += 1
        if destination is None:
            counts[f"anchors.rejected.{NO_DESTINATION}"] += 1
            rejects.append(without_destination(anchor_id, anchor, sentence_id))
            continue
        counts["anchors.written"] += 1
        sentence = sentences.get(sentence_id)
        if sentence is None:
            sentence = sentences[sentence_id] = LinkedSentence(
                sentence_id, text, named_language or language, []
            )
        sentence.anchors.append(Occurrence(anchor_id, anchor, start, end, destination))
    return SentenceSlice(part.number, list(sentences.values()), rejects, dict(counts))


def without_destination(anchor_id: str, anchor: str, sentence_id: str) -> Reject:
    """An anchor whose page is not in the input, as it is set aside."""
    excerpt = anchor[:EXCERPT_CHARACTERS]
    return Reject("pairs", NO_DESTINATION, "anchors", anchor_id, sentence_id, excerpt)


def _rows(part: TableSlice) -> Iterator[tuple]:
    """The anchors of the sentences that start in a slice."""
    previous = _last_sentence_before(part)
    wanted = part.end - part.start
    last = None
    for number, row in enumerate(_and_behind(part)):
        if number >= wanted and row[0] != last:
            return
        last = row[0]
        if row[0] != previous:
            yield row


def _and_behind(part: TableSlice) -> Iterator[tuple]:
    """The rows of a slice, then those behind it as long as somebody asks."""
    while part.start < part.last:
        for table in read_slice(part, _COLUMNS):
            yield from zip(*(table[name].to_pylist() for name in _COLUMNS), strict=True)
        part = part._replace(start=part.end, end=min(part.end + _ROWS_BEHIND, part.last))


def _last_sentence_before(part: TableSlice) -> str | None:
    if part.start == 0:
        return None
    first = part._replace(start=part.start - 1, end=part.start)
    rows = pa.concat_tables(read_slice(first, ("sentence_id",)))
    return rows["sentence_id"][0].as_py()
