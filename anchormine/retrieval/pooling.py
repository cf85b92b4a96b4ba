"""How the last hidden states of a text become one vector.

Each function takes hidden states [B, L, d] and the mask [B, L] (1 for pieces, 0 for padding), and gives
vectors [B, d]. Their names are those of sentence-transformers, whose pooling module they agree with;
"first-decoder" is Anchor-DR's: the state of a decoder that has read its start alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

FIRST_DECODER = "first-decoder"


def pool(hidden: Tensor, mask: Tensor, poolings: Sequence[str]) -> Tensor:
    """Vectors of texts; those of several poolings are joined.

    Args:
        hidden: last states, [B, L, d].
        mask: 1 for pieces, 0 for padding, [B, L].
        poolings: names in `POOLINGS`, n of them.

    Returns:
        [B, n * d].
    """
    return torch.cat([POOLINGS[name](hidden, mask) for name in poolings], dim=1)


def _mean(hidden: Tensor, mask: Tensor) -> Tensor:
    return _sum(hidden, mask) / _pieces(mask)  # [B, d]


def _mean_sqrt(hidden: Tensor, mask: Tensor) -> Tensor:
    return _sum(hidden, mask) / _pieces(mask).sqrt()  # [B, d]


def _weighted_mean(hidden: Tensor, mask: Tensor) -> Tensor:
    """The mean where a piece counts by its place, as decoders are read (SGPT, 2022)."""
    places = torch.arange(1, hidden.shape[1] + 1, device=hidden.device) * mask  # [B, L]
    return _sum(hidden, places) / places.sum(1, keepdim=True).clamp(min=1)  # [B, d]


def _max(hidden: Tensor, mask: Tensor) -> Tensor:
    return hidden.masked_fill(mask[:, :, None] == 0, -torch.inf).amax(1)  # [B, d]


def _first(hidden: Tensor, mask: Tensor) -> Tensor:
    return _row(hidden, mask.argmax(1))  # [B, d]


def _last(hidden: Tensor, mask: Tensor) -> Tensor:
    return _row(hidden, mask.shape[1] - 1 - mask.flip(1).argmax(1))  # [B, d]


def _sum(hidden: Tensor, weights: Tensor) -> Tensor:
    return (hidden * weights[:, :, None]).sum(1)  # [B, d]


def _pieces(mask: Tensor) -> Tensor:
    return mask.sum(1, keepdim=True).clamp(min=1)  # [B, 1]


def _row(hidden: Tensor, places: Tensor) -> Tensor:
    return hidden[torch.arange(len(hidden), device=hidden.device), places]  # [B, d]


POOLINGS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "mean": _mean,
    "cls": _first,
    FIRST_DECODER: _first,
    "max": _max,
    "mean_sqrt_len_tokens": _mean_sqrt,
    "weightedmean": _weighted_mean,
    "lasttoken": _last,
}
