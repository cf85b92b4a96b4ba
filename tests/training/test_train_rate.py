"""The learning rate: what suits a model's width, and how it rises and falls."""

import json
from pathlib import Path

import pytest

from anchormine.pipelines.cli import main
from anchormine.training.learning_rate import RATES, chosen_rate, rate


@pytest.mark.parametrize(
    ("given", "kind", "width", "expected"),
    [
        (None, "pretrain", 768, 1e-4),  # HARP's, for BERT-base
        (None, "pretrain", 128, 6e-4),
        (None, "rerank", 1024, RATES["rerank"] * 0.75),
        (2e-5, "pretrain", 128, 2e-5),
        (0.0, "encoder", 128, 0.0),
    ],
)
def test_rate_of_a_model(given, kind, width, expected):
    assert chosen_rate(given, kind, width) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("total", "warmup", "expected"),
    [
        (1, 0.1, [1 / 2]),
        (4, 0.0, [4 / 5, 3 / 5, 2 / 5, 1 / 5]),
        (6, 0.33, [1 / 2, 1, 4 / 5, 3 / 5, 2 / 5, 1 / 5]),
        (3, 1.0, [1 / 3, 2 / 3, 1]),
    ],
)
def test_rise_and_fall(total, warmup, expected):
    assert [rate(step, total, warmup) for step in range(1, total + 1)] == pytest.approx(expected)


@pytest.mark.parametrize("given", [None, "2e-4"])
def test_rate_is_in_the_log_and_on_the_card(given, data, tiny_model, tmp_path):
    output = tmp_path / "model"
    steps = ["--max-steps", "4", "--warmup", "0.25", "--batch-size", "4", "--gradient-accumulation", "1"]
    chosen = ["--lr", given] if given else []
    arguments = ["--init", tiny_model, "--length", "48", "--output", str(output), "--device", "cpu"]
    assert main(["train", "pretrain", data, *arguments, *steps, *chosen, "--progress", "none"]) == 0
    lines = [json.loads(line) for line in (output / "train_log.jsonl").read_text().splitlines()]
    highest = float(given) if given else 1e-4 * 768 / 16
    assert [(line["step"], line["lr"]) for line in lines] == [
        (1, pytest.approx(highest)),
        (4, pytest.approx(highest / 4)),
    ]
    assert f"- learning rate: {highest:.3g} at its highest" in (Path(output) / "README.md").read_text()
