"""`anchormine train contrastive`: the model folder, its log, what resumes it, and what is refused."""

import json
import shutil
import signal
from pathlib import Path

import numpy as np
import pytest
import torch

from anchormine.pipelines.cli import main
from anchormine.retrieval.dual_encoder import load_dual_encoder
from anchormine.training.run_folder import RunFolder
from tests.retrieval.tiny_encoders import make_sentence_transformer, make_t5
from tests.training.tiny_contrastive import anchor_pairs, write_tables
from tests.training.tiny_inputs import make_model

TEXTS = ["apple bread cedar", "", "delta " * 90]
LENGTHS = ["--query-length", "16", "--document-length", "32", "--device", "cpu", "--progress", "none"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> str:
    return write_tables(tmp_path_factory.mktemp("set"), anchor_pairs(120), negatives=3)


@pytest.fixture(scope="module")
def bert(tmp_path_factory) -> str:
    return make_model(tmp_path_factory.mktemp("bert"))


def train(folder: str, encoder: str, output: Path, *more: str) -> int:
    task = [] if "--task" in more else ["--task", "anchor_document"]
    model = ["--encoder", encoder, "--output", str(output)]
    return main(["train", "contrastive", folder, *task, *model, *LENGTHS, *more])


def log(folder: Path) -> list[dict]:
    lines = [json.loads(line) for line in (folder / "train_log.jsonl").read_text().splitlines()]
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


@pytest.mark.parametrize(
    ("similarity", "modules"), [("dot", ["", "1_Pooling"]), ("cosine", ["", "1_Pooling", "2_Normalize"])]
)
def test_the_folder_loads_everywhere(folder, bert, tmp_path, capsys, similarity, modules) -> None:
    from sentence_transformers import SentenceTransformer
    from transformers import AutoModel

    out = tmp_path / "model"
    more = ["--similarity", similarity, "--epochs", "3", "--batch-size", "16", "--negatives", "1"]
    assert train(folder, bert, out, *more, "--lr", "3e-3") == 0
    lines = log(out)
    assert lines[-1]["loss"] < lines[0]["loss"]
    before, after = lines[0]["validation_before"], lines[-1]["validation"]
    assert after["loss"] < before["loss"]
    assert [line["step"] for line in lines if "validation" in line] == [8, 16, 22]
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == f"before training: loss {before['loss']:.4f}, MRR@10 {before['MRR@10']:.4f}"
    assert (len(printed), printed[-1]) == (5, str(out))
    ours = load_dual_encoder(str(out), "cpu")
    assert (ours.form.query_length, ours.form.document_length, ours.form.similarity) == (16, 32, similarity)
    assert ours.form.temperature == {"dot": 1.0, "cosine": 0.05}[similarity]
    theirs = SentenceTransformer(str(out), device="cpu")
    assert [module["path"] for module in json.loads((out / "modules.json").read_text())] == modules
    assert theirs.similarity_fn_name == similarity
    np.testing.assert_allclose(ours.encode_documents(TEXTS), theirs.encode(TEXTS), atol=1e-5)
    plain = AutoModel.from_pretrained(out)
    for name, parameter in ours.network.transformer.named_parameters():
        assert torch.equal(parameter, plain.get_parameter(name))
    card = (out / "README.md").read_text()
    assert "pairs of contrastive/anchor_document" in card
    assert "has no module" not in card


def test_t5_is_trained_by_the_first_state_of_its_decoder(folder, tmp_path) -> None:
    from transformers import AutoModel

    out = tmp_path / "model"
    t5 = make_t5(tmp_path / "t5")
    assert train(folder, t5, out, "--max-steps", "15", "--batch-size", "16", "--lr", "1e-2") == 0
    assert log(out)[-1]["loss"] < log(out)[0]["loss"]
    assert not (out / "modules.json").exists()
    ours, start = load_dual_encoder(str(out), "cpu"), load_dual_encoder(t5, "cpu")
    assert ours.form.poolings == ("first-decoder",)
    assert "sentence-transformers has no module" in (out / "README.md").read_text()
    assert np.abs(ours.encode(TEXTS) - start.encode(TEXTS)).max() > 0.01
    model = AutoModel.from_pretrained(out)
    assert type(model).__name__ == "T5Model"
    assert torch.equal(model.shared.weight, ours.network.transformer.shared.weight)


def test_t5_by_the_mean_and_all_modules_go_through(folder, bert, tmp_path) -> None:
    from sentence_transformers import SentenceTransformer

    made = {
        "t5": (make_t5(tmp_path / "t5"), ["--pooling", "mean"]),
        "modules": (make_sentence_transformer(bert, tmp_path / "st", "cls"), ["--document-length", "24"]),
    }
    for name, (encoder, more) in made.items():
        out = tmp_path / f"of-{name}"
        assert train(folder, encoder, out, "--max-steps", "1", "--batch-size", "16", *more) == 0
        ours, theirs = load_dual_encoder(str(out), "cpu"), SentenceTransformer(str(out), device="cpu")
        np.testing.assert_allclose(ours.encode_documents(TEXTS), theirs.encode_document(TEXTS), atol=1e-5)
        queries = ours.encode(TEXTS, prefix=ours.form.query_prefix)
        np.testing.assert_allclose(queries, theirs.encode_query(TEXTS), atol=1e-5)
        assert {"validation_before", "validation"} <= log(out)[0].keys()
    written = json.loads((tmp_path / "of-t5" / "tokenizer_config.json").read_text())
    assert written["model_input_names"] == ["input_ids", "attention_mask"]  # T5 knows of no token types


def test_a_resumed_training_is_equal(folder, bert, tmp_path, monkeypatch, capsys) -> None:
    dropping = tmp_path / "dropping"
    shutil.copytree(bert, dropping)
    config = json.loads((dropping / "config.json").read_text())
    assert config["hidden_dropout_prob"] == 0.1
    steps = ["--max-steps", "9", "--log-every", "2", "--save-every", "3", "--batch-size", "8"]
    arguments = [*steps, "--gradient-accumulation", "2", "--negatives", "2"]
    assert train(folder, str(dropping), tmp_path / "whole", *arguments) == 0

    def stop(self, line):
        write(self, line)
        if line["step"] == 8:
            signal.raise_signal(signal.SIGINT)

    write = RunFolder.append_log
    with monkeypatch.context() as patched:
        patched.setattr(RunFolder, "append_log", stop)
        assert train(folder, str(dropping), tmp_path / "cut", *arguments) == 128 + signal.SIGINT
    assert train(folder, str(dropping), tmp_path / "cut", *arguments, "--resume") == 0
    assert [line["step"] for line in log(tmp_path / "whole")] == [1, 2, 4, 6, 8, 9]
    assert log(tmp_path / "cut") == log(tmp_path / "whole")
    for path in sorted((tmp_path / "whole").rglob("*.*")):
        name = path.relative_to(tmp_path / "whole")
        if name.name not in ("README.md", "train_log.jsonl"):
            assert (tmp_path / "cut" / name).read_bytes() == path.read_bytes()
    capsys.readouterr()


def test_the_table_that_is_read_is_named(folder, bert, tmp_path, capsys) -> None:
    few = ["--max-steps", "1", "--batch-size", "8", "--progress", "plain"]
    assert train(folder, bert, tmp_path / "mined", *few) == 0
    assert "pairs of contrastive/anchor_document\n" in capsys.readouterr().err
    assert train(folder, bert, tmp_path / "plain", *few, "--source", "pairs", "--held-out", "0") == 0
    told = capsys.readouterr()
    assert "pairs of pairs/anchor_document\n" in told.err
    assert told.out == f"{tmp_path / 'plain'}\n"
    assert "validation_before" not in log(tmp_path / "plain")[0]


def test_one_line_says_what_is_wrong(folder, bert, tmp_path, capsys) -> None:
    from transformers import BertForSequenceClassification

    cross, bare = tmp_path / "cross", tmp_path / "bare"
    shutil.copytree(bert, cross)
    BertForSequenceClassification.from_pretrained(bert, num_labels=1).save_pretrained(cross)
    shutil.copytree(bert, bare)
    for name in ("tokenizer.json", "vocab.txt"):
        (bare / name).unlink(missing_ok=True)  # transformers 4 writes both
    only_pairs = write_tables(tmp_path / "pairs", anchor_pairs(20))
    out = tmp_path / "model"
    for data, encoder, more, status, reason in (
        (
            folder,
            bert,
            ["--task", "ict"],
            2,
            "has no pair of task ict, only of anchor_document; make them with ",
        ),
        (only_pairs, bert, ["--source", "contrastive"], 2, "make it with `anchormine negatives "),
        (
            only_pairs,
            bert,
            [],
            2,
            "pairs to train on, fewer than a batch of 128; give a smaller --batch-size",
        ),
        (folder, str(cross), [], 2, "is a cross-encoder"),
        (folder, str(bare), [], 2, "no tokenizer here"),
        (folder, bert, ["--document-length", "65"], 2, "--document-length 65: must be from 8 to 64"),
        (folder, bert, ["--query-length", "65"], 2, "--query-length 65: must be from 8 to 64"),
        (folder, bert, ["--pooling", "first-decoder"], 2, "has no decoder"),
        (folder, bert, ["--temperature", "0"], 2, "--temperature 0.0: must be above 0"),
        (str(tmp_path), bert, [], 2, "no manifest.json here"),
        (
            folder,
            bert,
            ["--lr", "1", "--batch-size", "16", "--warmup", "0", "--temperature", "1e-45"],
            1,
            "lower --lr",
        ),
    ):
        assert train(data, encoder, out, *more) == status
        told = capsys.readouterr().err
        assert reason in told
        assert told.startswith("anchormine: ")
        assert told.count("\n") == 1
        assert not out.exists()
        shutil.rmtree(tmp_path / "model.unfinished", ignore_errors=True)


def test_batches_of_one_need_negatives(folder, bert, tmp_path, capsys) -> None:
    only_pairs, out = write_tables(tmp_path / "my pairs", anchor_pairs(20)), tmp_path / "model"
    lone, larger = (
        "a query has no document but its own to be compared with",
        "give --batch-size 2 or more, or",
    )
    plain = f"--batch-size 1: the pairs of anchor_document have no negatives, and {lone}; {larger}"
    for data, more, told in (
        (
            only_pairs,
            [],
            f"{plain} mine negatives with "
            f"`anchormine negatives '{only_pairs}' --task anchor_document --from bm25`",
        ),
        (
            folder,
            ["--source", "pairs"],
            f"{plain} leave out --source pairs, and mine negatives with "
            f"`anchormine negatives {folder} --task anchor_document --from bm25`",
        ),
        (
            folder,
            ["--negatives", "0"],
            f"--batch-size 1: with --negatives 0 {lone}; {larger} --negatives 1 or more",
        ),
    ):
        assert train(data, bert, out, "--batch-size", "1", *more) == 2
        assert capsys.readouterr() == ("", f"anchormine: {told}\n")
        assert list(tmp_path.glob("model*")) == []
    few = ["--batch-size", "1", "--max-steps", "1", "--held-out", "0"]
    assert train(folder, bert, out, *few) == 0
    assert log(out)[0]["loss"] > 0
