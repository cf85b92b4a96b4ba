"""The console script: it ends the process with the command's status, and without tearing Python down."""

from __future__ import annotations

import os
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


def test_python_without_docstrings_is_refused(tmp_path: Path) -> None:
    command = [sys.executable, "-OO", "-m", "anchormine", *DRY_RUN]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    told = "python -OO: Beam needs docstrings; leave out -OO, and unset PYTHONOPTIMIZE"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"anchormine: {told}\n")


def test_a_name_in_utf_8_where_the_locale_is_another(tmp_path: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-m", "anchormine", "web", "caf\u00e9.warc".encode(), "--output", "out"],
        cwd=tmp_path, env=os.environ | plain, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    told = "the locale is not UTF-8, as its name is; set PYTHONUTF8=1, or LC_ALL=C.UTF-8"
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"anchormine: caf\u00e9.warc: {told}\n"
