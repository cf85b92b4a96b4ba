"""Two trainings of one model at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import anchormine
from anchormine.errors import UsageError
from anchormine.training.run_folder import RunFolder

OTHER = """
import sys
from anchormine.training.run_folder import RunFolder
run = RunFolder(sys.argv[1], resume=False, overwrite=False)
run.begin({"seed": 1})
run.append_log({"step": 1})
print("trains", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize(("resume", "overwrite"), [(True, False), (False, True), (False, False)])
def test_the_second_is_refused_while_the_first_lives(resume: bool, overwrite: bool, tmp_path: Path) -> None:
    output = str(tmp_path / "model")
    second = RunFolder(output, resume, overwrite)
    path = os.pathsep.join([str(Path(anchormine.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    with subprocess.Popen(
        [sys.executable, "-c", OTHER, output],
        env=os.environ | {"PYTHONPATH": path}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as first:  # fmt: skip
        assert first.stdout is not None
        assert first.stdout.readline() == "trains\n"
        with pytest.raises(UsageError) as refused:
            second.begin({"seed": 1})
        assert str(refused.value) == (
            f"{output}.unfinished: another process trains there; wait for it, or give another --output"
        )
        assert second.log_path.read_text() == '{"step": 1}\n'
        first.kill()
    second = RunFolder(output, resume or not overwrite, overwrite)
    second.begin({"seed": 1})
    assert second.log_path.exists() is not overwrite


def test_what_another_has_just_trained_stays(tmp_path: Path) -> None:
    output = tmp_path / "model"
    second = RunFolder(str(output), resume=False, overwrite=False)
    output.mkdir()
    (output / "train_log.jsonl").write_text("{}")
    with pytest.raises(UsageError) as refused:
        second.begin({"seed": 1})
    assert str(refused.value) == f"{output}: another training has ended there; give another --output"
    assert [path.name for path in tmp_path.rglob("*")] == ["model", "train_log.jsonl"]
