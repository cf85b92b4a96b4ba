"""The rows of anchors, of which many have one sentence, and all of a page its address.

These texts come last, few at a time: the rows may have them a thousand times over.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from anchormine.hypertext.chunks import Chunk
from anchormine.schemas.anchors import ANCHORS

_SHARED_BYTES = 32 << 20  # of a table; Arrow's columns of text have 2 GB at most


class Found(NamedTuple):
    """Page ids, and fragments of redirects, by the row of the target."""

    page_ids: pa.Array
    fragments: pa.Array


class Anchors(NamedTuple):
    """The anchors of a chunk.

    Attributes:
        rows: as `ANCHORS`, but in the columns of `shared` stands the row of a text.
        page_rows: the row of each anchor's page in the chunk.
        shared: texts, by the column that has them.
    """

    rows: pa.Table
    page_rows: pa.ChunkedArray
    shared: Mapping[str, pa.Array]


def by_target(destinations: Sequence[pa.Table], count: int) -> Found:
    """Returns what was found of a chunk's targets.

    Args:
        destinations: row of a target, page id, and fragment, of those that were found.
        count: of the targets.
    """
    page_ids: list[str | None] = [None] * count
    fragments: list[str | None] = [None] * count
    for table in destinations:
        for row, page_id, fragment in zip(*(column.to_pylist() for column in table.columns), strict=True):
            page_ids[row], fragments[row] = page_id, fragment
    return Found(pa.array(page_ids, pa.string()), pa.array(fragments, pa.string()))


def anchor_rows(chunk: Chunk, page_ids: pa.Array, found: Found, is_wiki: bool) -> Anchors:
    """Returns the anchors of a chunk.

    Args:
        chunk: of pages.
        page_ids: of its pages.
        found: where its links lead.
        is_wiki: whether its rows have no addresses of pages.
    """
    anchors = chunk.anchors
    shared = {"sentence": chunk.sentences["text"].combine_chunks()}
    sentences = chunk.sentences.drop_columns(["text"]).take(anchors["sentence"]).combine_chunks()
    page_rows = sentences["page"]
    source = page_ids.take(page_rows)
    columns = {
        "anchor_id": _numbered(source, anchors["number"], "#a"),
        "sentence_id": _numbered(source, sentences["number"], "#s"),
        "sentence_start": sentences["start"],
        "source_page_id": source,
        "fragment": pc.coalesce(anchors["fragment"], found.fragments.take(anchors["address"])),
        "destination_page_id": found.page_ids.take(anchors["address"]),
        "language": chunk.pages["language"].take(page_rows),
        "gaps": sentences["gaps"],
    }
    if is_wiki:
        columns["source_url"] = pa.nulls(anchors.num_rows, pa.string())
    else:
        columns["source_url"], shared["source_url"] = page_rows, chunk.pages["url"].combine_chunks()
    ordered = [columns[name] if name in columns else anchors[name] for name in ANCHORS.names]
    return Anchors(pa.table(ordered, names=ANCHORS.names), page_rows, shared)


def written_out(rows: pa.Table, shared: Mapping[str, pa.Array]) -> Iterator[pa.Table]:
    """Yields anchors as `ANCHORS`, few at a time where the texts that they share are long.

    Args:
        rows: as in `Anchors`, all or some.
        shared: as there.
    """
    places = {name: rows[name].combine_chunks() for name in shared}
    sizes = np.zeros(rows.num_rows, np.int64)  # [rows] bytes
    for name, texts in shared.items():
        sizes += pc.fill_null(pc.binary_length(texts), 0).to_numpy()[places[name].to_numpy()]
    ends = np.cumsum(sizes)  # [rows]
    start = 0
    while start < rows.num_rows:
        before = ends[start - 1] if start else 0
        count = max(1, int(np.searchsorted(ends, before + _SHARED_BYTES, "right")) - start)
        some = rows.slice(start, count)
        for name, texts in shared.items():
            column = ANCHORS.get_field_index(name)
            some = some.set_column(
                column, ANCHORS.field(column), texts.take(places[name].slice(start, count))
            )
        yield some
        start += count


def _numbered(page_ids: pa.ChunkedArray, numbers: pa.ChunkedArray, mark: str) -> pa.ChunkedArray:
    return pc.binary_join_element_wise(page_ids, numbers.cast(pa.string()), mark)
