"""Masked query prediction: SJTF's second task beside ranking (CCL 2022, section 3.2)."""

from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from anchormine.training.pair_encoding import EncodedPairs


class MaskedQuery(NamedTuple):
    """Queries with one piece hidden, each with its positive passage.

    Attributes:
        inputs: of the encoder, [pairs, length] each.
        places: of the hidden piece in its sequence, [pairs].
        pieces: that were there, [pairs].
    """

    inputs: dict[str, torch.Tensor]
    places: torch.Tensor
    pieces: torch.Tensor


def mask_query(encoded: EncodedPairs, mask_id: int, rng: np.random.Generator) -> MaskedQuery:
    """Hides one piece of each query, drawn uniformly; never a special token, never a piece of the passage.

    Args:
        encoded: queries, of a piece or more each, with their positive passages.
        mask_id: of [MASK].
        rng: draws the places.
    """
    draws = np.where(encoded.query_pieces, rng.random(encoded.query_pieces.shape), -1.0)  # [pairs, length]
    places = torch.from_numpy(draws.argmax(1))  # [pairs]
    rows = torch.arange(len(places))
    ids = encoded.inputs["input_ids"].clone()  # [pairs, length]
    pieces = ids[rows, places]  # [pairs]
    ids[rows, places] = mask_id
    return MaskedQuery({**encoded.inputs, "input_ids": ids}, places, pieces)


class QueryPrediction(nn.Module):
    """A fresh linear layer from the last layer's vector to the vocabulary, dropped when training is over."""

    def __init__(self, hidden: int, vocabulary: int) -> None:
        super().__init__()
        self.output = nn.Linear(hidden, vocabulary)
        nn.init.normal_(self.output.weight, std=0.02)  # as BERT's layers
        nn.init.zeros_(self.output.bias)

    def forward(self, encoder: Any, masked: MaskedQuery) -> torch.Tensor:
        """Losses of the hidden pieces.

        Args:
            encoder: the scorer's own; this is a forward pass beside that of the scores.
            masked: the batch.

        Returns:
            Cross-entropy in nats, [pairs].
        """
        states = encoder(**masked.inputs).last_hidden_state  # [pairs, length, hidden]
        rows = torch.arange(len(masked.places), device=states.device)
        logits = self.output(states[rows, masked.places])  # [pairs, vocabulary]
        return F.cross_entropy(logits.float(), masked.pieces, reduction="none")  # [pairs]
