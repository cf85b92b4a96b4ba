"""The demo's dataset folder, made once; tests that add to it take a copy."""

import shutil
from pathlib import Path

import pytest

from tests.pipelines.command_runs import run_demo_wiki


@pytest.fixture(scope="session")
def demo_wiki(tmp_path_factory) -> Path:
    """The output of `anchormine wiki` on the demo's dump. Nobody writes into it."""
    return run_demo_wiki(tmp_path_factory.mktemp("demo") / "folder")


@pytest.fixture
def demo_folder(demo_wiki, tmp_path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(demo_wiki, tmp_path / "folder"))
