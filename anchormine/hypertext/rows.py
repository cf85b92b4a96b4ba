"""The rows of the dataset, from a chunk of pages and what its links turned out to point to."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from anchormine.hypertext.anchor_rows import anchor_rows, by_target
from anchormine.hypertext.chunks import Chunk
from anchormine.schemas.pages import PAGES
from anchormine.schemas.rejects import EXCERPT_CHARACTERS, REJECTS

LOST_REVISIT = "lost_revisit"  # a revisit of a page that is not in the input


class Provenance(NamedTuple):
    """Where rows come from.

    Attributes:
        step: the command that reads it.
        source: one of the values of `Page.source`.
        name: of the wiki; the source, where it has no name.
        licence: of the text.
    """

    step: str
    source: str
    name: str
    licence: str | None


class DatasetRows(NamedTuple):
    """Tables for the dataset, and their counts.

    Attributes:
        pages: as `PAGES`.
        anchors: as `Anchors.rows`, to be written out.
        shared: as `Anchors.shared`.
        rejects: as `REJECTS`.
        counts: "pages.read", "pages.written", "pages.rejected.namespace", "links...." and so on.
    """

    pages: pa.Table
    anchors: pa.Table
    shared: Mapping[str, pa.Array]
    rejects: pa.Table
    counts: Counter


def build_rows(
    chunk: Chunk,
    destinations: Sequence[pa.Table],
    suffixes: Mapping[int, str],
    redirects: Mapping[int, Sequence[str]],
    provenance: Provenance,
) -> DatasetRows:
    """Builds the rows of a chunk.

    Args:
        chunk: pages with links whose destinations are open.
        destinations: rows of the chunk's targets, with page ids and the fragments of redirects.
        suffixes: of ids that are used more than once, by the page's place in its range; "" if the page is
            superseded.
        redirects: addresses that redirect to a page, by the page's place.
        provenance: of the chunk.
    """
    ordinals = chunk.pages["ordinal"].to_pylist()
    page_ids = _page_ids(chunk.pages, suffixes)
    current = pa.array([suffixes.get(ordinal, "~") != "" for ordinal in ordinals], pa.bool_())
    aliases = [sorted(redirects.get(ordinal, ())) for ordinal in ordinals]
    pages = _pages(chunk, page_ids, aliases, provenance)
    found = by_target(destinations, chunk.targets.num_rows)
    anchors, page_rows, shared = anchor_rows(chunk, page_ids, found, provenance.source == "wiki")
    is_current = current.take(page_rows)
    is_self = pc.fill_null(pc.equal(anchors["destination_page_id"], anchors["source_page_id"]), False)
    kept = anchors.filter(pc.and_(is_current, pc.invert(is_self)))
    rejects = pa.concat_tables(
        [
            _chunk_rejects(chunk, _page_ids(chunk.rejects, suffixes), found.page_ids),
            _page_rejects(chunk, page_ids, pc.invert(current)),
            _anchor_rejects(chunk, anchors, page_rows, pc.and_(is_current, is_self), "self", provenance),
            _anchor_rejects(chunk, anchors, page_rows, pc.invert(is_current), "superseded", provenance),
        ]
    ).sort_by("ordinal")
    rejects = rejects.append_column("step", _same(provenance.step, rejects.num_rows))
    pages = pages.filter(current)
    return DatasetRows(pages, kept, shared, rejects.select(REJECTS.names), _counts(pages, kept, rejects))


def _page_ids(table: pa.Table, suffixes: Mapping[int, str]) -> pa.Array:
    """The page id of each row, with the suffix of the page at its "ordinal"; null where there is none."""
    page_ids = table["page_id"]
    if suffixes:
        added = pa.array([suffixes.get(ordinal, "") for ordinal in table["ordinal"].to_pylist()], pa.string())
        page_ids = pc.binary_join_element_wise(page_ids, added, "")
    return page_ids.combine_chunks() if isinstance(page_ids, pa.ChunkedArray) else page_ids


def _pages(chunk: Chunk, page_ids: pa.Array, redirects: list[list[str]], provenance: Provenance) -> pa.Table:
    pages = chunk.pages
    texts = pages["text"].to_pylist()
    leads = [text[:length] for text, length in zip(texts, pages["lead_length"].to_pylist(), strict=True)]
    made = {
        "page_id": page_ids,
        "lead": pa.array(leads, pa.string()),
        "redirects_from": pa.array(redirects, pa.list_(pa.string())),
        "source": _same(provenance.source, pages.num_rows),
        "licence": _same(provenance.licence, pages.num_rows),
    }
    columns = [made[name] if name in made else pages[name] for name in PAGES.names]
    return pa.table(columns, schema=PAGES)


def _chunk_rejects(chunk: Chunk, page_id: pa.Array, found: pa.Array) -> pa.Table:
    """What was set aside when the pages were read; `page_id` is that of each reject's page.

    Of revisits, `found` says whether the page that they repeat is in the input.
    """
    rejects = chunk.rejects
    is_link = pc.equal(rejects["unit"], "links")
    is_lost = pc.and_(pc.is_valid(rejects["address"]), pc.is_null(found.take(rejects["address"])))
    return _reject_table(
        rejects["ordinal"],
        pc.if_else(is_lost, LOST_REVISIT, rejects["reason"]),
        rejects["unit"],
        pc.if_else(is_link, pa.scalar(None, pa.string()), page_id),
        pc.if_else(is_link, page_id, rejects["origin"]),
        rejects["excerpt"],
        records=rejects["records"],
    )


def _page_rejects(chunk: Chunk, page_ids: pa.Array, mask: pa.Array) -> pa.Table:
    pages = chunk.pages.filter(mask)
    count = pages.num_rows
    name = pc.if_else(
        pc.equal(pages["title"], ""), pages["url"], pages["title"]
    )  # pages of a crawl may lack it
    return _reject_table(
        pages["ordinal"],
        _same("superseded", count),
        _same("pages", count),
        page_ids.filter(mask),
        pages["origin"],
        pc.utf8_slice_codeunits(name, 0, EXCERPT_CHARACTERS),
    )


def _anchor_rejects(
    chunk: Chunk,
    anchors: pa.Table,
    page_rows: pa.Array,
    mask: pa.Array,
    reason: str,
    provenance: Provenance,
) -> pa.Table:
    rejected = anchors.filter(mask)
    link = rejected["target"]
    if provenance.source == "wiki":
        link = pc.binary_join_element_wise("[[", link, "]]", "")
    count = rejected.num_rows
    return _reject_table(
        chunk.pages["ordinal"].take(page_rows.filter(mask)),
        _same(reason, count),
        _same("links", count),
        rejected["anchor_id"],
        rejected["source_page_id"],
        pc.utf8_slice_codeunits(link, 0, EXCERPT_CHARACTERS),
    )


def _reject_table(
    *given: pa.Array | pa.ChunkedArray, records: pa.Array | pa.ChunkedArray | None = None
) -> pa.Table:
    """A table of ordinal, reason, unit, record_id, origin and excerpt, given in this order, and `records`."""
    names = ("ordinal", "reason", "unit", "record_id", "origin", "excerpt", "records")
    types = (pa.int32(), *[pa.string()] * 5, pa.int64())
    ones = pa.array([1] * len(given[0]), pa.int64()) if records is None else records
    columns = [
        column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column], type)
        for column, type in zip((*given, ones), types, strict=True)
    ]
    return pa.table(columns, names=list(names))


def _same(value: str | None, count: int) -> pa.Array:
    return pa.array([value] * count, pa.string())


def _counts(pages: pa.Table, anchors: pa.Table, rejects: pa.Table) -> Counter:
    counts: Counter = Counter()
    counts["pages.written"] = pages.num_rows
    counts["links.written"] = anchors.num_rows
    counts["links.red"] = anchors["destination_page_id"].null_count
    for group in rejects.group_by(["unit", "reason"]).aggregate([("records", "sum")]).to_pylist():
        counts[f"{group['unit']}.rejected.{group['reason']}"] += group["records_sum"]
    for region in pc.value_counts(anchors["region"]).to_pylist():
        counts[f"regions.{region['values']}"] += region["counts"]
    for language in pc.value_counts(pages["language"]).to_pylist():
        if language["values"] is not None:
            counts[f"languages.{language['values']}"] += language["counts"]
    counts["pages.disambiguation"] = pc.sum(pages["disambiguation"]).as_py() or 0
    return counts
