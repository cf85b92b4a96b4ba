"""`anchormine train classifier`: its examples, what it tells of them, and the model that comes out."""

from __future__ import annotations

import json
import os
import re
import threading
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
import torch

from anchormine.filters.query_classifier import QueryClassifier
from anchormine.training.classifier_data import classifier_examples, draw_distinct
from anchormine.training.classifier_options import ClassifierTraining
from anchormine.training.classifier_training import area_under_curve, held_out_doubt, held_out_line
from tests.filters.anchor_folders import write_folder
from tests.filters.classified_folder import TEXTS, folder, link_all, tiny_model, train, write_queries
from tests.pipelines.command_runs import QUIET, main, read_table
from tests.training.tiny_inputs import WORDS

__all__ = ["folder", "tiny_model"]  # fixtures


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
    assert told.err == f"anchormine: {model}: {doubt}\n"
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
    assert capsys.readouterr().err.splitlines()[0] == f"anchormine: {doubt}"
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
    told = [f"anchormine: {folder}: {asked}; 30 are there, distinct, clean and no queries"] if asked else []
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
    assert capsys.readouterr().err.splitlines()[:2] == [f"anchormine: {line}" for line in told]
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
        f"anchormine: {queries}, line 1: begins with `#`, and counts as a query; remove the line if it is a "
        "remark"
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


def test_several_files_of_queries(
    folder: Path, tmp_path: Path, tiny_model: str, capsys: pytest.CaptureFixture
) -> None:
    first, second = tmp_path / "2011" / "topics.txt", tmp_path / "2012" / "topics.txt"
    for path, numbers in ((first, range(15)), (second, range(10, 24))):
        path.parent.mkdir()
        path.write_text("".join(f"how {WORDS[n]} works\n" for n in numbers))
    options = ("--positives", str(first), str(second), "--init", tiny_model, "--max-steps", "1")
    assert train(tmp_path, folder, *options) == 0
    told = f"anchormine: {first} {second}: left out 5 queries: repeated"
    assert capsys.readouterr().err.splitlines()[0] == told
    model = tmp_path / "model"
    about = json.loads((model / "query_classifier.json").read_text())
    assert about["trained_on"]["queries"] + about["held_out"]["queries"] == 24
    data = json.loads((model / "train_options.json").read_text())["data"]
    read = {"topics.txt": first, str(second): second}
    assert {name: data[name] for name in read} == {
        name: sha256(path.read_bytes()).hexdigest() for name, path in read.items()
    }
    assert f"24 queries of topics.txt, {second} and 24 distinct anchors" in (model / "README.md").read_text()


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


def test_examples_are_distinct_clean_and_held_out(tmp_path: Path) -> None:
    texts = ["Home »", "home", "HOME", "query 7", "[1]", *(f"Page {n}!" for n in range(60))]
    folder = write_folder(tmp_path / "folder", link_all(texts))
    queries = tmp_path / "queries.tsv"
    queries.write_text("".join(f"{n}\tQuery {n}?\n" for n in range(30)) + "31\tquery 5\n32\t77\n")
    options = ClassifierTraining([str(queries)], str(folder), negatives=100)
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
