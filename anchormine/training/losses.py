"""Losses of a preference: the positive side is to score above the negative one.

Each function takes the scores of the positive and the negative sides, [pairs] both, and gives a loss per
pair, [pairs].
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch.nn import functional as F

PairLoss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


class Losses(NamedTuple):
    """What a forward pass of a training gives.

    Attributes:
        total: to be differentiated, a scalar.
        parts: for the log, sum and number of the losses under each name; sums are scalars without a gradient.
    """

    total: torch.Tensor
    parts: dict[str, tuple[torch.Tensor, int]]


def hinge(positive: torch.Tensor, negative: torch.Tensor) -> torch.Tensor:
    """max(0, 1 - s+ + s-): HARP (CIKM 2021), equation 6; also the ranking loss of SJTF (CCL 2022)."""
    return F.relu(1 - positive + negative)  # [pairs]


def softmax_hinge(positive: torch.Tensor, negative: torch.Tensor) -> torch.Tensor:
    """1 - (p+ - p-) with p = softmax(s+, s-), which is 1 - tanh((s+ - s-) / 2): what HARP's program computes.

    Its slope is gone where the model is wrong and sure of it: 0.005 at s+ - s- = -6.
    """
    return 1 - torch.tanh((positive - negative) / 2)  # [pairs]


def pair_ce(positive: torch.Tensor, negative: torch.Tensor) -> torch.Tensor:
    """-log softmax(s+, s-) of the positive side, the logistic loss of the difference (RankNet, ICML 2005)."""
    return F.softplus(negative - positive)  # [pairs]


def pointwise(positive: torch.Tensor, negative: torch.Tensor) -> torch.Tensor:
    """Binary cross-entropy of either side on its own, their mean: HARP's fine-tuning (section 4)."""
    return (F.softplus(-positive) + F.softplus(negative)) / 2  # [pairs]


PAIR_LOSSES: dict[str, PairLoss] = {
    "hinge": hinge,
    "softmax_hinge": softmax_hinge,
    "pair_ce": pair_ce,
    "pointwise": pointwise,
}
