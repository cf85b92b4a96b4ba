"""Threads of numerical libraries sleep while they wait, unless the user has said otherwise."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import anchormine
from tests.pipelines.test_standard_streams import ENVIRONMENT

_RUN = """
import os, sys
from anchormine.pipelines.cli import main
assert "torch" not in sys.modules
main(["rejects", {folder!r}])
print("torch" in sys.modules, os.environ["OMP_WAIT_POLICY"])
"""


@pytest.mark.parametrize("chosen", [None, "ACTIVE"])
def test_threads_sleep_before_torch_is_there(chosen: str | None, tmp_path: Path) -> None:
    environment = {name: value for name, value in ENVIRONMENT.items() if name != "OMP_WAIT_POLICY"}
    done = subprocess.run(
        [sys.executable, "-c", _RUN.format(folder=str(tmp_path))],
        env=environment | ({"OMP_WAIT_POLICY": chosen} if chosen else {}),
        cwd=Path(anchormine.__file__).parents[1], capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == f"False {chosen or 'PASSIVE'}\n"
