"""A folder of texts to classify, tiny models, and trainings of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from anchormine.classifier import classifier_path
from tests.filters.anchor_folders import link, write_folder
from tests.pipelines.command_runs import main
from tests.training.tiny_inputs import WORDS, make_model

DEFAULT = classifier_path("default")
TEXTS = [f"{first} {second}" for first in WORDS for second in WORDS[:10]]


def link_all(texts: list[str]) -> list:
    return [link(number, text, f"http://{number % 7}.org/") for number, text in enumerate(texts)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A crawl of 480 anchors with 240 distinct texts in small letters, and ten that the rules drop."""
    anchors = link_all([*TEXTS, *(f"{text.title()}." for text in TEXTS)])
    return write_folder(
        tmp_path / "folder", [*anchors, *(link(500 + n, "home") for n in range(10))], shards=2
    )


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_model(tmp_path_factory.mktemp("models") / "tiny")


def write_queries(path: Path, count: int = 40) -> str:
    path.write_text("".join(f"wt-{n}:how {WORDS[n % 24]} {WORDS[n % 7]} works\n" for n in range(count)))
    return str(path)


def train(tmp_path: Path, folder: Path, *options: str, queries: int = 40) -> int:
    if "--positives" not in options:
        options = ("--positives", write_queries(tmp_path / "queries.txt", queries), *options)
    return main([
        "train", "classifier", "--negatives-from", str(folder), "--output", str(tmp_path / "model"),
        "--progress", "none", "--device", "cpu", *options,
    ])  # fmt: skip
