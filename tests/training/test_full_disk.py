"""A disk that has no room left while a model is trained: `/dev/full` stands for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer, models

from anchormine.errors import CommandError
from anchormine.pipelines.cli import main
from anchormine.training.run_folder import RunFolder

FULL = Path("/dev/full")
REFUSED = "cannot be written (No space left on device); see that it can be written, and has room, and"


def log(run: RunFolder) -> None:
    run.append_log({"step": 1})


def save_checkpoint(run: RunFolder) -> None:
    run.save_checkpoint({"module": torch.zeros(5000)})


def publish(run: RunFolder) -> None:
    def save(folder: Path) -> None:
        place = folder / "tokenizer.json"
        (folder.parent / place.name).replace(place)
        Tokenizer(models.WordLevel({"a": 0}, "a")).save(str(place))

    run.publish(save)


@pytest.mark.parametrize(
    ("name", "write"),
    [("train_log.jsonl", log), ("checkpoint.tmp", save_checkpoint), ("tokenizer.json", publish)],
)
@pytest.mark.parametrize(
    ("earlier", "again"), [(False, "go on with --resume"), (True, "begin anew with --overwrite")]
)
def test_one_line_says_what_is_full(
    name: str, write: Callable[[RunFolder], None], earlier: bool, again: str, tmp_path: Path
) -> None:
    output, work = tmp_path / "model", tmp_path / "model.unfinished"
    if earlier:
        output.mkdir()
        (output / "train_log.jsonl").write_text("{}\n")
    run = RunFolder(str(output), resume=False, overwrite=earlier)
    run.begin({"seed": 1})
    (work / name).symlink_to(FULL)
    with pytest.raises(CommandError) as refused:
        write(run)
    assert str(refused.value) == f"{work}: {REFUSED} {again}"
    assert refused.value.exit_status == 1


def test_a_training_that_cannot_begin(tmp_path: Path) -> None:
    run = RunFolder(str(tmp_path / "model"), resume=True, overwrite=False)
    work = tmp_path / "model.unfinished"
    work.mkdir()
    (work / "train_options.tmp").symlink_to(FULL)
    with pytest.raises(CommandError) as refused:
        run.begin({"seed": 1})
    assert str(refused.value) == f"{work}: {REFUSED} go on with --resume"


def test_a_training_goes_on_when_there_is_room(data: str, tmp_path: Path, capsys: Any) -> None:
    model, work = tmp_path / "model", tmp_path / "model.unfinished"
    shape = ["--layers", "1", "--heads", "2", "--hidden", "16", "--vocab-size", "120", "--positions", "64"]
    steps = ["--length", "48", "--batch-size", "4", "--max-steps", "4", "--save-every", "2"]
    quiet = ["--device", "cpu", "--progress", "none"]
    work.mkdir()
    (work / "checkpoint.tmp").symlink_to(FULL)
    arguments = ["train", "encoder", data, *shape, *steps, "--output", str(model), *quiet, "--resume"]
    assert main(arguments) == 1
    assert capsys.readouterr().err == f"anchormine: {work}: {REFUSED} go on with --resume\n"
    assert sorted(path.name for path in work.iterdir()) == [
        "checkpoint.tmp",
        "train_log.jsonl",
        "train_options.json",
    ]
    (work / "checkpoint.tmp").unlink()
    assert main(arguments) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_an_error_of_the_program_stays_one(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        raise RuntimeError("shapes differ")

    run = RunFolder(str(tmp_path / "model"), resume=False, overwrite=False)
    run.begin({"seed": 1})
    with pytest.raises(RuntimeError, match="shapes differ"):
        run.publish(fail)
