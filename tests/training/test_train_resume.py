"""A run that is cut off and resumed gives what an undisturbed one gives, to the bit."""

import json
import shutil
import signal
from hashlib import sha256
from pathlib import Path

import pytest
from safetensors.torch import load_file, save_file

from anchormine.model_checksum import model_checksum
from anchormine.pipelines.cli import main
from anchormine.training.run_folder import RunFolder

STEPS = ["--max-steps", "9", "--log-every", "2", "--save-every", "3", "--batch-size", "4", "--device", "cpu"]


def command(kind: str, data: str, collection: str, model: str) -> list[str]:
    shape = ["--hidden", "16", "--layers", "2", "--heads", "2", "--vocab-size", "120", "--positions", "64"]
    accumulation = ["--gradient-accumulation", "2", "--length", "32", "--init", model]
    arguments = {
        "encoder": [data, *shape, "--length", "32", "--dropout", "0.1"],
        "pretrain": [data, *accumulation],
        "rerank": ["--collection", collection, "--mqp", "0.2", *accumulation],
    }
    return ["train", kind, *arguments[kind], *STEPS, "--progress", "none"]


def log(folder: Path) -> list[dict]:
    lines = [json.loads(line) for line in (folder / "train_log.jsonl").read_text().splitlines()]
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


@pytest.mark.parametrize("kind", ["encoder", "pretrain", "rerank"])
def test_resumed_run_is_equal(kind, data, collection, tiny_model, tmp_path, monkeypatch, capsys):
    arguments = command(kind, data, collection, tiny_model)
    assert main([*arguments, "--output", str(tmp_path / "whole")]) == 0

    def stop(self, line):
        write(self, line)
        if line["step"] == 8:
            signal.raise_signal(signal.SIGINT)

    write = RunFolder.append_log
    with monkeypatch.context() as patched:
        patched.setattr(RunFolder, "append_log", stop)
        assert main([*arguments, "--output", str(tmp_path / "cut")]) == 128 + signal.SIGINT
    assert not (tmp_path / "cut").exists()
    assert main([*arguments, "--output", str(tmp_path / "cut")]) == 2
    assert "--resume goes on with it" in capsys.readouterr().err
    assert main([*arguments, "--output", str(tmp_path / "cut"), "--resume"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'cut'}\n"
    assert [line["step"] for line in log(tmp_path / "cut")] == [1, 2, 4, 6, 8, 9]
    assert log(tmp_path / "cut") == log(tmp_path / "whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cut", "whole"]
    for name in ("model.safetensors", "tokenizer.json", "config.json"):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_resume_with_other_options(data, collection, tiny_model, tmp_path, monkeypatch, capsys):
    arguments = [*command("pretrain", data, collection, tiny_model), "--output", str(tmp_path / "model")]

    def stop(self, line):
        signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(RunFolder, "append_log", stop)
        assert main(arguments) == 128 + signal.SIGINT
    capsys.readouterr()
    assert main([*arguments, "--resume", "--seed", "5"]) == 2
    assert "was begun with seed 0, not 5" in capsys.readouterr().err


def test_a_finished_model_is_that_of_the_same_training(collection, tiny_model, tmp_path, capsys):
    """Of the same options and data: else what comes after it would be made of another model than it says."""
    own, model = tmp_path / "collection", tmp_path / "model"
    shutil.copytree(collection, own)
    arguments = [*command("rerank", "", str(own), tiny_model), "--output", str(model)]
    assert main(arguments) == 0
    assert main([*arguments, "--resume"]) == 0
    capsys.readouterr()
    trained = f"anchormine: {model}: is complete, and was trained with"
    remedy = "resume with the same, or begin anew with --overwrite\n"
    assert main([*arguments, "--resume", "--mqp", "0.3"]) == 2
    assert capsys.readouterr().err == f"{trained} mqp 0.2, not 0.3; {remedy}"
    queries = own / "queries.jsonl"
    before = sha256(queries.read_bytes()).hexdigest()
    queries.write_text(queries.read_text().replace('"text": "', '"text": "new '))
    after = sha256(queries.read_bytes()).hexdigest()
    assert main([*arguments, "--resume"]) == 2
    assert capsys.readouterr().err == f"{trained} data.queries.jsonl {before}, not {after}; {remedy}"
    (model / "train_options.json").unlink()
    assert main([*arguments, "--resume"]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: {model}: is a model that does not say how it was trained; give another --output, or "
        "--overwrite to replace it\n"
    )


@pytest.mark.parametrize("kind", ["encoder", "pretrain", "rerank"])
def test_a_model_that_was_trained_anew_in_its_place(kind, data, collection, tiny_model, tmp_path, capsys):
    """It starts another training, finished or not."""
    init, model = tmp_path / "init", tmp_path / "model"
    shutil.copytree(tiny_model, init)
    arguments = [*command(kind, data, collection, str(init)), "--output", str(model)]
    if kind == "encoder":
        arguments = ["train", kind, data, "--init", str(init), *STEPS, "--progress", "none"]
        arguments += ["--length", "32", "--output", str(model)]
    assert main(arguments) == 0
    assert main([*arguments, "--resume"]) == 0
    before = model_checksum(str(init))
    weights = load_file(init / "model.safetensors")
    save_file(
        {name: 2 * tensor for name, tensor in weights.items()}, init / "model.safetensors", {"format": "pt"}
    )
    capsys.readouterr()
    assert main([*arguments, "--resume"]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: {model}: is complete, and was trained with model_sha256 {before}, not "
        f"{model_checksum(str(init))}; resume with the same, or begin anew with --overwrite\n"
    )


def test_what_a_checksum_of_a_model_is_of(tiny_model, tmp_path):
    """Pooling, too, which sentence-transformers keeps in a folder of its own; no card, and no log."""
    model = shutil.copytree(tiny_model, tmp_path / "model")
    sums = [model_checksum(str(model))]
    for name, text, is_new in (
        ("README.md", "Read me.", False),
        ("train_log.jsonl", "{}", False),
        ("modules.json", "[]", True),
        ("dual_encoder.json", "{}", True),
        ("config_sentence_transformers.json", "{}", True),
        ("sentence_bert_config.json", "{}", True),
        ("1_Pooling/config.json", '{"pooling_mode": "mean"}', True),
        ("1_Pooling/config.json", '{"pooling_mode": "cls"}', True),
        ("2_Dense/model.safetensors", "weights", True),
    ):
        (model / name).parent.mkdir(exist_ok=True)
        (model / name).write_text(text)
        sums.append(model_checksum(str(model)))
        assert (sums[-1] != sums[-2]) is is_new
    assert model_checksum("an/id-of-the-hub") is None


def test_a_checksum_of_a_model_passes_over_what_is_no_file(tiny_model, tmp_path):
    """A copy of a tokenizer in a folder of its own, and links that editors leave or a cache has lost."""
    model = shutil.copytree(tiny_model, tmp_path / "model")
    before = model_checksum(str(model))
    (model / "tokenizer").mkdir()
    (model / "tokenizer" / "tokenizer.json").write_text("{}")
    (model / "token.lock").symlink_to("nowhere")
    (model / "spiece.model").symlink_to("nowhere")
    assert model_checksum(str(model)) == before
