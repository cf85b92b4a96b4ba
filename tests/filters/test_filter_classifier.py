"""`anchormine filter` with a query classifier, and `anchormine train classifier`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer, BertForSequenceClassification

from anchormine.classifier import classifier_path
from anchormine.errors import CommandError, UsageError
from anchormine.filters.classifier_options import ClassifierOptions
from anchormine.filters.query_classifier import LABELS, QueryClassifier, TextScores
from anchormine.pipelines import filter_source
from anchormine.training.classifier_training import area_under_curve
from anchormine.transforms.load_classifier import load_classifier
from tests.filters.anchor_folders import write_folder
from tests.filters.classified_folder import DEFAULT, TEXTS, folder, link_all, tiny_model
from tests.pipelines.command_runs import QUIET, checksums, funnel, main, read_table

__all__ = ["folder", "tiny_model"]  # fixtures


def plain_scores(texts: list[str]) -> dict[str, float]:
    """The scores by transformers alone, one text at a time."""
    tokenizer = AutoTokenizer.from_pretrained(DEFAULT)
    model = AutoModelForSequenceClassification.from_pretrained(DEFAULT, dtype=torch.float32).eval()
    scores = {}
    for text in texts:
        inputs = tokenizer(text.lower(), return_tensors="pt", truncation=True, max_length=32)
        with torch.inference_mode():
            scores[text] = float(model(**inputs).logits[0, model.config.label2id["query"]])
    return scores


def test_the_best_quarter_of_the_distinct_texts_is_kept(folder: Path) -> None:
    assert main(["filter", str(folder), *QUIET, "--device", "cpu"]) == 0
    expected = plain_scores(TEXTS)
    rows, rejects = read_table(folder, "filtered"), read_table(folder, "rejects/filter")
    (threshold,) = {row["query_threshold"] for row in rows}
    assert threshold == pytest.approx(sorted(expected.values(), reverse=True)[59], abs=2e-4)
    for row in rows:
        assert row["query_score"] == pytest.approx(expected[row["anchor_clean"].lower()], abs=2e-4)
        assert row["query_score"] >= threshold
    kept = {row["anchor_clean"].lower() for row in rows}
    assert 60 <= len(kept) <= 62
    assert len(rows) == 2 * len(kept)
    reasons = [row["reason"] for row in rejects]
    assert (reasons.count("classifier"), reasons.count("keywords")) == (480 - len(rows), 10)
    assert kept.isdisjoint(row["excerpt"].rstrip(".").lower() for row in rejects)
    options = json.loads((folder / "manifest.json").read_text())["steps"]["filter"]["options"]
    assert {name: options[name] for name in ("classifier", "keep_share", "device", "dtype")} == {
        "classifier": "default", "keep_share": 0.25, "device": "cpu", "dtype": "float32",
    }  # fmt: skip
    assert len(options["classifier_sha256"]) == 64


def test_workers_elsewhere_have_the_gpu(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """The launcher has none, and reads the classifier on its CPU: before the job, and behind it."""

    def with_a_gpu(options: ClassifierOptions) -> QueryClassifier:
        told.add((options.device, options.dtype))
        return load_classifier(replace(options, device="cpu"))

    told: set[tuple[str, str]] = set()
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr("anchormine.pipelines.worker_compute.is_local", lambda options: False)
    monkeypatch.setattr("anchormine.transforms.score_strings.load_classifier", with_a_gpu)
    asked = ["filter", str(folder), *QUIET]
    assert main([*asked, "--device", "cuda:1"]) == 0
    options = json.loads((folder / "manifest.json").read_text())["steps"]["filter"]["options"]
    assert {name: options[name] for name in ("device", "dtype")} == {"device": "cuda", "dtype": "float32"}
    assert told == {("cuda:1", "float32")}
    capsys.readouterr()
    assert main([*asked, "--resume"]) == 0
    assert main([*asked, "--resume", "--dtype", "float16"]) == 2
    remedy = "give --overwrite, or another folder"
    assert capsys.readouterr().err == (
        f"{folder}: `anchormine filter` is done already\n"
        f"anchormine: --resume: {folder} has `anchormine filter` with dtype float32, not float16; {remedy}\n"
    )


def test_the_table_has_a_row_for_the_classifier(folder: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["filter", str(folder), *QUIET, "--keep-share", "0.5", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    found = printed["classifier"]
    assert (found["texts"], round(found["kept"] / 240, 1), len(found)) == (240, 0.5, 4)
    about = json.loads((Path(classifier_path("default")) / "query_classifier.json").read_text())
    assert found["held_out"] == about["held_out"] == {"queries": 40, "anchors": 200, "auc": 0.9822}
    *_, rules, classifier = printed["filters"]
    assert (rules["after"], rules["anchors"], rules["paper_share_of_all"]) == ("length", 480, 0.176)
    assert classifier["after"] == "classifier"
    assert classifier["anchors"] == funnel(folder, "filter")["anchors"]["written"]
    assert classifier["share_of_previous"] == pytest.approx(0.5, abs=0.02)
    assert classifier["paper_share_of_previous"] == 0.206
    assert classifier["documents"] == 7


def test_a_table_of_one_text(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = write_folder(tmp_path / "folder", link_all(["A pier"]))
    assert main(["filter", str(folder), *QUIET]) == 0
    assert "classifier: 1 distinct text, 1 kept (100.0 %), from score " in capsys.readouterr().out


def test_workers_and_slices_give_the_same(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filter_source, "ROWS_PER_SLICE", 20)  # several units of work, and several buckets
    monkeypatch.setattr("anchormine.transforms.collect_strings._ROWS_PER_BUCKET", 100)
    other = Path(shutil.copytree(folder, tmp_path / "other"))
    for place, workers in ((folder, "1"), (other, "2")):
        assert main(["filter", str(place), "--progress", "none", "--workers", workers]) == 0
    assert checksums(folder) == checksums(other)
    assert len(read_table(folder, "filtered")) == pytest.approx(120, abs=4)


def test_batches_hang_on_the_corpus_alone(folder: Path, tmp_path: Path, monkeypatch) -> None:
    """Whatever the slices, the lists of texts that are scored are the same, in the same order each."""
    score = QueryClassifier.score
    scored: list[list[list[str]]] = []

    def record(classifier: QueryClassifier, texts: list[str]) -> TextScores:
        scored[-1].append(list(texts))
        return score(classifier, texts)

    monkeypatch.setattr(QueryClassifier, "score", record)
    monkeypatch.setattr("anchormine.transforms.collect_strings._ROWS_PER_BUCKET", 100)
    for rows in (filter_source.ROWS_PER_SLICE, 20, 7):
        monkeypatch.setattr(filter_source, "ROWS_PER_SLICE", rows)
        place = shutil.copytree(folder, tmp_path / str(rows))
        scored.append([])
        assert main(["filter", str(place), *QUIET]) == 0
    whole, *cut = (sorted(lists) for lists in scored)
    assert (cut, len(whole)) == ([whole, whole], 5)
    assert all(texts == sorted(texts) for texts in whole)
    assert sorted(text for texts in whole for text in texts) == sorted(TEXTS)


def test_scores_are_those_of_one_text_alone() -> None:
    texts = ["lisbon", "cheap flights to reykjavik", "Edit this page " * 20, "语言", ""]
    found = QueryClassifier(DEFAULT).score(texts)
    assert found.scores / 10_000 == pytest.approx(list(plain_scores(texts).values()), abs=2e-4)
    assert found.unknown == 1
    nothing = QueryClassifier(DEFAULT).score([])
    assert (nothing.scores.tolist(), nothing.unknown) == ([], 0)


@pytest.fixture
def constant_model(tiny_model: str, tmp_path: Path) -> Callable[[float], str]:
    """Makes classifiers that give every text the same logits: those of `query` are the value."""

    def make(value: float) -> str:
        network = BertForSequenceClassification.from_pretrained(
            tiny_model, num_labels=2, id2label=dict(enumerate(LABELS))
        )
        torch.nn.init.zeros_(network.classifier.weight)
        network.classifier.bias.data = torch.tensor([0.0, value])
        folder = Path(shutil.copytree(tiny_model, tmp_path / "constant"))
        network.save_pretrained(folder)
        return str(folder)

    return make


@pytest.mark.parametrize(
    ("logit", "score"),
    [
        (1.23456, 12_346),
        (1.23454, 12_345),
        (-1.23456, -12_346),
        (3e5, 2_147_483_647),  # the largest number that a score may be
        (-3e5, -2_147_483_647),
    ],
)
def test_scores_are_the_nearest_ten_thousandths(
    constant_model: Callable[[float], str], logit: float, score: int
) -> None:
    assert QueryClassifier(constant_model(logit)).score(["pier", "old pier"]).scores.tolist() == [score] * 2


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_the_logit_itself_is_not_of_reduced_precision(
    constant_model: Callable[[float], str], dtype: str
) -> None:
    try:
        classifier = QueryClassifier(constant_model(1.23456), "cpu", dtype)
    except UsageError as error:  # this machine cannot multiply in it
        pytest.skip(str(error))
    assert classifier.score(["pier", "old pier"]).scores.tolist() == [12_346] * 2


@pytest.mark.parametrize("logit", [float("nan"), float("inf"), float("-inf")])
def test_scores_that_are_no_numbers(constant_model: Callable[[float], str], logit: float) -> None:
    classifier = QueryClassifier(constant_model(logit))
    with pytest.raises(CommandError) as caught:
        classifier.score(["pier"])
    assert str(caught.value) == (
        "the query classifier gives scores that are no numbers; take another --classifier"
    )


def test_the_shipped_one_tells_queries_from_menus() -> None:
    queries = ["how to boil an egg", "history of rome", "cheap hotels in oslo", "knee pain when running"]
    menus = [
        "edit this page",
        "user:tantek.com",
        "WordPress plugins/Semantic Linkbacks",
        "2014-09-23 meeting",
    ]
    scores = QueryClassifier(DEFAULT).score([*queries, *menus]).scores
    assert area_under_curve(scores[:4], scores[4:]) == 1.0
