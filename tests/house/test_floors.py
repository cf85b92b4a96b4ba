"""Imports go downwards only, and what a step does not need is not loaded."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.house.floors import FORBIDDEN, ROOT, imported, modules, violations


@pytest.mark.parametrize("floor", FORBIDDEN)
def test_imports_go_downwards(floor: str) -> None:
    files = modules(floor)
    found = {str(path.relative_to(ROOT)): violations(floor, path.read_text("utf-8")) for path in files}
    assert files
    assert {path: names for path, names in found.items() if names} == {}


def test_what_counts_as_upwards() -> None:
    source = """
import os, apache_beam as beam
import transforms.files
from anchormine.pipelines import cli
from anchormine.schemas.pages import PAGES
from . import sibling
def late():
    from anchormine.transforms.files import open_file
"""
    always = ["..sibling", "transforms.files"]
    cli, opened = "anchormine.pipelines.cli", "anchormine.transforms.files.open_file"
    assert {floor: violations(floor, source) for floor in FORBIDDEN} == {
        "pipelines": always,
        "transforms": sorted([*always, cli]),
        "anchormine": sorted([*always, "apache_beam", cli, opened]),
        "schemas": sorted([*always, "apache_beam", cli, opened]),
    }


@pytest.mark.parametrize(
    ("room", "below"),
    [
        ("encodings", []),
        ("http", ["encodings"]),
        ("records", ["http"]),
        ("markup", []),
        ("page", ["encodings", "http", "markup"]),
        ("main_text", ["page"]),
    ],
)
def test_rooms_of_the_web_are_entered_from_one_side(room: str, below: list[str]) -> None:
    """What reads crawl files knows nothing of pages, and what reads pages nothing of the files."""
    web = ROOT / "anchormine" / "web"
    rooms = {path.name for path in web.iterdir() if (path / "__init__.py").exists()}
    names = {name for path in (web / room).glob("*.py") for name in imported(path.read_text("utf-8"))}
    entered = {name.split(".")[2] for name in names if name.startswith("anchormine.web.")}
    assert entered & rooms == {room, *below}


@pytest.mark.parametrize(
    ("step", "absent"),
    [
        ("wiki", ["torch", "transformers"]),
        ("web", ["torch", "transformers"]),
        ("clueweb22", ["torch", "transformers"]),
        ("harp", ["torch", "transformers"]),
        ("filter", ["torch", "transformers"]),
        ("pairs", ["torch", "transformers"]),
        ("train", ["apache_beam", "torch", "transformers"]),
        ("evaluate", ["apache_beam", "torch", "transformers"]),
        ("export", ["apache_beam", "torch", "transformers"]),
    ],
)
def test_a_step_loads_only_its_own_libraries(step: str, absent: list[str]) -> None:
    program = (
        f"import json, sys, anchormine.pipelines.{step}; "
        "heavy = {'apache_beam', 'torch', 'transformers'}; print(json.dumps(sorted(heavy & {*sys.modules})))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True
    )
    heavy = {"apache_beam", "torch", "transformers"}
    assert json.loads(done.stdout) == sorted(heavy - {*absent})
