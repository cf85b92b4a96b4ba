import json
from pathlib import Path

import pytest
import torch
from transformers import AutoModel, AutoModelForMaskedLM, AutoModelForSequenceClassification, AutoTokenizer

from anchormine.pipelines.cli import main
from tests.training.tiny_inputs import make_model, pages, pairs, write_folder

QUIET = ["--device", "cpu", "--progress", "none"]
NO_KIND = (
    "anchormine train: no kind given; write one of encoder, pretrain, contrastive, rerank, classifier right "
    "behind it"
)


def lines(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "train_log.jsonl").read_text().splitlines()]


def test_encoder(data, tmp_path, capsys):
    output = tmp_path / "encoder"
    shape = ["--hidden", "32", "--layers", "1", "--heads", "2", "--vocab-size", "130", "--positions", "64"]
    steps = ["--length", "48", "--batch-size", "8", "--epochs", "4", "--lr", "3e-3", "--log-every", "5"]
    assert (
        main(
            [
                "train",
                "encoder",
                data,
                *shape,
                *steps,
                "--store",
                "float16",
                "--cls-weight",
                "0.5",
                "--output",
                str(output),
                *QUIET,
            ]
        )
        == 0
    )
    assert capsys.readouterr().out == f"{output}\n"
    log = lines(output)
    assert set(log[-1]) == {"step", "epoch", "loss", "losses", "lr", "seconds"}
    assert set(log[-1]["losses"]) == {"cls", "mlm"}
    losses = log[-1]["losses"]
    assert log[-1]["loss"] == pytest.approx(losses["mlm"] + 0.5 * losses["cls"], rel=0.02)
    assert log[-1]["loss"] < log[0]["loss"]
    assert 4 <= log[-1]["epoch"] < 4.2
    tokenizer = AutoTokenizer.from_pretrained(output)
    model = AutoModel.from_pretrained(output, dtype="auto")
    masked = AutoModelForMaskedLM.from_pretrained(output)
    assert next(model.parameters()).dtype == torch.float16
    assert model.config.hidden_size == 32
    states = model.float()(**tokenizer("apple bread", return_tensors="pt")).last_hidden_state
    assert states.shape[-1] == 32
    assert states.isfinite().all()
    assert masked.get_output_embeddings().weight.data_ptr() == masked.get_input_embeddings().weight.data_ptr()
    assert "anchormine" in (output / "README.md").read_text()


def test_encoder_goes_on_from_another(data, tiny_model, tmp_path):
    output = tmp_path / "encoder"
    arguments = ["--init", tiny_model, "--length", "32", "--positions", "64", "--max-steps", "2"]
    assert main(["train", "encoder", data, *arguments, "--output", str(output), *QUIET]) == 0
    assert (output / "tokenizer.json").read_bytes() == (Path(tiny_model) / "tokenizer.json").read_bytes()


@pytest.mark.parametrize("loss", ["hinge", "softmax_hinge", "pair_ce"])
def test_pretrain(loss, data, tiny_model, tmp_path):
    output = tmp_path / "ranker"
    steps = ["--max-steps", "60", "--batch-size", "16", "--gradient-accumulation", "1", "--lr", "1e-2"]
    arguments = ["--init", tiny_model, "--loss", loss, "--length", "48", "--log-every", "10", *steps]
    assert main(["train", "pretrain", data, *arguments, "--output", str(output), *QUIET]) == 0
    log = lines(output)
    assert set(log[0]["losses"]) == {"mlm", "qdm", "rqp"}
    assert log[-1]["loss"] < log[0]["loss"]
    assert log[-1]["losses"]["mlm"] < log[0]["losses"]["mlm"]
    model, report = AutoModelForSequenceClassification.from_pretrained(output, output_loading_info=True)
    assert model.config.num_labels == 1
    assert not report["missing_keys"]
    assert not report["unexpected_keys"]
    assert AutoTokenizer.from_pretrained(output).model_max_length == 48


def test_pretrain_on_word_sets(tiny_model, tmp_path):
    tables = {f"pairs/{task}": pairs(task, 12) for task in ("rop", "bprop", "rqp")}
    folder, output = write_folder(tmp_path / "data", tables), tmp_path / "model"
    arguments = ["--init", tiny_model, "--max-steps", "2", "--batch-size", "4", "--length", "48"]
    assert main(["train", "pretrain", folder, *arguments, "--output", str(output), *QUIET]) == 0
    card = (output / "README.md").read_text()
    assert "# A cross-encoder pre-trained on word sets and links" in card
    assert "12 pairs of bprop, 12 pairs of rop, 12 pairs of rqp" in card


def test_pretrain_without_masked_words_and_on_one_task(data, tiny_model, tmp_path):
    output = tmp_path / "ranker"
    arguments = [
        "--task",
        "qdm",
        "--init",
        tiny_model,
        "--mlm-weight",
        "0",
        "--length",
        "48",
        "--max-steps",
        "2",
    ]
    assert main(["train", "pretrain", data, *arguments, "--output", str(output), *QUIET]) == 0
    assert set(lines(output)[-1]["losses"]) == {"qdm"}
    assert "8 pairs of qdm in" in (output / "README.md").read_text()


@pytest.mark.parametrize(
    "options", [["--loss", "pointwise"], ["--loss", "hinge", "--mqp", "0.2"], ["--mqp", "0.2"]]
)
def test_rerank(options, collection, tiny_model, tmp_path):
    output = tmp_path / "ranker"
    steps = ["--max-steps", "40", "--batch-size", "12", "--gradient-accumulation", "1", "--lr", "1e-2"]
    arguments = ["--init", tiny_model, "--length", "48", "--log-every", "8", *steps, *options]
    assert (
        main(["train", "rerank", "--collection", collection, *arguments, "--output", str(output), *QUIET])
        == 0
    )
    log = lines(output)
    assert set(log[0]["losses"]) == ({"rank", "mqp"} if "--mqp" in options else {"rank"})
    assert log[-1]["loss"] < log[0]["loss"]
    model = AutoModelForSequenceClassification.from_pretrained(output)
    assert model.config.num_labels == 1
    names = set(model.state_dict())
    assert not [name for name in names if "query_prediction" in name]
    loss = "hinge" if "--mqp" in options else "pointwise"
    assert f"with the {loss} loss" in " ".join((output / "README.md").read_text().split())


def test_config_file(data, tiny_model, tmp_path):
    config = tmp_path / "train.toml"
    output = tmp_path / "ranker"
    config.write_text(
        f'init = "{tiny_model}"\noutput = "{output}"\nmax-steps = 3\nlength = 48\nlog_every = 1\n'
    )
    assert main(["train", "pretrain", data, "--config", str(config), "--max-steps", "2", *QUIET]) == 0
    assert [line["step"] for line in lines(output)] == [1, 2]


def test_finished_model_is_kept_replaced_or_done(data, tiny_model, tmp_path, capsys):
    output = tmp_path / "ranker"
    arguments = [
        "train",
        "pretrain",
        data,
        "--init",
        tiny_model,
        "--length",
        "48",
        "--output",
        str(output),
        *QUIET,
    ]
    assert main([*arguments, "--max-steps", "1"]) == 0
    before = (output / "model.safetensors").read_bytes()
    assert main([*arguments, "--max-steps", "1"]) == 2
    assert "is not empty; give --overwrite" in capsys.readouterr().err
    assert main([*arguments, "--max-steps", "1", "--resume"]) == 0
    assert main([*arguments, "--max-steps", "2", "--resume"]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: {output}: is complete, and was trained with max_steps 1, not 2; resume with the same, "
        "or begin anew with --overwrite\n"
    )
    assert main([*arguments, "--resume"]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: {output}: is complete, and was trained with max_steps 1, which is not given now; "
        "resume with the same, or begin anew with --overwrite\n"
    )
    assert (output / "model.safetensors").read_bytes() == before
    assert main([*arguments, "--max-steps", "2", "--overwrite"]) == 0
    assert (output / "model.safetensors").read_bytes() != before
    assert [path.name for path in tmp_path.iterdir()] == ["ranker"]


def test_tasks_given_twice(capsys: pytest.CaptureFixture) -> None:
    assert main(["train", "pretrain", "data", "--task", "rqp", "--output", "new", "--task", "qdm"]) == 2
    told = "anchormine: --task is given twice; give all its values at once: --task ONE ANOTHER\n"
    assert capsys.readouterr() == ("", told)


def bad_inputs(tmp_path: Path, data: str, collection: str, model: str) -> dict[str, tuple[list[str], str]]:
    """Arguments and message of each mistake."""
    bare = Path(make_model(tmp_path / "bare"))
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        (bare / name).unlink(missing_ok=True)  # transformers 4 writes the last, too
    only_pages = write_folder(tmp_path / "pages", {"pages": pages(3)})
    empty_pages = write_folder(tmp_path / "empty", {"pages": [page._replace(text="") for page in pages(2)]})
    new = ["--output", str(tmp_path / "new")]
    encoder, pretrain = ["train", "encoder"], ["train", "pretrain", data, "--init", model, *new]
    rerank = ["train", "rerank", "--init", model, *new, "--collection"]
    return {
        "no kind": (["train"], NO_KIND),
        "no kind before an option": (["train", "--output", "classifier"], NO_KIND),
        "no such kind": (["train", "encoders"], "argument KIND: invalid choice: 'encoders' (choose from"),
        "one argument more": (
            [*encoder, data, "more", *new],
            "unexpected argument 'more' (see `anchormine train encoder --help`)",
        ),
        "an option of another kind": (
            [*encoder, data, "--collection", data, *new],
            "unknown option --collection",
        ),
        "no folder": (
            [*encoder, str(tmp_path / "none"), *new],
            "no manifest.json here, so no dataset folder",
        ),
        "no pages": ([*encoder, empty_pages, *new], "no page has 16 tokens of text"),
        "no pairs": (
            ["train", "pretrain", only_pages, "--init", model, *new],
            "holds no pairs; make them with",
        ),
        "no task": ([*pretrain, "--task", "acm"], "has no pair of task acm"),
        "no model": (
            ["train", "pretrain", data, "--init", "./none", *new],
            "./none: no such model folder",
        ),
        "no name": (
            ["train", "pretrain", data, "--init", "", *new],
            "a model's name is empty; give a folder or an id of the Hugging Face hub",
        ),
        "no tokenizer": (
            ["train", "pretrain", data, "--init", str(bare), *new],
            "bare: no tokenizer here",
        ),
        "no collection": ([*rerank, str(tmp_path / "none")], "no corpus.jsonl; a collection has"),
        "no split": ([*rerank, collection, "--split", "dev"], "no split dev; splits here: test, train"),
    }


def bad_values(tmp_path: Path, data: str, model: str) -> dict[str, tuple[list[str], str]]:
    """The same of options."""
    new = ["--output", str(tmp_path / "new")]
    pretrain = ["train", "pretrain", data, "--init", model, *new]
    return {
        "too long": ([*pretrain, "--length", "100"], "--length 100: must be from 8 to 64"),
        "bad heads": (
            ["train", "encoder", data, "--hidden", "30", *new],
            "--heads 4: must divide --hidden, which is 30",
        ),
        "bad rate": ([*pretrain, "--lr", "-1"], "--lr -1.0: must be from 0.0 to 1.0"),
        "bad decay": ([*pretrain, "--weight-decay", "-1"], "--weight-decay -1.0: must be 0.0 or more"),
        "no finite decay": (
            [*pretrain, "--weight-decay", "inf"],
            "--weight-decay inf: must be a finite number",
        ),
        "bad loss": ([*pretrain, "--loss", "hing"], "invalid choice: 'hing'"),
        "unknown option": (
            [*pretrain, "--max-step", "3"],
            "unknown option --max-step; did you mean --max-steps?",
        ),
    }


def bad_outputs(tmp_path: Path, data: str) -> dict[str, tuple[list[str], str]]:
    """The same of each folder that no model can be written to."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "config.json").write_text("{}")
    encoder = ["train", "encoder"]
    return {
        "taken": (
            [*encoder, data, "--output", str(tmp_path / "other"), "--overwrite"],
            "something else than a model",
        ),
        "taken by a project": (
            [*encoder, data, "--output", str(tmp_path / "project"), "--overwrite"],
            f"{tmp_path / 'project'}: holds something else than a model",
        ),
        "taken by a dataset": (
            [*encoder, data, "--output", data],
            f"{data}: holds something else than a model; it is left alone, give another --output",
        ),
        "here": ([*encoder, data, "--output", "."], ".: is no name of a new folder; give one, such as"),
        "above": ([*encoder, data, "--output", "a/.."], "a/..: is no name of a new folder"),
        "below a file": (
            [*encoder, data, "--output", str(tmp_path / "other" / "notes.txt" / "model")],
            f"{tmp_path / 'other' / 'notes.txt'}: is no folder; --output names a folder, give another one",
        ),
        "long name": (
            [*encoder, data, "--output", "n" * 300],
            "File name too long; give another --output",
        ),
    }


def test_bad_input(data, collection, tiny_model, tmp_path, capsys):
    mistakes = bad_inputs(tmp_path, data, collection, tiny_model) | bad_outputs(tmp_path, data)
    mistakes |= bad_values(tmp_path, data, tiny_model)
    for name, (arguments, message) in mistakes.items():
        assert main([*arguments, *QUIET]) == 2, name
        error = capsys.readouterr().err
        assert message in error, name
        assert len(error.strip().splitlines()) == 1, (name, error)
        assert not list(tmp_path.glob("new*")), name
    assert (tmp_path / "other" / "notes.txt").read_text() == "mine"
    assert [path.name for path in (tmp_path / "project").iterdir()] == ["config.json"]


def test_a_model_of_another_tool_is_replaced_where_that_is_asked_for(data, tmp_path):
    model = Path(make_model(tmp_path / "model"))
    assert not (model / "train_log.jsonl").exists()
    arguments = ["--length", "32", "--positions", "64", "--hidden", "16", "--heads", "2", "--max-steps", "1"]
    shape = ["--layers", "1", "--vocab-size", "120", "--overwrite"]
    assert main(["train", "encoder", data, *arguments, *shape, "--output", str(model), *QUIET]) == 0
    assert len(lines(model)) == 1


def test_a_place_that_refuses(data, tiny_model, tmp_path, monkeypatch, capsys):
    """A file system may refuse what its permissions allow; /sys does so to root."""

    def refuse(self, *arguments, **options):
        raise PermissionError(1, "Operation not permitted", str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    model = tmp_path / "model"
    arguments = ["--init", tiny_model, "--length", "48", "--max-steps", "1", "--output", str(model)]
    assert main(["train", "pretrain", data, *arguments, *QUIET]) == 2
    message = f"{model}.unfinished: cannot be made (Operation not permitted); give another --output"
    assert capsys.readouterr().err == f"anchormine: {message}\n"


def test_a_place_without_permission(data, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("os.access", lambda path, mode: str(path) != str(tmp_path))
    assert main(["train", "encoder", data, "--output", str(tmp_path / "a" / "model"), *QUIET]) == 2
    message = f"{tmp_path}: cannot be written; give another --output, or the right to write there"
    assert capsys.readouterr().err == f"anchormine: {message}\n"
