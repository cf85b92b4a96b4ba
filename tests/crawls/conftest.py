"""Real crawls, mined once for all tests here; a test that adds to a folder takes a copy."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.crawls.command_results import Result, mine
from tests.web.crawl_files import FOLDER


@pytest.fixture(scope="session")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """`anchormine web` on the folder of all crawls. Nobody writes into what it made."""
    return mine(tmp_path_factory.mktemp("everything") / "folder", FOLDER)


@pytest.fixture(scope="session")
def two_crawls(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """The same on a wiki's pages and a real crawl, in WARC and ARC."""
    files = [*sorted(FOLDER.glob("contextwiki-*")), *sorted(FOLDER.glob("blackbook.*"))]
    return mine(tmp_path_factory.mktemp("two") / "folder", *files)


@pytest.fixture
def copy_of(tmp_path: Path) -> Callable[[Result], Path]:
    """Copies what a command made, for a test that adds to it."""
    return lambda result: Path(shutil.copytree(result.folder, tmp_path / "folder"))
