import math

import pytest
import torch

from anchormine.training.losses import PAIR_LOSSES

# positive and negative scores of three pairs: right by a wide margin, undecided, wrong
POSITIVE, NEGATIVE = torch.tensor([3.0, 0.5, -3.0]), torch.tensor([0.0, 0.5, 3.0])
EXPECTED = {
    "hinge": [0.0, 1.0, 7.0],
    "softmax_hinge": [1 - math.tanh(1.5), 1.0, 1 + math.tanh(3.0)],
    "pair_ce": [math.log1p(math.exp(-3)), math.log(2), math.log1p(math.exp(6))],
    "pointwise": [
        (math.log1p(math.exp(-3)) + math.log(2)) / 2,
        (math.log1p(math.exp(-0.5)) + math.log1p(math.exp(0.5))) / 2,
        math.log1p(math.exp(3)),
    ],
}


@pytest.mark.parametrize("name", PAIR_LOSSES)
def test_values(name):
    assert PAIR_LOSSES[name](POSITIVE, NEGATIVE).tolist() == pytest.approx(EXPECTED[name], abs=1e-6)


@pytest.mark.parametrize("name", PAIR_LOSSES)
def test_slope_where_the_model_is_wrong_and_sure(name):
    positive = torch.tensor([-3.0], requires_grad=True)
    PAIR_LOSSES[name](positive, torch.tensor([3.0])).sum().backward()
    assert positive.grad is not None
    slope = -positive.grad.item()
    if name == "softmax_hinge":
        assert slope == pytest.approx(0.005, abs=5e-4)
    else:
        assert slope > 0.4
