"""The wheel with compiled modules holds those that pyproject.toml names, and writes the same files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.floors import ROOT
from tests.house.wheels import unpack_compiled, why_not_compiled
from tests.pipelines.worker_rigs import assert_same, run_step
from tests.web.real_pages import FOLDER, needs_crawls
from tests.web.test_crawl_bounds import HOSTILE

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CRAWL = ROOT / "anchormine" / "demo" / "crawl.warc.gz"
_REASON = why_not_compiled()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(_REASON is not None, reason=_REASON or "")]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack_compiled(tmp_path_factory.mktemp("compiled"))


def test_what_is_named_is_compiled(compiled: Path) -> None:
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]
    named = targets["wheel"]["hooks"]["mypyc"]["include"]
    modules = {str(path.relative_to(compiled)) for path in (compiled / "anchormine").rglob("*.so")}
    assert sorted(f"{module.partition('.')[0]}.py" for module in modules) == sorted(named)
    names = [name.removesuffix(".py").replace("/", ".") for name in named]
    program = "import importlib, sys\nfor name in sys.argv[1:]: print(importlib.import_module(name).__file__)"
    done = subprocess.run(
        [sys.executable, "-c", program, *names], cwd=compiled, capture_output=True, text=True
    )
    assert done.stdout.splitlines() == [
        str(next((compiled / name).parent.glob(f"{Path(name).stem}.*.so"))) for name in named
    ], done.stderr


@pytest.mark.parametrize("workers", ["1", "2"])
def test_small_crawl(compiled: Path, tmp_path: Path, workers: str) -> None:
    _assert_same_files(compiled, tmp_path, str(CRAWL), "--workers", workers)


@pytest.mark.data
@needs_crawls
@pytest.mark.parametrize("files", ["contextwiki-00000.warc.gz", "malformed"])
def test_real_crawls(compiled: Path, tmp_path: Path, files: str) -> None:
    _assert_same_files(compiled, tmp_path, str(FOLDER / files))


def test_hostile_files_take_bounded_time(compiled: Path) -> None:
    """As of plain Python. Compiled, a generator expression is a list: who reads its first waits for all."""
    program = "import sys; from tests.web import test_crawl_bounds as bounds\n"
    program += "for name in sys.argv[1:]: bounds.test_hostile_files_take_bounded_time(name)"
    names = [name for name in HOSTILE if "members" in name]
    command = [sys.executable, "-c", program, *names]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=compiled, env=environment, capture_output=True, text=True)
    assert names
    assert done.returncode == 0, done.stderr


def _assert_same_files(compiled: Path, folder: Path, *arguments: str) -> None:
    arguments = (*arguments, "--progress", "none")
    plain = run_step("web", folder / "plain", *arguments)
    assert list(plain.glob("anchors/*.parquet"))
    assert_same(plain, run_step("web", folder / "compiled", *arguments, cwd=compiled))
