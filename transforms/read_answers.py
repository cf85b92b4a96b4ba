"""Reads what links and titles answer: pages by what leads to them."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import apache_beam as beam

from anchormine.negatives.answers import ALIAS, LINKING_PAGE, SAME_QUERY, SAME_SENTENCE, SOURCE
from anchormine.negatives.query_keys import anchor_keys, link_key, page_key, query_key, sentence_key
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
    for bucket, pairs in options.buckets.divide(sorted(_found(kind, part, options.cleaning))):
        yield bucket, (kind, "", pack_keys(pairs))


def _found(kind: str, part: TableSlice, cleaning: str | None) -> set[tuple[int, int]]:
    """Pairs of keys (asked, page) of a kind."""
    if kind == ALIAS:
        return _keyed(_titles(part), lambda name: [query_key(name)])
    columns, keys_of = _BY_LINKS[kind]
    return _keyed(_links(part, columns), lambda *asked: keys_of(*asked, cleaning))


def _link_keys(text: str, page: str, cleaning: str | None) -> list[int]:
    return [link_key(key, page_key(page)) for key in anchor_keys(text, cleaning)]


# The columns of a link by which its answer is asked for, and that of the answer; and the keys of the former.
_BY_LINKS: dict[str, tuple[tuple[str, ...], Callable[..., Collection[int]]]] = {
    SAME_QUERY: ((_ANCHOR, _DESTINATION), anchor_keys),
    SAME_SENTENCE: ((_SENTENCE, _DESTINATION), lambda name, _: [sentence_key(name)]),
    LINKING_PAGE: ((_DESTINATION, _SOURCE), lambda page, _: [page_key(page)]),
    SOURCE: ((_ANCHOR, _DESTINATION, _SOURCE), _link_keys),
}


def _keyed(rows: Iterable[tuple[str, ...]], keys_of: Callable[..., Collection[int]]) -> set[tuple[int, int]]:
    """Pairs of keys (asked, page) for rows of what leads to a page, and the page; each is hashed once."""
    distinct = set(rows)
    keys = {asked: keys_of(*asked) for asked in {row[:-1] for row in distinct}}
    pages = {page: page_key(page) for page in {row[-1] for row in distinct}}
    return {(key, pages[row[-1]]) for row in distinct for key in keys[row[:-1]]}


def _links(part: TableSlice, columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yields columns of the links whose pages are in the input."""
    for table in read_slice(part, list(dict.fromkeys((*columns, _DESTINATION)))):
        table = table.filter(table[_DESTINATION].is_valid())
        yield from zip(*(table[name].to_pylist() for name in columns), strict=True)


def _titles(part: TableSlice) -> Iterator[tuple[str, str]]:
    for table in read_slice(part, _TITLE_COLUMNS):
        for page, title, redirects in zip(*(table[name].to_pylist() for name in _TITLE_COLUMNS), strict=True):
            yield from ((name, page) for name in (title, *(redirects or ())) if name)
