"""The console script: it ends the process with the command's status, and without tearing Python down."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.pipelines.command_runs import DEMO

# What a library does that asks to be called at the end, and what has a destructor.
PROGRAM = """
import atexit, os, sys

class Torn:
    def __del__(self):
        os.write(1, b"torn down\\n")

torn = Torn()
atexit.register(os.write, 1, b"called at the end\\n")
sys.argv[0] = "anchormine"
from anchormine.pipelines.cli import console
console()
"""


MISSING = (
    "anchormine: nowhere: no manifest.json here, so no dataset folder; make a new folder with "
    "`anchormine wiki DUMP --output FOLDER`, or with `anchormine web` of a crawl\n"
)
DRY_RUN = ["wiki", str(DEMO / "wiki.xml"), "--output", "out", "--dry-run", "--progress", "none"]


@pytest.mark.parametrize(
    ("arguments", "status", "errors"), [(["rejects", "nowhere"], 2, MISSING), (DRY_RUN, 0, "")]
)
def test_ends_with_the_status_of_the_command(
    arguments: list[str], status: int, errors: str, tmp_path: Path
) -> None:
    done, plain = (
        subprocess.run(
            [sys.executable, "-c", program, *arguments],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )
        for program in (PROGRAM, "import sys\nfrom anchormine.pipelines.cli import main\nsys.exit(main())")
    )  # fmt: skip
    assert (plain.returncode, plain.stderr) == (status, errors)
    assert (done.returncode, done.stderr) == (status, errors)
    assert done.stdout == plain.stdout + "called at the end\n"
