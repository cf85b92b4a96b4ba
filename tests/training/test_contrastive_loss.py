"""The loss of a dual encoder against the plain formula, and what is left out of it."""

import math

import numpy as np
import pytest
import torch
from torch import nn

from anchormine.training.contrastive_data import ContrastiveExample, Passage
from anchormine.training.contrastive_model import ContrastiveModel, excluded_passages
from anchormine.training.known_positives import KnownPositives, document_key


class Rows(nn.Module):
    """Stands for an encoder: a text's vector is a row of a table."""

    def __init__(self, vectors: torch.Tensor) -> None:
        super().__init__()
        self.vectors = nn.Parameter(vectors)

    def forward(self, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
        return self.vectors[inputs["rows"]]


@pytest.mark.parametrize("temperature", [1.0, 0.05])
def test_loss_and_gradient_are_the_formulas(temperature: float) -> None:
    torch.manual_seed(0)
    vectors = torch.randn(8, 5, dtype=torch.float64) * 0.3
    queries, passages = vectors[:3].numpy(), vectors[3:].numpy()
    excluded = np.array([[0, 0, 0, 0, 1], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0]], bool)
    scores = queries @ passages.T / temperature
    expected, slopes = [], np.zeros((3, 5))
    for row in range(3):
        compared = [column for column in range(5) if not excluded[row, column]]
        total = sum(math.exp(scores[row, column]) for column in compared)
        expected.append(-math.log(math.exp(scores[row, row]) / total))
        for column in compared:
            slopes[row, column] = math.exp(scores[row, column]) / total - (column == row)
    slopes /= 3 * temperature

    rows = Rows(vectors)
    losses = ContrastiveModel(rows, temperature)(  # type: ignore[arg-type]
        {"rows": torch.arange(3)}, {"rows": torch.arange(3, 8)}, torch.from_numpy(excluded), ["a", "b", "a"]
    )
    losses.total.backward()
    assert losses.total.item() == pytest.approx(np.mean(expected), abs=1e-12)
    assert {task: count for task, (_, count) in losses.parts.items()} == {"a": 2, "b": 1}
    assert float(losses.parts["a"][0]) == pytest.approx(expected[0] + expected[2])
    assert float(losses.parts["b"][0]) == pytest.approx(expected[1])
    gradient = rows.vectors.grad
    assert gradient is not None
    np.testing.assert_allclose(gradient[:3], slopes @ passages, atol=1e-12)
    np.testing.assert_allclose(gradient[3:], slopes.T @ queries, atol=1e-12)


def test_what_may_be_a_positive_is_not_a_negative() -> None:
    known = KnownPositives()
    for query, page in (
        ("Mercury", "planet"),
        (" mercury ", "element"),
        ("venus", "venus"),
        ("venus", "venus"),
    ):
        known.add(query, page)
    batch = [
        ContrastiveExample("t", "1", "mercury", Passage("planet", "a"), (Passage("element", "b"),)),
        ContrastiveExample("t", "2", "the first planet", Passage("planet", "a"), (Passage("x", "c"),)),
        ContrastiveExample(
            "t", "3", "venus", Passage("venus", "d"), (Passage("copy", "a"), Passage("y", "e"))
        ),
    ]
    passages = [example.positive for example in batch]
    passages += [passage for example in batch for passage in example.negatives]
    assert [passage.id for passage in passages] == ["planet", "planet", "venus", "element", "x", "copy", "y"]
    assert excluded_passages(batch, passages, known).astype(int).tolist() == [
        [0, 1, 0, 1, 0, 1, 0],
        [1, 0, 0, 0, 0, 1, 0],
        [0, 0, 0, 0, 0, 0, 0],
    ]


def test_known_positives_are_of_queries_with_several() -> None:
    known = KnownPositives()
    assert known.of("mercury") == frozenset()
    known.add("mercury", "planet")
    assert known.of("mercury") == frozenset()
    known.add("MERCURY", "element")
    known.add("zebra", "zebra")
    assert known.of("Mercury ") == {document_key("planet"), document_key("element")}
    assert known.of("zebra") == frozenset()


def test_mined_passages_of_a_positives_page_are_no_negatives() -> None:
    """Not of its own query, and not of one whose words lead to the page elsewhere; of others they are."""
    known = KnownPositives()
    for query, page in (("reef", "w:1"), ("coral", "w:2"), ("Coral", "w:3")):
        known.add(query, page)
    batch = [
        ContrastiveExample("ict", "0", "reef", Passage("w:1", "one"), (Passage("w:3#p7", "three"),)),
        ContrastiveExample("ict", "1", "coral", Passage("w:2", "two"), (Passage("w:1#p0", "more"),)),
    ]
    passages = [example.positive for example in batch] + [example.negatives[0] for example in batch]
    assert excluded_passages(batch, passages, known).astype(int).tolist() == [[0, 0, 0, 1], [0, 0, 1, 0]]
