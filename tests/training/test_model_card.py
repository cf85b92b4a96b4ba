"""The head of a model's card, which the hub and `huggingface_hub` read."""

from pathlib import Path

import pytest

from anchormine.training.loop import Fitted
from anchormine.training.model_card import ModelCard

LOG = {"step": 4, "epoch": 1.0, "loss": 0.5, "losses": {"rqp": 0.5}}


@pytest.mark.parametrize(
    ("licence", "line"),
    [
        ("cc-by-sa-4.0", "license: cc-by-sa-4.0"),
        ("other: ask us", 'license: "other: ask us"'),
        ("ours # 1", 'license: "ours # 1"'),
        ("no", 'license: "no"'),
    ],
)
def test_a_licence_is_read_as_it_was_given(tmp_path: Path, licence: str, line: str) -> None:
    yaml = pytest.importorskip("yaml")
    card = ModelCard("A ranker", "Scores.", "4 pairs", None, licence, ("cross-encoder",))
    card.write(tmp_path, Fitted(4, 1.0, 1e-4, LOG))
    head = (tmp_path / "README.md").read_text(encoding="utf-8").split("---\n")[1]
    assert head.splitlines() == [line, "library_name: transformers", "tags:", "- cross-encoder"]
    assert yaml.safe_load(head)["license"] == licence
