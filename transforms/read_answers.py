"""Reads what links and titles answer: pages by what leads to them."""

from collections.abc import Callable, Iterable, Iterator

import apache_beam as beam

from anchormine.negatives.answers import ALIAS, LINKING_PAGE, SAME_QUERY, SAME_SENTENCE
from anchormine.negatives.query_keys import anchor_keys, page_key, query_key, sentence_key
from anchormine.transforms.join_answers import Answering
from anchormine.transforms.key_pairs import pack_keys
from anchormine.transforms.mining_buckets import AnswerBuckets
from anchormine.transforms.options import transform_options
from anchormine.transforms.table_slices import TableSlice, read_slice

_ANCHOR, _SENTENCE, _SOURCE, _DESTINATION = "anchor", "sentence_id", "source_page_id", "destination_page_id"
_TITLE_COLUMNS = ("page_id", "title", "redirects_from")


@transform_options
class ReadAnswers(beam.PTransform):
    """Gives (bucket, (kind, "", pairs of keys (asked, page))), for `JoinAnswers`.

    Attributes:
        anchors: slices of the table of anchors.
        pages: slices of the table of pages.
        kinds: which are wanted, of `anchormine.negatives.answers.KINDS`.
        cleaning: profile by which the folder's anchors were cleaned; None where they were not.
        buckets: how the answers are divided.
    """

    anchors: tuple[TableSlice, ...]
    pages: tuple[TableSlice, ...]
    kinds: tuple[str, ...]
    cleaning: str | None
    buckets: AnswerBuckets

    def expand(self, pipeline: beam.Pipeline) -> beam.PCollection:
        of_links = [kind for kind in self.kinds if kind != ALIAS]
        slices = [(kind, part) for part in self.anchors for kind in of_links]
        slices += [(ALIAS, part) for part in self.pages]
        return (
            pipeline
            | "Slices" >> beam.Create(slices, reshuffle=False)
            | "Spread" >> beam.Reshuffle()
            | "Read" >> beam.FlatMap(_read_answers, self)
        )


def _read_answers(kind_and_part: tuple[str, TableSlice], options: ReadAnswers) -> Iterator[Answering]:
    kind, part = kind_and_part
    found: set[tuple[int, int]] = set()
    if kind == ALIAS:
        found = _keyed(_titles(part), lambda title: (query_key(title),))
    elif kind == SAME_QUERY:
        links = _links(part, _ANCHOR, _DESTINATION)
        found = _keyed(links, lambda text: anchor_keys(text, options.cleaning))
    elif kind == SAME_SENTENCE:
        found = _keyed(_links(part, _SENTENCE, _DESTINATION), lambda name: (sentence_key(name),))
    elif kind == LINKING_PAGE:
        found = _keyed(_links(part, _DESTINATION, _SOURCE), lambda page: (page_key(page),))
    for bucket, pairs in options.buckets.divide(sorted(found)):
        yield bucket, (kind, "", pack_keys(pairs))


def _keyed(rows: Iterable[tuple[str, str]], keys_of: Callable[[str], Iterable[int]]) -> set[tuple[int, int]]:
    """Pairs of keys (asked, page) for pairs of what leads to a page and the page; each is hashed once."""
    distinct = set(rows)
    keys = {asked: tuple(keys_of(asked)) for asked in {asked for asked, _ in distinct}}
    pages = {page: page_key(page) for page in {page for _, page in distinct}}
    return {(key, pages[page]) for asked, page in distinct for key in keys[asked]}


def _links(part: TableSlice, asked: str, page: str) -> Iterator[tuple[str, str]]:
    """Yields two columns of the links whose pages are in the input."""
    columns = list(dict.fromkeys((asked, page, _DESTINATION)))
    for table in read_slice(part, columns):
        table = table.filter(table[_DESTINATION].is_valid())
        yield from zip(table[asked].to_pylist(), table[page].to_pylist(), strict=True)


def _titles(part: TableSlice) -> Iterator[tuple[str, str]]:
    for table in read_slice(part, _TITLE_COLUMNS):
        for page, title, redirects in zip(*(table[name].to_pylist() for name in _TITLE_COLUMNS), strict=True):
            yield from ((name, page) for name in (title, *(redirects or ())) if name)
