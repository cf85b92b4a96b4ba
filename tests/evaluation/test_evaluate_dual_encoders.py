"""`anchormine evaluate` of dual encoders: all documents of a collection are searched."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from anchormine.classifier import classifier_path
from anchormine.evaluation.collection import Collection
from anchormine.evaluation.term_index import downward_ranks
from anchormine.pipelines.cli import main
from anchormine.retrieval.collection_search import search_collection
from anchormine.retrieval.dual_encoder import load_dual_encoder
from tests.evaluation.tiny_rankers import CORPUS, QUERIES, make_scorer, write_pets

QUIET = ["--progress", "none", "--device", "cpu"]


@pytest.fixture(scope="module")
def collection(tmp_path_factory) -> str:
    return str(write_pets(tmp_path_factory.mktemp("collections") / "pets"))


@pytest.fixture(scope="module")
def scorer(tmp_path_factory) -> str:
    return make_scorer(tmp_path_factory.mktemp("scorer"), labels=1)


@pytest.fixture(scope="module")
def plain(tmp_path_factory, scorer) -> str:
    """The encoder of the scorer, which says nothing of how it makes vectors."""
    from transformers import BertModel

    folder = tmp_path_factory.mktemp("models") / "plain"
    shutil.copytree(scorer, folder)
    BertModel.from_pretrained(scorer, add_pooling_layer=False).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def dual(tmp_path_factory, plain) -> str:
    """The same with the files of sentence-transformers."""
    from sentence_transformers import SentenceTransformer

    folder = tmp_path_factory.mktemp("models") / "dual"
    SentenceTransformer(plain, device="cpu").save(str(folder))
    return str(folder)


def expected_ranking(encoder, query: str) -> list[str]:
    texts = [f"{title} {text}".strip() for title, text in CORPUS.values()]
    scores = encoder.encode_documents(texts) @ encoder.encode_queries([query])[0]
    return [doc_id for _, doc_id in sorted(zip(scores, CORPUS, strict=True), reverse=True)]


def test_every_document_is_ranked(collection, scorer, dual, tmp_path, capsys) -> None:
    systems = ["bm25", dual, scorer]
    arguments = [*systems, "--collection", collection, "--output", str(tmp_path), "--json"]
    assert main(["evaluate", *arguments, *QUIET]) == 0
    result = json.loads(capsys.readouterr().out)
    assert [system["system"] for system in result["systems"]] == systems
    run = (tmp_path / "pets.test.dual.run").read_text().splitlines()
    encoder = load_dual_encoder(dual, "cpu")
    ranked = {query_id: expected_ranking(encoder, QUERIES[query_id]) for query_id in ("q1", "q2", "q3")}
    assert [tuple(line.split()[:3:2]) for line in run] == [
        (query_id, doc_id) for query_id, doc_ids in ranked.items() for doc_id in doc_ids
    ]
    relevant = {"q1": "d1", "q2": "d3", "q3": "d5"}
    ranks = [ranked[query_id].index(doc_id) + 1 for query_id, doc_id in relevant.items()]
    measures = result["systems"][1]["measures"]
    assert measures["RR@10"] == pytest.approx(np.mean([1 / rank for rank in ranks]))


def test_a_plain_model_is_a_dual_encoder_where_asked(
    collection, plain, dual, scorer, tmp_path, capsys
) -> None:
    arguments = ["--collection", collection, "--output", str(tmp_path), "--json", *QUIET]
    assert main(["evaluate", plain, *arguments]) == 2
    told = capsys.readouterr().err
    assert "has no scoring head; make one with `anchormine train pretrain`" in told
    assert "a model folder, of an encoder as it is with --pooling" in told
    assert main(["evaluate", classifier_path("default"), *arguments]) == 2
    assert "is a query classifier, which says nothing of documents; make a ranker" in capsys.readouterr().err
    assert main(["evaluate", plain, dual, scorer, "--pooling", "mean", "--depth", "2", *arguments]) == 0
    first, second, third = json.loads(capsys.readouterr().out)["systems"]
    assert first["measures"] == second["measures"]
    assert first["measures"] != third["measures"]
    assert len(Path(first["run"]).read_text().splitlines()) == 6


def test_a_length_that_a_model_does_not_take_costs_no_ranking(collection, dual, tmp_path, capsys) -> None:
    runs = tmp_path / "runs"
    arguments = ["bm25", dual, "--collection", collection, "--output", str(runs), "--length", "99"]
    assert main(["evaluate", *arguments, *QUIET]) == 2
    assert capsys.readouterr() == (
        "",
        f"anchormine: --length 99: must be from 8 to 32, the longest input of {dual}; a system is bm25, ql "
        "or a model folder, of an encoder as it is with --pooling\n",
    )
    assert not runs.exists()


def test_equal_scores_are_in_the_order_of_trec_eval(collection, dual) -> None:
    class Same:
        name = "same"
        form = load_dual_encoder(dual, "cpu").form
        compute = load_dual_encoder(dual, "cpu").compute

        def encode_queries(self, texts, batch_size):
            return np.ones((len(texts), 2), np.float32)

        def encode(self, texts, length, batch_size, prefix, reach):
            return np.ones((len(texts), 2), np.float32)

    documents = Collection(collection)
    found = search_collection(Same(), documents, downward_ranks(documents.doc_ids), {"q": "cat"}, 3)  # type: ignore
    assert [documents.doc_ids[number] for number in found["q"].documents] == ["d5", "d4", "d3"]


def test_a_model_that_broke_is_said_to_have(collection, dual, tmp_path, capsys) -> None:
    from transformers import BertModel

    broken = tmp_path / "broken"
    shutil.copytree(dual, broken)
    model = BertModel.from_pretrained(dual)
    with torch.no_grad():
        model.embeddings.word_embeddings.weight.fill_(float("nan"))
    model.save_pretrained(broken)
    assert main(["evaluate", str(broken), "--collection", collection, "--output", str(tmp_path), *QUIET]) == 1
    told = capsys.readouterr().err
    assert "not finite; train the model again, with a lower --lr" in told
    assert told.count("\n") == 1
