"""BM25, query likelihood and re-ranking against their formulas, worked out one by one."""

import math
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from anchormine.errors import UsageError
from anchormine.evaluation.bm25 import BM25, BM25Options
from anchormine.evaluation.collection import Collection
from anchormine.evaluation.cross_encoder import CrossEncoder, rerank
from anchormine.evaluation.options import RerankerOptions
from anchormine.evaluation.ql import QLOptions, QueryLikelihood
from anchormine.evaluation.ranking import Ranking, top_documents
from anchormine.evaluation.term_index import TermIndex
from anchormine.evaluation.terms import LANGUAGES, term_splitter
from tests.evaluation.tiny_rankers import make_scorer, write_pets

TERMS = {
    "d1": ["cat", "eat", "fish", "cat", "sleep"],
    "d2": ["dog", "dog", "chase", "cat"],
    "d3": ["fish", "swim", "sea"],
    "d4": ["sea", "deep", "blue"],
    "d5": [],
}


@pytest.fixture
def collection(tmp_path) -> Path:
    return write_pets(tmp_path / "pets")


@pytest.fixture(scope="module")
def scorer(tmp_path_factory) -> str:
    return make_scorer(tmp_path_factory.mktemp("models") / "scorer", labels=1)


@pytest.fixture(scope="module")
def two_classes(tmp_path_factory) -> str:
    return make_scorer(tmp_path_factory.mktemp("models") / "two", labels=2)


def index(collection) -> TermIndex:
    return TermIndex.of(Collection(str(collection)))


def ranked(ranking: Ranking, made: TermIndex) -> dict[str, float]:
    return {made.doc_ids[d]: float(score) for d, score in zip(ranking.documents, ranking.scores, strict=True)}


def bm25(query: list[str], doc_id: str, k1: float, b: float) -> float:
    mean = sum(map(len, TERMS.values())) / len(TERMS)
    score = 0.0
    for term in query:
        tf, df = TERMS[doc_id].count(term), sum(term in terms for terms in TERMS.values())
        idf = math.log(1 + (len(TERMS) - df + 0.5) / (df + 0.5))
        score += idf * tf / (tf + k1 * (1 - b + b * len(TERMS[doc_id]) / mean))
    return score


def likelihood(query: list[str], doc_id: str, mu: float) -> float:
    everything = [term for terms in TERMS.values() for term in terms]
    priors = {term: everything.count(term) / len(everything) for term in query}
    document = TERMS[doc_id]
    return sum(math.log((document.count(t) + mu * priors[t]) / (len(document) + mu)) for t in query)


def test_terms():
    split = term_splitter()
    assert split("The Cats are EATING naïve fish, at 2 ponies' sea-side") == [
        *("cat", "eat", "naïv", "fish", "poni", "sea", "side")
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_splits(language):
    assert term_splitter(language)("wikipedia 2024")[-1] == "2024"


def test_unknown_language():
    with pytest.raises(UsageError, match="--language xx: not known to BM25 and QL; it is one of ar, da, de"):
        term_splitter("xx")


@pytest.mark.parametrize("options", [BM25Options(), BM25Options(1.2, 0.75)])
def test_bm25(collection, options):
    made = index(collection)
    query = ["cat", "eat", "fish"]
    expected = {doc_id: bm25(query, doc_id, options.k1, options.b) for doc_id in ("d1", "d2", "d3")}
    found = ranked(BM25(made, options).rank("cats eating fish", 10), made)
    assert found == pytest.approx(expected, rel=1e-5)
    assert list(found) == sorted(expected, key=lambda doc_id: -expected[doc_id])


def test_bm25_finds_nothing(collection):
    made = index(collection)
    assert ranked(BM25(made).rank("zebra the", 10), made) == {}


@pytest.mark.parametrize("mu", [1000.0, 3.0])
def test_query_likelihood(collection, mu):
    made = index(collection)
    query = ["cat", "cat", "fish"]
    expected = {doc_id: likelihood(query, doc_id, mu) for doc_id in ("d1", "d2", "d3")}
    found = ranked(QueryLikelihood(made, QLOptions(mu)).rank("cats, cat: fish and zebra", 10), made)
    assert found == pytest.approx(expected, rel=1e-5)
    assert list(found) == sorted(expected, key=lambda doc_id: -expected[doc_id])


def test_ties_and_depth():
    documents, scores = np.arange(5), np.array([1, 2, 1, 1, 0], np.float32)
    tie_ranks = np.array([4, 3, 2, 1, 0])
    for k in range(1, 6):
        found = top_documents(documents, scores, tie_ranks, k)
        assert found.documents.tolist() == [1, 3, 2, 0, 4][:k]
        assert found.scores.tolist() == [2, 1, 1, 1, 0][:k]


def test_constants_out_of_range():
    for record, value, message in [
        (BM25Options, {"b": 2}, "--b 2"),
        (BM25Options, {"k1": -1}, "--k1 -1"),
        (QLOptions, {"mu": 0}, "--mu 0"),
    ]:
        with pytest.raises(UsageError, match=message):
            record(**value)


@pytest.mark.parametrize("batch_size", [1, 2, 32])
def test_model_scores(scorer, batch_size):
    documents = ["cats eat fish", "the sea is deep and blue", "", "dogs"]
    tokenizer, model = (
        AutoTokenizer.from_pretrained(scorer),
        AutoModelForSequenceClassification.from_pretrained(scorer),
    )
    with torch.inference_mode():
        expected = [
            model.eval()(**tokenizer(["cats"], [text], return_tensors="pt")).logits[0, 0].item()
            for text in documents
        ]
    scores = CrossEncoder(scorer, RerankerOptions(device="cpu", batch_size=batch_size)).score(
        "cats", documents
    )
    assert scores.tolist() == pytest.approx(expected, abs=1e-5)
    assert len({round(score, 3) for score in expected}) == 4


def test_two_classes(two_classes):
    tokenizer = AutoTokenizer.from_pretrained(two_classes)
    model = AutoModelForSequenceClassification.from_pretrained(two_classes).eval()
    with torch.inference_mode():
        logits = model(**tokenizer("cats", "dogs chase cats", return_tensors="pt")).logits[0].tolist()
    score = CrossEncoder(two_classes, RerankerOptions(device="cpu")).score("cats", ["dogs chase cats"])
    assert score.tolist() == pytest.approx([logits[1] - logits[0]], abs=1e-5)


def test_long_texts_are_cut(scorer):
    made = CrossEncoder(scorer, RerankerOptions(device="cpu"))
    scores = made.score("cats eat fish " * 50, ["sea " * 1000, "sea " * 2000])
    assert scores[0] == pytest.approx(scores[1], abs=1e-6)


def test_reranking_keeps_the_documents(collection, scorer):
    made, texts = index(collection), Collection(str(collection))
    model = CrossEncoder(scorer, RerankerOptions(device="cpu"))
    found = BM25(made).rank("cats eating fish", 2)
    ranking = rerank(model, texts, "cats eating fish", found, made.tie_ranks)
    assert sorted(ranking.documents) == sorted(found.documents)
    expected = model.score("cats eating fish", [texts.text(document) for document in found.documents])
    assert ranking.scores.tolist() == sorted(expected.tolist(), reverse=True)
