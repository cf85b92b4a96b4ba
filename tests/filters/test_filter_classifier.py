"""`anchormine filter` with a query classifier, and `anchormine train classifier`."""

from __future__ import annotations

import json
import os
import re
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    BertConfig,
    BertForSequenceClassification,
)

from anchormine.classifier import classifier_path
from anchormine.encoder import encoder_path
from anchormine.errors import CommandError, UsageError
from anchormine.filters.classifier_options import ClassifierOptions
from anchormine.filters.query_classifier import LABELS, QueryClassifier, TextScores
from anchormine.pipelines import filter_source
from anchormine.training.classifier_data import classifier_examples, draw_distinct
from anchormine.training.classifier_options import ClassifierTraining
from anchormine.training.classifier_training import area_under_curve, held_out_doubt, held_out_line
from anchormine.transforms.load_classifier import load_classifier
from tests.filters.anchor_folders import link, write_folder
from tests.pipelines.command_runs import QUIET, checksums, funnel, main, read_table
from tests.training.tiny_inputs import WORDS, make_model

DEFAULT = classifier_path("default")
TEXTS = [f"{first} {second}" for first in WORDS for second in WORDS[:10]]


def link_all(texts: list[str]) -> list:
    return [link(number, text, f"http://{number % 7}.org/") for number, text in enumerate(texts)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A crawl of 480 anchors with 240 distinct texts in small letters, and ten that the rules drop."""
    anchors = link_all([*TEXTS, *(f"{text.title()}." for text in TEXTS)])
    return write_folder(
        tmp_path / "folder", [*anchors, *(link(500 + n, "home") for n in range(10))], shards=2
    )


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_model(tmp_path_factory.mktemp("models") / "tiny")


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


def write_queries(path: Path, count: int = 40) -> str:
    path.write_text("".join(f"wt-{n}:how {WORDS[n % 24]} {WORDS[n % 7]} works\n" for n in range(count)))
    return str(path)


def train(tmp_path: Path, folder: Path, *options: str, queries: int = 40) -> int:
    if "--positives" not in options:
        options = ("--positives", write_queries(tmp_path / "queries.txt", queries), *options)
    return main([
        "train", "classifier", "--negatives-from", str(folder), "--output", str(tmp_path / "model"),
        "--progress", "none", "--device", "cpu", *options,
    ])  # fmt: skip


def test_train_and_use(folder: Path, tmp_path: Path, tiny_model: str, capsys: pytest.CaptureFixture) -> None:
    assert train(tmp_path, folder, "--init", tiny_model, "--lr", "5e-3", "--epochs", "8") == 0
    told = capsys.readouterr()
    printed, model = told.out.splitlines(), tmp_path / "model"
    about = json.loads((model / "query_classifier.json").read_text())
    assert about["trained_on"] == {"queries": 36, "anchors": 36}
    assert (about["held_out"]["queries"], about["held_out"]["anchors"]) == (4, 4)
    assert printed == [f"held-out AUC {about['held_out']['auc']:.4f} (4 queries, 4 anchors)", str(model)]
    assert about["held_out"]["auc"] == 1.0  # "how ... works": a word tells
    doubt = (
        "only 4 queries and 4 anchors were held out: with fewer than 20 of either, the AUC says hardly more "
        "than chance"
    )
    assert told.err == f"{model}: {doubt}\n"
    assert f"- {printed[0]}\n- {doubt}\n" in (model / "README.md").read_text()
    assert main(["filter", str(folder), *QUIET, "--classifier", str(model)]) == 0
    (line,) = re.findall("(?m)^classifier: .*$", capsys.readouterr().out)
    assert line.endswith(f"; {printed[0]}")
    options = json.loads((folder / "manifest.json").read_text())["steps"]["filter"]["options"]
    assert options["classifier"] == "model"
    assert len({row["anchor_clean"] for row in read_table(folder, "filtered")}) >= 60  # its scores are few


def test_a_warning_where_the_queries_are_in_unknown_letters(
    folder: Path, tmp_path: Path, tiny_model: str, capsys: pytest.CaptureFixture
) -> None:
    listed = tmp_path / "queries.txt"
    words = ["τα φώτα του λιμανιού", "ιστορία των φάρων", *(f"how {WORDS[n]} works" for n in range(24))]
    listed.write_text("\n".join(words))
    options = ("--positives", str(listed), "--init", tiny_model, "--max-steps", "1")
    assert train(tmp_path, folder, *options) == 0
    doubt = (
        f"--positives {listed}: 2 of 26 queries are in letters that the classifier does not know, and it "
        "learns of such by their digits and signs alone: give --init a model of their language"
    )
    assert capsys.readouterr().err.splitlines()[0] == doubt
    assert f"- {doubt}\n" in (tmp_path / "model/README.md").read_text()
    listed.write_text("\n".join(words[1:]))  # one of 25 is not told
    assert train(tmp_path, folder, *options, "--overwrite") == 0
    assert "letters" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("queries", "options", "asked"),
    [
        (40, ["--negatives", "1234"], "1,234 anchors asked for"),
        (40, [], "40 anchors asked for, as many as queries"),
        (30, [], None),
        (40, ["--negatives", "30"], None),
    ],
)
def test_fewer_anchors_than_asked_for_are_told(
    tmp_path: Path, tiny_model: str, queries: int, options: list[str], asked: str | None,
    capsys: pytest.CaptureFixture,
) -> None:  # fmt: skip
    folder = write_folder(tmp_path / "folder", link_all([*TEXTS[:30], *TEXTS[:30]]))
    assert train(tmp_path, folder, "--init", tiny_model, "--max-steps", "1", *options, queries=queries) == 0
    told = [f"{folder}: {asked}; 30 are there, distinct, clean and no queries"] if asked else []
    assert capsys.readouterr().err.splitlines()[:-1] == told  # the last is on the texts that are held out


@pytest.mark.parametrize(("queries", "anchors", "few"), [(20, 20, False), (400, 19, True), (2, 400, True)])
def test_the_smaller_class_decides_whether_enough_is_held_out(
    tmp_path: Path, queries: int, anchors: int, few: bool
) -> None:
    about = {"held_out": {"queries": queries, "anchors": anchors, "auc": 1.0}}
    (tmp_path / "query_classifier.json").write_text(json.dumps(about))
    doubt = (
        f"only {queries} queries and {anchors} anchors were held out: with fewer than 20 of either, the AUC"
    )
    assert held_out_doubt(tmp_path) == (f"{doubt} says hardly more than chance" if few else None)
    assert held_out_line(tmp_path) == f"held-out AUC 1.0000 ({queries} queries, {anchors} anchors)"


def test_queries_that_are_left_out_are_told(
    folder: Path, tmp_path: Path, tiny_model: str, capsys: pytest.CaptureFixture
) -> None:
    queries = Path(write_queries(tmp_path / "some.txt", 24))
    queries.write_text(f"{queries.read_text()}50:7\n51:8\n52:how {WORDS[0]} {WORDS[0]} works\n")
    options = ("--positives", str(queries), "--init", tiny_model, "--max-steps", "1")
    assert train(tmp_path, folder, *options) == 0
    told = [
        f"{queries}: left out 2 queries: nothing left of it after cleaning",
        f"{queries}: left out 1 query: repeated",
    ]
    assert capsys.readouterr().err.splitlines()[:2] == told
    card = (tmp_path / "model" / "README.md").read_text()
    assert all(line.partition(": ")[2] in card for line in told)


def test_a_remark_among_queries_is_told(
    folder: Path, tmp_path: Path, tiny_model: str, capsys: pytest.CaptureFixture
) -> None:
    queries = Path(write_queries(tmp_path / "some.txt", 24))
    lines = [line.partition(":")[2] for line in queries.read_text().splitlines()]
    queries.write_text("\n".join(["# queries of a day", *lines]))
    options = ("--positives", str(queries), "--init", tiny_model, "--max-steps", "1")
    assert train(tmp_path, folder, *options) == 0
    told = capsys.readouterr().err.splitlines()
    assert told[0] == (
        f"{queries}, line 1: begins with `#`, and counts as a query; remove the line if it is a remark"
    )
    assert [line for line in told[1:] if "line 1" in line] == []


def test_queries_from_a_pipe_have_their_own_checksum(folder: Path, tmp_path: Path, tiny_model: str) -> None:
    queries = Path(write_queries(tmp_path / "queries.txt", 24))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(queries.read_bytes(),))
    writer.start()
    assert train(tmp_path, folder, "--positives", str(pipe), "--init", tiny_model, "--max-steps", "1") == 0
    writer.join()
    options = json.loads((tmp_path / "model" / "train_options.json").read_text())
    assert options["data"]["pipe"] == sha256(queries.read_bytes()).hexdigest()


def test_all_may_read_a_model_who_may_read_its_folder(folder: Path, tmp_path: Path, tiny_model: str) -> None:
    before = os.umask(0o027)
    try:
        assert train(tmp_path, folder, "--init", tiny_model, "--max-steps", "1") == 0
    finally:
        os.umask(before)
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "model").iterdir()} == {0o640}


def test_a_training_is_the_same_twice(folder: Path, tmp_path: Path, tiny_model: str) -> None:
    sums = []
    for _ in range(2):
        assert train(tmp_path, folder, "--init", tiny_model, "--max-steps", "5", "--overwrite") == 0
        sums.append((tmp_path / "model" / "model.safetensors").read_bytes())
    assert sums[0] == sums[1]


def test_a_classifier_that_was_trained_again_is_loaded_again(
    folder: Path, tmp_path: Path, tiny_model: str
) -> None:
    """In one process, as the steps of a run file are."""
    kept = []
    for seed in ("1", "2"):
        options = ("--init", tiny_model, "--max-steps", "5", "--lr", "5e-3", "--seed", seed, "--overwrite")
        assert train(tmp_path, folder, *options) == 0
        model = str(tmp_path / "model")
        assert main(["filter", str(folder), *QUIET, "--classifier", model, "--overwrite"]) == 0
        rows = read_table(folder, "filtered")
        kept.append({row["anchor_clean"]: row["query_score"] for row in rows})
        texts = list(kept[-1])
        scores = QueryClassifier(model).score(texts).scores / 10_000
        assert list(kept[-1].values()) == pytest.approx(scores, abs=2e-4)
    assert kept[0] != kept[1]


def test_a_training_behind_a_step_has_the_threads_that_it_had(folder: Path) -> None:
    threads = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        assert main(["filter", str(folder), *QUIET]) == 0
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(threads)


def test_a_warning_where_texts_are_cleaned_otherwise(folder: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["filter", str(folder), *QUIET, "--rules", "anchor-dr-code"]) == 0
    assert capsys.readouterr().err == (
        "anchormine: the classifier learnt from texts that were cleaned by ours, and the rules "
        "anchor-dr-code clean by code: its scores are less sure\n"
    )


UNKNOWN = (
    "in letters that the classifier does not know, so that scores of such texts say little: train one "
    "from a model that does (`anchormine train classifier --init MODEL`), or give --classifier none"
)


@pytest.mark.parametrize(
    ("known", "foreign", "warning"),
    [
        (TEXTS[:38], ["埠頭の歴史", "灯台の光"], None),  # one in twenty
        (TEXTS[:37], ["埠頭の歴史", "灯台の光"], f"2 of 39 distinct texts are {UNKNOWN}"),
        (TEXTS[:37], ["埠頭の歴史", "灯台の光", "灯台の光"], f"2 of 39 distinct texts are {UNKNOWN}"),
        (TEXTS[:9], ["تاريخ الميناء"], f"1 of 10 distinct texts is {UNKNOWN}"),
    ],
)
def test_a_warning_where_texts_are_in_unknown_letters(
    tmp_path: Path, known: list[str], foreign: list[str], warning: str | None, capsys: pytest.CaptureFixture
) -> None:
    folder = write_folder(tmp_path / "folder", link_all([*known, *foreign]))
    assert main(["filter", str(folder), *QUIET]) == 0
    assert capsys.readouterr().err == (f"anchormine: {warning}\n" if warning else "")
    counts = json.loads((folder / "manifest.json").read_text())["steps"]["filter"]["counts"]
    assert counts["texts.read"] == len({*known, *foreign})
    assert counts["texts.unknown"] == len(set(foreign))
    assert main(["filter", str(folder), *QUIET, "--classifier", "none", "--overwrite"]) == 0
    assert capsys.readouterr().err == ""
    counts = json.loads((folder / "manifest.json").read_text())["steps"]["filter"]["counts"]
    assert [name for name in counts if name.startswith("texts.")] == []


def test_unknown_texts_are_counted_once_by_any_number_of_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filter_source, "ROWS_PER_SLICE", 20)  # several units of work, and several buckets
    monkeypatch.setattr("anchormine.transforms.collect_strings._ROWS_PER_BUCKET", 50)
    foreign = [f"灯台{number}" for number in "一二三四五六七八九十"]
    folder = write_folder(tmp_path / "folder", link_all([*foreign, *TEXTS[:90], *foreign, *TEXTS[:90]]))
    other = Path(shutil.copytree(folder, tmp_path / "other"))
    for place, workers in ((folder, "1"), (other, "2")):
        assert main(["filter", str(place), "--progress", "none", "--workers", workers]) == 0
        counts = json.loads((place / "manifest.json").read_text())["steps"]["filter"]["counts"]
        assert (counts["texts.read"], counts["texts.unknown"]) == (100, 10)
    assert checksums(folder) == checksums(other)


def test_a_warning_where_no_label_is_called_query(
    folder: Path, tmp_path: Path, tiny_model: str, capsys: pytest.CaptureFixture
) -> None:
    """Of a model that was trained elsewhere, for this or for something else."""
    model = tmp_path / "model"
    shutil.copytree(tiny_model, model)
    BertForSequenceClassification.from_pretrained(tiny_model, num_labels=2).save_pretrained(model)
    assert main(["filter", str(folder), *QUIET, "--classifier", str(model)]) == 0
    told = capsys.readouterr()
    label, ties = told.err.splitlines()
    assert label == "anchormine: no label of the classifier is called `query`: LABEL_1 is taken for it"
    assert re.fullmatch(
        r"anchormine: \d+ of 240 distinct texts are kept, more than the share of 0\.25: texts of the score "
        "at which that is reached stay together; a classifier that gives so many the same one hardly tells "
        "them apart",
        ties,
    )
    (line,) = re.findall("(?m)^classifier: .*$", told.out)
    assert re.fullmatch(r"classifier: 240 distinct texts, .* on", line)  # nothing is known of how it did


def test_examples_are_distinct_clean_and_held_out(tmp_path: Path) -> None:
    texts = ["Home »", "home", "HOME", "query 7", "[1]", *(f"Page {n}!" for n in range(60))]
    folder = write_folder(tmp_path / "folder", link_all(texts))
    queries = tmp_path / "queries.tsv"
    queries.write_text("".join(f"{n}\tQuery {n}?\n" for n in range(30)) + "31\tquery 5\n32\t77\n")
    options = ClassifierTraining(str(queries), str(folder), negatives=100)
    examples = classifier_examples(options, seed=1)
    everything = [*examples.trained, *examples.held_out]
    assert {text for text, label in everything if label} == {f"query {n}" for n in range(30)}
    assert {text for text, label in everything if not label} == {"home", *(f"page {n}" for n in range(60))}
    assert sorted(label for _, label in examples.held_out) == [0] * 6 + [1] * 3
    assert len(set(everything)) == len(everything)
    assert examples.warnings == [
        f"{folder}: 100 anchors asked for; 61 are there, distinct, clean and no queries"
    ]
    assert examples.left_out == {"repeated": 1, "nothing left of it after cleaning": 1}
    batches = [list(examples.batches(epoch, 8, 1)) for epoch in (0, 0, 1)]
    assert batches[0] == batches[1] != batches[2]
    assert sorted(example for batch in batches[2] for example in batch) == sorted(examples.trained)


def test_drawing_does_not_hang_on_the_order() -> None:
    texts = [f"text {n % 50}" for n in range(200)]
    drawn = draw_distinct(texts, 10, seed=1)
    assert len(set(drawn)) == 10
    assert draw_distinct(reversed(texts), 10, seed=1) == drawn
    assert draw_distinct(texts, 10, seed=2) != drawn
    assert sorted(draw_distinct(texts, 100, seed=1)) == sorted(set(texts))


def test_area_under_curve() -> None:
    rng = np.random.default_rng(0)
    positives, negatives = rng.integers(0, 9, 40), rng.integers(0, 7, 30)
    pairs = [(p > n) + (p == n) / 2 for p in positives for n in negatives]
    assert area_under_curve(positives, negatives) == pytest.approx(np.mean(pairs))


@pytest.mark.parametrize(
    ("queries", "options", "message"),
    [
        (1, [], "1 distinct query; 20 are the least, and a few hundred are better"),
        (2, [], "2 distinct queries; 20 are the least, and a few hundred are better"),
        (0, [], "no queries in it; write one a line"),
        (40, ["--negatives", "19"], "--negatives 19: must be 20 or more"),
        (40, ["--negatives", "0"], "--negatives 0: must be 20 or more"),
        (40, ["--init", "nowhere/at/all"], "nowhere/at/all: no such model folder"),
    ],
)
def test_trainings_that_cannot_be(
    folder: Path, tmp_path: Path, queries: int, options: list[str], message: str,
    capsys: pytest.CaptureFixture,
) -> None:  # fmt: skip
    assert train(tmp_path, folder, *options, queries=queries) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1
    assert not (tmp_path / "model").exists()


def test_folders_and_models_that_do_not_fit(
    folder: Path, tmp_path: Path, tiny_model: str, capsys: pytest.CaptureFixture
) -> None:
    bare = write_folder(tmp_path / "bare", [], shards=0)
    assert train(tmp_path, bare) == 1
    assert f"{bare}: holds no anchors; it has pages" in capsys.readouterr().err
    few = write_folder(tmp_path / "few", link_all(TEXTS[:9]))
    assert train(tmp_path, few) == 2
    assert f"{few}: 9 distinct anchors to learn from; 20 are the least" in capsys.readouterr().err
    queries = [f"How {WORDS[n % 24]} {WORDS[n % 7]} works!" for n in range(25)]
    known = write_folder(tmp_path / "known", link_all([*queries, *queries, *TEXTS[:3], "[1]"]))
    assert train(tmp_path, known) == 2
    assert capsys.readouterr().err == (
        f"anchormine: {known}: 3 distinct anchors to learn from, without 25 that are among the queries; 20 "
        "are the least; give a folder with more\n"
    )
    known = write_folder(tmp_path / "one", link_all([*queries[:1], *TEXTS[:1]]))
    assert train(tmp_path, known) == 2
    assert (
        "1 distinct anchor to learn from, without 1 that is among the queries; 20" in capsys.readouterr().err
    )
    mute = tmp_path / "mute"
    mute.mkdir()
    for name in ("config.json", "model.safetensors"):
        shutil.copy(Path(encoder_path("default")) / name, mute / name)
    assert train(tmp_path, folder, "--init", str(mute)) == 2
    assert "no tokenizer here" in capsys.readouterr().err
    short = shutil.copytree(tiny_model, tmp_path / "short")
    BertForSequenceClassification(
        BertConfig.from_pretrained(tiny_model, max_position_embeddings=16)
    ).save_pretrained(short)
    assert train(tmp_path, folder, "--init", str(short)) == 2
    assert (
        f"{short}: reads 16 tokens at most, and a query classifier reads 32; give --init another model"
        in (capsys.readouterr().err)
    )


BENT_FILES = {
    "bent": ("query_classifier.json", "{"),
    "listed": ("config.json", "[]"),
    "unlabelled": ("config.json", '{"model_type": "bert", "id2label": 5}'),
    "numbered": ("tokenizer_config.json", "5"),
}


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("encoder", "is no classifier: it has no labels; make one with `anchormine train classifier`"),
        ("ranker", "has 1 label, and a query classifier has two; make one"),
        ("mute", "no tokenizer"),
        ("narrow", "its tokenizer has 8000 pieces, its embeddings 100; make one"),
        ("short", "reads 16 tokens at most, and a query classifier reads 32; make one"),
        ("listed", "cannot be loaded ("),
        ("unlabelled", "cannot be loaded ("),
        ("numbered", "cannot be loaded ("),
        ("empty", "no config.json here, so no model folder"),
        ("none", "no such model folder"),
        ("file", "model: is a file, and a model is a folder; give such a folder\n"),
        ("bent", "query_classifier.json: is not JSON (Expecting"),
        ("unknown", "classifier no-such-classifier: neither a folder nor a model of the hub ("),
    ],
)
def test_models_that_are_no_classifier(
    folder: Path,
    tmp_path: Path,
    tiny_model: str,
    kind: str,
    message: str,
    capsys: pytest.CaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)  # no waiting for the hub
    model = tmp_path / "model"
    if kind == "encoder":
        shutil.copytree(tiny_model, model)
    elif kind == "ranker":
        shutil.copytree(tiny_model, model)
        BertForSequenceClassification.from_pretrained(tiny_model, num_labels=1).save_pretrained(model)
    elif kind == "mute":
        model.mkdir()
        for name in ("config.json", "model.safetensors"):
            shutil.copy(Path(DEFAULT) / name, model / name)
    elif kind == "empty":
        model.mkdir()
    elif kind == "file":
        model.write_text("{}")
    elif kind in ("narrow", "short"):
        shutil.copytree(DEFAULT, model)
        config = BertConfig.from_pretrained(tiny_model)
        setattr(config, *(("vocab_size", 100) if kind == "narrow" else ("max_position_embeddings", 16)))
        BertForSequenceClassification(config).save_pretrained(model)
    elif kind in BENT_FILES:
        shutil.copytree(DEFAULT, model)
        name, text = BENT_FILES[kind]
        (model / name).write_text(text)
    before = checksums(folder)
    name = "no-such-classifier" if kind == "unknown" else str(model)
    command = ["filter", str(folder), *QUIET, "--classifier", name]
    assert main(command) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1
    fetched = kind == "unknown"  # which a dry run does not do
    assert main([*command, "--dry-run"]) == (0 if fetched else 2)
    assert capsys.readouterr().err == ("" if fetched else printed)
    assert checksums(folder) == before


def test_options_check_themselves() -> None:
    for share in (0.0, -1.0, 1.1, float("nan")):
        with pytest.raises(Exception, match="above 0 and up to 1"):
            ClassifierOptions("default", share)
