"""Negatives of a real wiki: the ranking by parts is that of one index, and no row has a guarded page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from anchormine.datasets.folder import iter_rows
from anchormine.evaluation.bm25 import BM25, BM25Options
from anchormine.evaluation.term_index import TermIndex
from anchormine.negatives.bm25_ranking import RankedPart, rank_by_bm25
from anchormine.negatives.postings import CorpusLengths, PostingsRanker, count_terms, term_key
from anchormine.negatives.terms import mining_splitter
from anchormine.pipelines.cli import main
from anchormine.sampling.splits import split_of
from tests.pipelines.command_runs import QUIET, funnel
from tests.wiki.real_dumps import FOLDER, needs_dumps

pytestmark = [pytest.mark.data, pytest.mark.slow, needs_dumps]


@pytest.fixture(scope="module")
def indieweb(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("indieweb") / "folder")
    (dump,) = FOLDER.glob("indiewebwiki-*-multistream.xml.bz2")
    assert main(["wiki", str(dump), "--output", folder, *QUIET]) == 0
    assert main(["pairs", folder, "--task", "anchor_document", *QUIET]) == 0
    assert main(["negatives", folder, "--task", "anchor_document", "--from", "bm25", *QUIET]) == 0
    return folder


def test_parts_rank_as_one_index(indieweb: str) -> None:
    texts = [row["text"] for row in iter_rows(indieweb, "pages", ["text"])]
    pairs = iter_rows(indieweb, "pairs-anchor_document", ["query"])
    queries = list(dict.fromkeys(row["query"] for row in pairs))[::20]
    split = mining_splitter("en")
    whole = count_terms(texts, split)
    lengths = CorpusLengths(len(texts), int(whole.lengths.sum()))
    options = BM25Options()
    parts = []
    for start in range(0, len(texts), 1_500):
        own = count_terms(texts[start : start + 1_500], split)
        frequencies = whole.document_frequencies[np.searchsorted(whole.terms, own.terms)]
        ranker = PostingsRanker(own, frequencies, lengths, options)
        parts.append(RankedPart(ranker, 0, len(own.lengths), start))
    keys = [np.array([term_key(term) for term in split(query)], np.uint64) for query in queries]
    found = rank_by_bm25(keys, parts, 200)
    # Ids that fall, because the index settles ties by id downwards.
    index = TermIndex(texts, [f"{len(texts) - number:09d}" for number in range(len(texts))])
    bm25 = BM25(index, options)
    for query, documents, scores in zip(queries, found.documents, found.scores, strict=True):
        expected = bm25.rank(query, 200)
        there = documents >= 0
        assert documents[there].tolist() == expected.documents.tolist(), query
        assert scores[there].tolist() == expected.scores.tolist(), query


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _known(folder: str, table: str, columns: list[str], add: Callable[..., Any]) -> dict[str, set[str]]:
    """Pages by folded text."""
    pages: dict[str, set[str]] = {}
    for row in iter_rows(folder, table, columns):
        for text, page_id in add(row):
            pages.setdefault(_folded(text), set()).add(page_id)
    return pages


def test_no_row_has_a_guarded_page(indieweb: str) -> None:
    linked = _known(
        indieweb, "anchors", ["anchor", "destination_page_id"],
        lambda row: [(row["anchor"], row["destination_page_id"])],
    )  # fmt: skip
    titled = _known(
        indieweb, "pages", ["page_id", "title", "redirects_from"],
        lambda row: [(title, row["page_id"]) for title in (row["title"], *row["redirects_from"])],
    )  # fmt: skip
    texts = {row["page_id"]: row["text"] for row in iter_rows(indieweb, "pages", ["page_id", "text"])}
    rows = 0
    for path in sorted(Path(indieweb, "contrastive", "anchor_document").glob("*.parquet")):
        split = path.name.partition("-")[0]
        for row in pq.read_table(path).to_pylist():
            rows += 1
            negatives = set(row["negative_ids"])
            source = row["query_id"].removeprefix("anchor_document:").partition("#")[0]
            guarded = {row["positive_id"], source}
            guarded |= linked.get(_folded(row["query"]), set()) | titled.get(_folded(row["query"]), set())
            assert not negatives & guarded, row["query_id"]
            assert {split_of(page_id) for page_id in (row["positive_id"], *negatives)} == {split}
            assert [texts[page_id] for page_id in row["negative_ids"]] == row["negatives"]
            assert texts[row["positive_id"]] == row["positive"]
            assert _folded(row["positive"]) not in {_folded(text) for text in row["negatives"]}
    assert rows == funnel(Path(indieweb), "negatives")["negatives-anchor_document"]["written"] > 10_000
