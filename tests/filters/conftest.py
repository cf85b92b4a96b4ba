"""What more than one module of these tests is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.filters.anchor_folders import write_folder
from tests.filters.filter_folder import ANCHORS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of the anchors that each rule drops one of."""
    return write_folder(tmp_path / "folder", ANCHORS)
