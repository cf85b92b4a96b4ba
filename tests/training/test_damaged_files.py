"""Files of an earlier training that were damaged since: `--resume` names the file, and touches nothing."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from anchormine.errors import UsageError
from anchormine.pipelines.cli import main
from anchormine.training.classifier_training import held_out_doubt, held_out_line
from anchormine.training.contrastive_training import validation_lines
from anchormine.training.run_folder import RunFolder

SHAPE = ["--layers", "1", "--heads", "2", "--hidden", "16", "--vocab-size", "120", "--positions", "64"]
STEPS = ["--length", "48", "--batch-size", "4", "--max-steps", "4", "--save-every", "2", "--log-every", "1"]


def train(data: str, output: Path, *more: str) -> int:
    quiet = ["--device", "cpu", "--progress", "none"]
    return main(["train", "encoder", data, *SHAPE, *STEPS, "--output", str(output), *quiet, *more])


@pytest.fixture(scope="module")
def cut(data: str, tmp_path_factory) -> Path:
    """The work folder of a training that was stopped in its third step, behind a checkpoint."""
    output = tmp_path_factory.mktemp("cut") / "model"

    def stop(run: RunFolder, line: dict[str, Any]) -> None:
        append(run, line)
        if line["step"] == 3:
            signal.raise_signal(signal.SIGINT)

    append = RunFolder.append_log
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RunFolder, "append_log", stop)
        assert train(data, output) == 128 + signal.SIGINT
    return output.with_name("model.unfinished")


@pytest.fixture(scope="module")
def whole(data: str, tmp_path_factory) -> Path:
    output = tmp_path_factory.mktemp("whole") / "model"
    assert train(data, output) == 0
    return output


def holding(text: str) -> Callable[[Path], Any]:
    return lambda path: path.write_text(text)


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def change(**values: Any) -> Callable[[Path], None]:
    """Changes values of a checkpoint; None takes one out."""

    def damage(path: Path) -> None:
        state = {**torch.load(path, weights_only=True), **values}
        torch.save({name: value for name, value in state.items() if value is not None}, path)

    return damage


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("train_options.json", holding("{")),
        ("train_options.json", holding("[]")),
        ("checkpoint.pt", holding("")),
        ("checkpoint.pt", holding("no archive")),
        ("checkpoint.pt", cut_off),
        ("checkpoint.pt", change(log_bytes=None)),
        ("checkpoint.pt", change(module=None)),
        ("checkpoint.pt", change(module={})),
        ("checkpoint.pt", change(optimizer={"state": {}})),
        ("checkpoint.pt", change(step="two")),
        ("checkpoint.pt", change(epoch=None)),
        ("train_log.jsonl", holding("")),
        ("train_log.jsonl", holding("x" * 10_000)),
        ("train_log.jsonl", holding("[]\n" * 10_000)),
        ("train_log.jsonl", Path.unlink),
    ],
)
def test_an_unfinished_training(
    cut: Path, data: str, tmp_path: Path, capsys, name: str, damage: Callable[[Path], Any]
) -> None:
    work = tmp_path / "model.unfinished"
    shutil.copytree(cut, work)
    damage(work / name)
    capsys.readouterr()
    assert train(data, tmp_path / "model", "--resume") == 2
    told = capsys.readouterr().err
    assert told == f"anchormine: {work / name}: damaged; begin anew with --overwrite\n"
    assert train(data, tmp_path / "model", "--overwrite") == 0
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_a_finished_one(whole: Path, data: str, tmp_path: Path, capsys) -> None:
    model = tmp_path / "model"
    shutil.copytree(whole, model)
    (model / "train_options.json").write_text("null")
    capsys.readouterr()
    assert train(data, model, "--resume") == 2
    told = capsys.readouterr().err
    assert told == f"anchormine: {model}/train_options.json: damaged; begin anew with --overwrite\n"


@pytest.mark.parametrize(
    ("name", "tell", "text"),
    [
        ("train_log.jsonl", validation_lines, "{"),
        ("train_log.jsonl", validation_lines, json.dumps({"step": "1"})),
        ("train_log.jsonl", validation_lines, json.dumps({"step": 1, "validation": {}})),
        ("query_classifier.json", held_out_line, "{"),
        ("query_classifier.json", held_out_line, "[]"),
        ("query_classifier.json", held_out_line, json.dumps({"held_out": {"auc": "high"}})),
        ("query_classifier.json", held_out_doubt, json.dumps({"held_out": {"queries": 2}})),
        ("query_classifier.json", held_out_line, '{"held_out": {"queries": 1e400, "anchors": 2, "auc": 1}}'),
        ("query_classifier.json", held_out_line, '{"held_out": {"queries": 2, "anchors": 2, "auc": 1e400}}'),
    ],
)
def test_what_is_told_of_a_finished_one(
    tmp_path: Path, name: str, tell: Callable[[Path], Any], text: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UsageError) as refused:
        tell(tmp_path)
    assert str(refused.value) == f"{tmp_path / name}: damaged; begin anew with --overwrite"
