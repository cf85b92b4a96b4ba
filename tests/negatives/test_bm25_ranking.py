"""BM25 over parts of a corpus: the scores and the ranking are those of one index."""

from __future__ import annotations

import random

import numpy as np
import pytest

from anchormine.evaluation.bm25 import BM25, BM25Options
from anchormine.evaluation.term_index import TermIndex
from anchormine.negatives.bm25_ranking import RankedPart, rank_by_bm25
from anchormine.negatives.positive_scores import bm25_scores, frequencies_of
from anchormine.negatives.postings import CorpusLengths, Postings, PostingsRanker, count_terms, term_key
from anchormine.negatives.rank_keys import TopK
from anchormine.negatives.terms import mining_splitter

WORDS = [f"w{number}" for number in range(60)]
OPTIONS = BM25Options(0.9, 0.4)


def _texts(count: int, seed: int) -> list[str]:
    draws = random.Random(seed)
    texts = [" ".join(draws.choices(WORDS, range(60, 0, -1), k=draws.randint(0, 30))) for _ in range(count)]
    return texts + texts[: count // 4]  # equal texts tie


CORPUS, QUERIES = _texts(120, 1), [*_texts(40, 2), "w1 w1 w2", "unknown words", ""]


def _index(texts: list[str]) -> tuple[Postings, np.ndarray, CorpusLengths]:
    """One part that is the whole corpus, its terms' frequencies and its lengths."""
    whole = count_terms(texts, str.split)
    return (
        whole,
        whole.document_frequencies,
        CorpusLengths(len(whole.lengths), int(whole.lengths.sum())),
    )


def _parts(texts: list[str], cuts: list[int]) -> list[RankedPart]:
    """The corpus cut into parts, each with the statistics of the whole."""
    whole, held, lengths = _index(texts)
    parts = []
    for start, end in zip([0, *cuts], [*cuts, len(texts)], strict=True):
        postings = count_terms(texts[start:end], str.split)
        frequencies = held[np.searchsorted(whole.terms, postings.terms)]
        parts.append(
            RankedPart(PostingsRanker(postings, frequencies, lengths, OPTIONS), 0, end - start, start)
        )
    return parts


def _rank(cuts: list[int], k: int) -> TopK:
    keys = [np.array([term_key(term) for term in query.split()], np.uint64) for query in QUERIES]
    return rank_by_bm25(keys, _parts(CORPUS, cuts), k)


def _reference(k: int) -> list[list[tuple[int, float]]]:
    """Rankings by `evaluate`'s index, which bm25s builds, with ties in the documents' order."""
    # Its ties are by id downwards: ids that fall make that the documents' order.
    index = TermIndex(CORPUS, [f"{999 - number}" for number in range(len(CORPUS))], "none")
    bm25 = BM25(index, OPTIONS)
    return [
        list(zip(found.documents.tolist(), found.scores.tolist(), strict=True))
        for found in (bm25.rank(query, k) for query in QUERIES)
    ]


@pytest.mark.parametrize("cuts", [[], [75], [1, 2, 50, 149], [30, 60, 90, 120]])
@pytest.mark.parametrize("k", [1, 10, 200])
def test_any_parts_rank_as_one_index_of_bm25s(cuts: list[int], k: int) -> None:
    found = _rank(cuts, k)
    rankings = [
        [pair for pair in zip(documents, scores, strict=True) if pair[0] >= 0]
        for documents, scores in zip(found.documents.tolist(), found.scores.tolist(), strict=True)
    ]
    assert rankings == _reference(k)
    assert rankings[-1] == rankings[-2] == []


def test_only_one_side_of_a_part_is_ranked() -> None:
    (part,) = _parts(CORPUS, [])
    keys = [np.array([term_key("w1")], np.uint64)]
    found = rank_by_bm25(keys, [part._replace(start=20, end=40, first=7)], 50).documents[0]
    places = {place for place, text in enumerate(CORPUS) if "w1" in text.split() and 20 <= place < 40}
    assert {place - 7 + 20 for place in found.tolist() if place >= 0} == places


def test_a_document_that_is_not_in_the_index_is_scored_as_if_it_were() -> None:
    whole, held, lengths = _index(CORPUS)
    ranker = PostingsRanker(whole, held, lengths, OPTIONS)
    for query in QUERIES[:20]:
        terms = query.split()
        known = frequencies_of(terms, [(whole, held)])
        assert known.keys() == {term for term in terms if term_key(term) in whole.terms}
        found = bm25_scores([(terms, text.split()) for text in CORPUS], known, lengths, OPTIONS)
        columns = ranker.columns(np.array([term_key(term) for term in terms], np.uint64))
        expected = ranker.scores(columns[columns >= 0]) if terms else np.zeros(len(CORPUS), np.float32)
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_corpus_without_terms() -> None:
    postings, held, lengths = _index(["", ""])
    part = RankedPart(PostingsRanker(postings, held, lengths, OPTIONS), 0, 2, 0)
    keys = [np.array([term_key("w1")], np.uint64)]
    assert rank_by_bm25(keys, [part], 3).documents.tolist() == [[-1, -1, -1]]
    assert rank_by_bm25([], [part], 3).documents.shape == (0, 3)


@pytest.mark.parametrize(
    ("language", "text", "terms"),
    [
        ("en", "The runners of Rome", ["runner", "rome"]),
        ("min", "Urang Minangkabau, 1913", ["urang", "minangkabau", "1913"]),
        (None, "北京大学", ["北京", "京大", "大学"]),
    ],
)
def test_terms_of_any_language(language: str | None, text: str, terms: list[str]) -> None:
    assert mining_splitter(language)(text) == terms
