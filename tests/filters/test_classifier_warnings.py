"""Models that `filter` cannot or should not classify by: what it says of them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from transformers import BertConfig, BertForSequenceClassification

from anchormine.encoder import encoder_path
from anchormine.filters.classifier_options import ClassifierOptions
from anchormine.pipelines import filter_source
from tests.filters.anchor_folders import write_folder
from tests.filters.classified_folder import DEFAULT, TEXTS, folder, link_all, tiny_model, train
from tests.pipelines.command_runs import QUIET, checksums, main
from tests.training.tiny_inputs import WORDS

__all__ = ["folder", "tiny_model"]  # fixtures


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
    "deep": ("query_classifier.json", "[" * 100_000),
    "listed": ("config.json", "[]"),
    "unlabelled": ("config.json", '{"model_type": "bert", "id2label": 5}'),
    "numbered": ("tokenizer_config.json", "5"),
}


def make_no_classifier(kind: str, model: Path, tiny_model: str) -> None:
    """Writes a model of a kind that `filter` refuses; nothing of some."""
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
    elif kind == "program":
        shutil.copytree(DEFAULT, model)
        own = {"model_type": "own", "auto_map": {"AutoConfig": "own.OwnConfig"}}
        (model / "config.json").write_text(json.dumps(own))
        (model / "own.py").write_text(f"open({str(model.parent / 'run')!r}, 'w')")
    elif kind in BENT_FILES:
        shutil.copytree(DEFAULT, model)
        name, text = BENT_FILES[kind]
        (model / name).write_text(text)


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
        ("deep", "query_classifier.json: is not JSON (maximum recursion depth exceeded"),
        ("program", "cannot be loaded ("),
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
    make_no_classifier(kind, model, tiny_model)
    # A program beside a model is not run, and nobody asked whether to.
    monkeypatch.setattr("builtins.input", lambda _: (tmp_path / "asked").touch())
    before = checksums(folder)
    given = set(tmp_path.iterdir())
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
    assert set(tmp_path.iterdir()) == given


def test_options_check_themselves() -> None:
    for share in (0.0, -1.0, 1.1, float("nan")):
        with pytest.raises(Exception, match="above 0 and up to 1"):
            ClassifierOptions("default", share)
