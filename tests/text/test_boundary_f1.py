"""The splitter against labelled boundaries: as good as Punkt in every file, near the best on average."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from statistics import mean

import pytest

from anchormine.text.sentences import sentence_model, split_sentences
from tests.text.boundary_f1 import boundary_f1, read_labelled

# F1 of untrained NLTK Punkt and of blingfire 0.1.8, as the data's README states them.
OTHERS = {
    "de-gsd": (0.957, 0.929),
    "en-ewt": (0.868, 0.848),
    "en-gum": (0.940, 0.969),
    "fr-gsd": (0.973, 0.965),
    "it-isdt": (0.927, 0.883),
    "ru-taiga": (0.627, 0.615),
    "tr-imst": (0.931, 0.959),
    "zh-gsd": (0.000, 0.994),
}
# Text without spaces needs more than Punkt, which finds nothing in it.
LOWEST = {name: punkt for name, (punkt, _) in OTHERS.items()} | {"zh-gsd": 0.95}


@pytest.fixture(scope="module")
def measured() -> dict[str, float]:
    folder = Path(os.environ.get("ANCHORMINE_DATA", "/nonexistent"), "sentences")
    if not folder.is_dir():
        pytest.skip("ANCHORMINE_DATA names no folder with sentences")
    scores = {}
    for name in OTHERS:
        model = sentence_model(name.partition("-")[0])
        rows = read_labelled(folder / f"{name}.jsonl")
        scores[name] = boundary_f1(partial(split_sentences, model=model), rows)
    return scores


@pytest.mark.data
def test_every_file_is_split_as_well_as_by_punkt(measured: dict[str, float]) -> None:
    assert {name: score for name, score in measured.items() if score < LOWEST[name]} == {}


@pytest.mark.data
def test_the_mean_is_near_the_better_splitter_of_each_file(measured: dict[str, float]) -> None:
    assert mean(measured.values()) >= mean(map(max, OTHERS.values())) - 0.01


def test_score() -> None:
    rows = [
        {"text": "Aa. Bb. Cc.\n", "sentences": [[0, 3], [4, 7], [8, 11]]},
        {"text": "Dd. Ee", "sentences": [[0, 3], [4, 6]]},
    ]
    found = {"Aa. Bb. Cc.\n": [(0, 4), (4, 5), (5, 11)], "Dd. Ee": [(0, 6)]}
    # Of three labelled ends one is hit, off by one; of two predicted ends one is right.
    assert boundary_f1(found.__getitem__, rows) == 2 * 1 / (2 + 3)
    assert boundary_f1(lambda text: [], []) == 0.0
