"""The wheel holds the tree's package, byte for byte, and works where nothing else of the checkout is."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from anchormine import __version__
from tests.house.floors import ROOT
from tests.house.wheels import build_wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("dist"))


def _tree(folder: Path, name: str) -> Iterator[tuple[str, bytes]]:
    """The files below a folder, links followed, under the names that they have in the package."""
    for path in sorted(folder.iterdir()):
        if path.name == "__pycache__" or path.suffix == ".pyc":
            continue
        if path.is_dir():
            yield from _tree(path, f"{name}/{path.name}")
        else:
            yield f"{name}/{path.name}", path.read_bytes()


def test_the_wheel_is_the_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    about = f"anchormine-{__version__}.dist-info"
    assert {name for name in packed if not name.startswith("anchormine/")} == {
        f"{about}/{name}" for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")
    }
    tree = dict(_tree(ROOT / "anchormine", "anchormine"))
    assert sorted(name for name in packed if name.startswith("anchormine/")) == sorted(tree)
    assert [name for name, content in tree.items() if packed[name] != content] == []
    assert packed[f"{about}/licenses/LICENSE"] == (ROOT / "LICENSE").read_bytes()


def test_the_unpacked_wheel_works(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); "
        "import anchormine.transforms.read_dump as module; "
        "from anchormine.pipelines.cli import main; print(module.__file__); main(['--version'])"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout.splitlines() == [
        str(tmp_path / "anchormine" / "transforms" / "read_dump.py"),
        f"anchormine {__version__}",
    ]
