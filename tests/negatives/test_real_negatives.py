"""Negatives of a real wiki: the ranking by parts is that of one index, and no row has a guarded page."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from anchormine.datasets.folder import iter_rows
from anchormine.evaluation.bm25 import BM25, BM25Options
from anchormine.evaluation.term_index import TermIndex
from anchormine.negatives.bm25_ranking import RankedPart, rank_by_bm25
from anchormine.negatives.postings import CorpusLengths, PostingsRanker, count_terms, term_key
from anchormine.negatives.terms import mining_splitter
from anchormine.pipelines.cli import main
from tests.negatives.known_answers import KnownAnswers, check_guards, contrastive_shards
from tests.pipelines.command_runs import QUIET, funnel
from tests.wiki.real_dumps import FOLDER, needs_dumps

pytestmark = [pytest.mark.data, pytest.mark.slow, needs_dumps]


SOME = ("rdp", "acm", "wlp")  # of these, some queries
LIMIT = 3_000


@pytest.fixture(scope="module")
def indieweb(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("indieweb") / "folder")
    (dump,) = FOLDER.glob("indiewebwiki-*-multistream.xml.bz2")
    assert main(["wiki", str(dump), "--output", folder, *QUIET]) == 0
    assert main(["pairs", folder, "--task", "anchor_document", *SOME, "--weights", "uniform", *QUIET]) == 0
    mine = ["negatives", folder, "--from", "bm25", *QUIET]
    assert main([*mine, "--task", "anchor_document"]) == 0
    assert main([*mine, "--task", *SOME, "--limit", str(LIMIT)]) == 0
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


@pytest.fixture(scope="module")
def known(indieweb: str) -> KnownAnswers:
    return KnownAnswers(Path(indieweb))


@pytest.mark.parametrize("task", ["anchor_document", *SOME])
def test_no_row_has_a_guarded_page(indieweb: str, known: KnownAnswers, task: str) -> None:
    rows = check_guards(known, task)
    pairs = sum(1 for _ in iter_rows(indieweb, f"pairs-{task}", ["pair_id"]))
    written = funnel(Path(indieweb), "negatives")[f"negatives-{task}"]["written"]
    assert rows == written > 0.8 * min(pairs, LIMIT)


def test_rows_have_the_texts_of_their_pages(indieweb: str) -> None:
    texts = {row["page_id"]: row["text"] for row in iter_rows(indieweb, "pages", ["page_id", "text"])}
    rows = 0
    for _, shard in contrastive_shards(indieweb, "anchor_document"):
        for row in shard:
            rows += 1
            assert [texts[page_id] for page_id in row["negative_ids"]] == row["negatives"]
            assert texts[row["positive_id"]] == row["positive"]
            same = " ".join(row["positive"].casefold().split())
            assert same not in {" ".join(text.casefold().split()) for text in row["negatives"]}
    assert rows > 10_000


MODEL_LIMIT = 1_000


def test_a_models_negatives(indieweb: str, tmp_path: Path) -> None:
    """Those of the shipped encoder, for passages and for pages."""
    folder = str(shutil.copytree(indieweb, tmp_path / "folder"))
    mine = ["negatives", folder, "--from", "default", "--overwrite", "--limit", str(MODEL_LIMIT), *QUIET]
    assert main([*mine, "--task", "rdp"]) == 0
    assert main([*mine, "--task", "wlp"]) == 0
    known = KnownAnswers(Path(folder))
    for task in ("rdp", "wlp"):
        rows = check_guards(known, task)
        assert rows == funnel(Path(folder), "negatives")[f"negatives-{task}"]["written"] > 0.8 * MODEL_LIMIT
        shards = contrastive_shards(folder, task)
        assert not any(row["mined_from"].startswith("bm25") for _, shard in shards for row in shard)
